/** Plays the edit without rendering it: two decks take turns, the idle one waits on the next run's first frame. */
import { Clips } from "./clips";
import { Deck } from "./deck";
import {
  around,
  backwards,
  broken,
  editBefore,
  editFrom,
  frameOf,
  type Place,
  placeAt,
  type Run,
  shuttled,
  stepped,
  untilSwitch,
} from "./playlist";
import { Posters } from "./posters";
import { pageSound } from "./sound";
import { seconds } from "./time";
import type { Desk, Frames, Player, Rate } from "./types";
import { nextWord } from "./wordtimes";

/** Off; rolling; holding the last picture until the next is there; stepping backwards. */
type Mode = "off" | "on" | "held" | "back";

interface Plan {
  readonly speed: number;
  /** Where to go when it is over, null for where it ended. */
  readonly back: Place | null;
  /** What it plays: the edit, which follows changes; a piece of its own; one that is left when it is stopped. */
  readonly kind: "edit" | "piece" | "trial";
}

/** Milliseconds from which a switch that is due is made at once, since a timer would be late. */
const SOON = 3;
/** Milliseconds between looks at whether a run was overrun while no picture told so. */
const WATCH = 200;

export function createPlayer(desk: Desk, box: HTMLElement): Player {
  return new Screen(desk, box);
}

class Screen implements Player {
  private readonly clips: Clips;
  private readonly posters: Posters;
  private readonly note = document.createElement("div");
  private active: Deck;
  private idle: Deck;
  private mode: Mode = "off";
  private list: Run[] = [];
  private at = 0;
  private plan: Plan = { speed: 1, back: null, kind: "edit" };
  private mine: Place;
  private armed = 0;
  private watch = 0;
  private blocked = false;
  private putting = false;
  /** Whether the sound's device is being opened. */
  private waking = false;
  private readonly device = pageSound();
  private readonly halted = () => this.stop();
  private turned = { at: 0, from: 0 };
  private readonly off: (() => void)[];

  constructor(
    private readonly desk: Desk,
    private readonly box: HTMLElement,
  ) {
    this.clips = new Clips(desk, () => this.look());
    this.posters = new Posters(desk);
    const deck = () => new Deck(desk, this.clips, this.posters, () => this.settle());
    this.active = deck();
    this.idle = deck();
    this.active.show(true);
    this.note.className = "cb-note";
    this.note.hidden = true;
    box.classList.add("cb-screen");
    box.append(this.active.box, this.idle.box, this.note);
    this.mine = desk.playhead;
    this.off = [
      desk.on("playhead", () => this.follow()),
      desk.on("board", () => this.change()),
      desk.on("visible", () => {
        if (!desk.visible) this.stop();
      }),
    ];
    const hidden = () => {
      if (document.hidden) this.stop();
    };
    const click = () => this.toggle();
    document.addEventListener("visibilitychange", hidden);
    box.addEventListener("click", click);
    this.off.push(
      () => document.removeEventListener("visibilitychange", hidden),
      () => box.removeEventListener("click", click),
    );
    this.stand(this.mine);
  }

  toggle(): void {
    if (this.mode !== "off") {
      this.stop();
      return;
    }
    this.start(this.ahead(), { speed: 1, back: null, kind: "edit" });
  }

  around({ without, out = false }: { without: boolean; out?: boolean }): void {
    const from = this.plan.kind === "piece" && this.plan.back ? this.plan.back : this.mine;
    this.start(around(this.desk.board, from.range, { without, out }), {
      speed: 1,
      back: from,
      kind: "piece",
    });
  }

  audition(take: string, frames: Frames): void {
    const back = this.mode !== "off" && this.plan.back ? this.plan.back : this.mine;
    const run: Run = { take, frames, pieces: [{ range: back.range, frames }] };
    this.start([run], { speed: 1, back, kind: "trial" });
  }

  shuttle(step: -1 | 0 | 1): void {
    const speed = shuttled(this.mode === "off" ? 0 : this.plan.speed, step);
    if (speed === 0) this.stop();
    else if (speed < 0) this.reverse(speed);
    else if (this.mode === "on" || this.mode === "held") {
      this.plan = { ...this.plan, speed };
      this.disarm();
      this.active.hurry(speed);
      this.desk.play(true, speed);
    } else this.start(this.ahead(), { speed, back: null, kind: "edit" });
  }

  step(by: number, unit: "frame" | "second" | "word"): void {
    this.stop();
    const rate = this.rate(this.mine.take);
    let frames = by;
    if (unit === "second") frames = frameOf(by, rate);
    if (unit === "word") {
      const words = this.desk.words(this.mine.take);
      const to = words && nextWord(words, rate, this.mine.frame, by);
      frames = to === undefined ? 0 : to - this.mine.frame;
    }
    const place = stepped(this.desk.board, this.mine, frames);
    this.put(place);
    this.stand(place);
  }

  stop(): void {
    if (this.mode === "off") return;
    const { kind, back } = this.plan;
    this.halt();
    if (kind === "trial" && back) this.put(back);
    this.stand(this.mine);
  }

  destroy(): void {
    this.disarm();
    window.clearInterval(this.watch);
    this.mode = "off";
    for (const off of this.off) off();
    this.active.destroy();
    this.idle.destroy();
    this.posters.destroy();
    this.clips.destroy();
    this.note.remove();
    this.box.classList.remove("cb-screen");
  }

  private rate(take: string): Rate {
    return this.desk.board.takes[take]?.rate ?? [25, 1];
  }

  /** What is played from the playhead; from the film's last frame on, the film again. */
  private ahead(): Run[] {
    const { board } = this.desk;
    const list = editFrom(board, this.mine);
    const only = list[0];
    const first = board.ranges.find((range) => range.status !== "rejected");
    if (list.length > 1 || !only || only.frames[1] - only.frames[0] > 1 || !first) return list;
    return editFrom(board, { range: first.id, take: first.take, frame: first.frames[0] });
  }

  private start(list: Run[], plan: Plan): void {
    this.halt(false);
    this.list = broken(list, (take) => this.clips.breaks(take), this.desk.board.takes);
    this.at = 0;
    const run = this.list[0];
    if (!run || !this.desk.visible) {
      this.desk.play(false, 1);
      return;
    }
    this.device.claim(this.halted);
    this.plan = plan;
    this.mode = "held";
    this.desk.play(true, plan.speed);
    this.put(placeAt(run, run.frames[0]));
    this.bring(run.take, run.frames[0]);
    this.wake();
    this.settle();
  }

  /** Opens the sound's device, which what is to be played waits for. */
  private wake(): void {
    if (this.device.running) {
      void this.device.wake();
      this.wire();
      return;
    }
    if (this.waking) return;
    this.waking = true;
    void this.device.wake().then(() => {
      this.waking = false;
      this.wire();
      this.settle();
    });
  }

  private wire(): void {
    this.active.sound.wire();
    this.idle.sound.wire();
  }

  /** Puts a frame on the screen, from the idle deck where that stands on it. */
  private bring(take: string, frame: number): void {
    const on = (deck: Deck) => deck.take === take && deck.frame === frame && !deck.playing;
    if (on(this.active) && this.active.ready) return;
    if (on(this.idle) && this.idle.ready) this.swap();
    else if (!on(this.active)) this.active.cue(take, frame);
    else this.active.look();
  }

  private swap(): void {
    const old = this.active;
    this.active = this.idle;
    this.idle = old;
    this.active.show(true);
    old.show(false);
    old.sound.on = false;
    old.pause();
  }

  /** Stands still at a place, the idle deck on what plays after it. */
  private stand(place: Place): void {
    if (!place.take) return;
    this.bring(place.take, place.frame);
    this.settle();
  }

  /** Goes on with what was waited for. */
  private settle(): void {
    this.tell();
    if (this.mode === "held" && !this.waking) {
      const run = this.list[this.at];
      if (!run) return;
      const on = (deck: Deck) => deck.take === run.take && deck.frame === run.frames[0] && deck.ready;
      if (on(this.active) && !this.active.playing) this.roll();
      else if (on(this.idle)) {
        this.swap();
        this.roll();
      }
    } else if (this.mode === "off" && this.active.ready) {
      this.wait(editFrom(this.desk.board, this.mine)[1]);
    }
  }

  private roll(): void {
    const run = this.list[this.at];
    if (!run) return;
    this.mode = "on";
    this.active.sound.on = !this.blocked;
    this.active
      .play(this.plan.speed, (mediaTime, after) => this.shown(mediaTime, after))
      .catch((error: unknown) => {
        if (!(error instanceof DOMException) || error.name !== "NotAllowedError" || this.blocked) return;
        this.blocked = true;
        this.say("The browser plays no sound until you click here");
        if (this.mode === "on") this.roll();
      });
    this.put(placeAt(run, run.frames[0]));
    this.wait(this.list[this.at + 1]);
    window.clearInterval(this.watch);
    this.watch = window.setInterval(() => this.overrun(), WATCH);
  }

  /** Cues the idle deck on a run's first frame. */
  private wait(run: Run | undefined): void {
    if (!run) return;
    if (this.idle.take !== run.take || this.idle.frame !== run.frames[0])
      this.idle.cue(run.take, run.frames[0]);
  }

  private shown(mediaTime: number, after: number): void {
    const run = this.list[this.at];
    if (this.mode !== "on" || !run) return;
    const rate = this.rate(run.take);
    const frame = frameOf(mediaTime, rate);
    if (frame >= run.frames[1]) {
      this.next();
      return;
    }
    const left = untilSwitch(mediaTime, run.frames[1], rate, this.plan.speed, after);
    if (left !== null && !this.armed) {
      if (left < SOON) {
        this.next();
        return;
      }
      this.armed = window.setTimeout(() => this.next(), left - SOON / 2);
    }
    const place = placeAt(run, frame);
    if (place.frame !== this.mine.frame || place.range !== this.mine.range) this.put(place);
  }

  /** Goes over to the next run. */
  private next(): void {
    this.disarm();
    const run = this.list[this.at + 1];
    if (!run) {
      this.finish();
      return;
    }
    this.at += 1;
    const { idle } = this;
    if (idle.take === run.take && idle.frame === run.frames[0] && idle.ready) {
      this.swap();
      this.roll();
      return;
    }
    this.mode = "held";
    this.active.sound.on = false;
    this.active.pause();
    if (idle.take !== run.take || idle.frame !== run.frames[0]) idle.cue(run.take, run.frames[0]);
    this.put(placeAt(run, run.frames[0]));
  }

  private finish(): void {
    const run = this.list[this.at];
    const { back } = this.plan;
    this.halt();
    if (back) this.put(back);
    else if (run) this.put(placeAt(run, run.frames[1] - 1));
    this.stand(this.mine);
  }

  private halt(tell = true): void {
    this.disarm();
    window.clearInterval(this.watch);
    const was = this.mode;
    this.mode = "off";
    this.plan = { speed: 1, back: null, kind: "edit" };
    this.active.sound.on = false;
    this.active.pause();
    if (was !== "off") this.device.sleep();
    if (tell && was !== "off") this.desk.play(false, 1);
  }

  private disarm(): void {
    window.clearTimeout(this.armed);
    this.armed = 0;
  }

  /** Sees to it that a run ends where no picture tells of it: at the end of a file, or out of sight. */
  private overrun(): void {
    const run = this.list[this.at];
    if (this.mode !== "on" || !run || this.armed) return;
    const over = this.active.time - seconds(run.frames[1], this.rate(run.take));
    if (over > 0 || (!this.active.still && this.active.video.ended)) this.next();
  }

  private reverse(speed: number): void {
    if (this.mode === "back") this.turned = { at: performance.now(), from: this.passed() };
    else {
      const from = this.mine;
      this.halt(false);
      this.list = broken(
        editBefore(this.desk.board, from),
        (take) => this.clips.breaks(take),
        this.desk.board.takes,
      );
      this.at = this.list.length - 1;
      this.turned = { at: performance.now(), from: 0 };
      this.mode = "back";
      requestAnimationFrame(() => this.back());
    }
    this.plan = { speed, back: null, kind: "edit" };
    this.desk.play(true, speed);
  }

  private passed(): number {
    return this.turned.from + ((performance.now() - this.turned.at) / 1000) * Math.abs(this.plan.speed);
  }

  private back(): void {
    if (this.mode !== "back") return;
    const found = backwards(this.list, this.passed(), this.desk.board.takes);
    const first = this.list[0];
    if (!found) {
      this.halt();
      if (first) this.put(placeAt(first, first.frames[0]));
      this.stand(this.mine);
      return;
    }
    const { run, place } = found;
    if (run !== this.at) {
      this.at = run;
      if (this.idle.take === place.take && this.idle.ready) this.swap();
    }
    if (this.active.ready && this.active.frame !== place.frame) this.active.cue(place.take, place.frame);
    else if (this.active.take !== place.take) this.active.cue(place.take, place.frame);
    const before = this.list[run - 1];
    if (before && (this.idle.take !== before.take || this.idle.frame !== before.frames[1] - 1)) {
      this.idle.cue(before.take, before.frames[1] - 1);
    }
    if (place.frame !== this.mine.frame || place.range !== this.mine.range) this.put(place);
    requestAnimationFrame(() => this.back());
  }

  private put(place: Place): void {
    this.mine = place;
    this.putting = true;
    this.desk.go({ ...(place.range && { range: place.range }), take: place.take, frame: place.frame });
    this.putting = false;
    const { range, take, frame } = this.desk.playhead;
    this.mine = { range, take, frame };
  }

  /** Follows a playhead that others moved. */
  private follow(): void {
    const { range, take, frame } = this.desk.playhead;
    const { mine } = this;
    if (this.putting) return;
    if (range === mine.range && take === mine.take && frame === mine.frame) return;
    this.mine = { range, take, frame };
    const going = this.mode === "on" || this.mode === "held";
    if (going && this.plan.kind === "edit") {
      this.start(this.ahead(), this.plan);
      return;
    }
    if (this.mode !== "off") this.halt();
    this.stand(this.mine);
  }

  /** Follows a change of the cut list. */
  private change(): void {
    if (this.plan.kind !== "edit" || this.mode === "back") return;
    if (this.mode === "off") {
      this.settle();
      return;
    }
    const { board } = this.desk;
    const at = board.ranges.findIndex((range) => range.id === this.mine.range);
    const here = board.ranges[at];
    const passed = here && here.take === this.mine.take && this.mine.frame >= here.frames[1];
    const following = board.ranges.slice(at + 1).find((range) => range.status !== "rejected");
    if (passed && following) {
      this.start(
        editFrom(board, { range: following.id, take: following.take, frame: following.frames[0] }),
        this.plan,
      );
      return;
    }
    this.list = broken(editFrom(board, this.mine), (take) => this.clips.breaks(take), board.takes);
    this.at = 0;
    this.disarm();
    this.wait(this.list[1]);
  }

  /** Looks again at what can be played, after news of it. */
  private look(): void {
    for (const deck of [this.active, this.idle]) if (!deck.playing) deck.look();
    const { take, frame } = this.mine;
    const came = this.active.playing && this.active.still;
    if (
      came &&
      this.clips.find(take, seconds(frame, this.rate(take))).state === "ready" &&
      this.plan.kind === "edit"
    ) {
      this.start(this.ahead(), this.plan);
    } else this.settle();
  }

  private tell(): void {
    // What is held is waited for on the idle deck.
    const run = this.mode === "held" ? this.list[this.at] : undefined;
    const behind =
      run && this.active.frame < 0 && this.idle.take === run.take && this.idle.frame === run.frames[0];
    const { found } = behind ? this.idle : this.active;
    if (found.state === "none")
      this.say(found.said ? `Single pictures, no sound: ${found.said}` : "Single pictures, no sound");
    else if (found.state === "wait") this.say(found.said);
    else if (!this.blocked) this.say("");
  }

  private say(text: string): void {
    if (this.note.textContent !== text) this.note.textContent = text;
    this.note.hidden = text === "";
  }
}
