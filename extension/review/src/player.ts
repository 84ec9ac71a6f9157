/** Plays the edit without rendering it: two decks take turns, the idle one waits on the next run's first frame. */
import { Pair } from "./pair";
import {
  ahead,
  around,
  broken,
  editBefore,
  editFrom,
  frameOf,
  needed,
  overtaken,
  type Place,
  placeAt,
  type Run,
  shuttled,
  soundEdge,
  stepped,
  strayed,
  untilSwitch,
} from "./playlist";
import { Rewind } from "./rewind";
import { seconds } from "./time";
import { type Edge, Turn } from "./turn";
import type { Board, Desk, Frames, Player, Rate } from "./types";
import { framesOf } from "./wordtimes";

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
/** Takes that are asked for ahead. */
const AHEAD = 3;
/** Milliseconds between looks at whether a run was overrun while no picture told so. */
const WATCH = 200;

export function createPlayer(desk: Desk, box: HTMLElement): Player {
  return new Screen(desk, box);
}

class Screen implements Player {
  private readonly pair: Pair;
  private mode: Mode = "off";
  private list: Run[] = [];
  private at = 0;
  private plan: Plan = { speed: 1, back: null, kind: "edit" };
  private mine: Place;
  /** The cut list before its last change. */
  private before: Board;
  private armed = 0;
  private readonly turn: Turn;
  private watch = 0;
  private putting = false;
  private readonly halted = () => this.stop();
  private rewind: Rewind | null = null;
  private readonly off: (() => void)[];

  constructor(
    private readonly desk: Desk,
    box: HTMLElement,
  ) {
    this.pair = new Pair(desk, box, { news: () => this.look(), settled: () => this.settle() });
    this.turn = new Turn(this.pair, {
      edge: (next) => this.edge(next),
      rate: (take) => this.rate(take),
      free: () => this.wait(this.list[this.at + 1]),
    });
    this.mine = desk.playhead;
    this.before = desk.board;
    this.off = [
      desk.on("playhead", () => this.follow()),
      desk.on("board", () => this.change()),
      desk.on("visible", () => hidden()),
    ];
    const hidden = () => {
      if (document.hidden || !desk.visible) this.stop();
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
    if (this.mode !== "off") this.stop();
    else this.start(ahead(this.desk.board, this.mine), { speed: 1, back: null, kind: "edit" });
  }

  around({ without, out = false }: { without: boolean; out?: boolean }): void {
    const back = this.plan.kind === "piece" && this.plan.back ? this.plan.back : this.mine;
    this.start(around(this.desk.board, back.range, { without, out }), { speed: 1, back, kind: "piece" });
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
      this.turn.end();
      this.plan = { ...this.plan, speed };
      this.disarm();
      this.pair.active.hurry(speed);
      this.desk.play(true, speed);
    } else this.start(ahead(this.desk.board, this.mine), { speed, back: null, kind: "edit" });
  }

  step(by: number, unit: "frame" | "second" | "word"): void {
    this.stop();
    const from = this.mine;
    const far = framesOf(by, unit, from.frame, this.rate(from.take), this.desk.words(from.take));
    this.put(stepped(this.desk.board, from, far));
    this.stand(this.mine);
    const said = strayed(this.desk.board, from, this.mine);
    if (said) this.desk.say(said);
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
    this.turn.drop(true);
    window.clearInterval(this.watch);
    this.rewind?.stop();
    this.mode = "off";
    for (const off of this.off) off();
    this.pair.destroy();
  }

  private rate(take: string): Rate {
    return this.desk.board.takes[take]?.rate ?? [25, 1];
  }

  private start(list: Run[], plan: Plan): void {
    this.halt(false);
    this.list = this.broken(list);
    this.at = 0;
    const run = this.list[0];
    if (!run || !this.desk.visible) {
      this.desk.play(false, 1);
      return;
    }
    this.pair.device.claim(this.halted);
    this.plan = plan;
    this.desk.trial = (plan.kind === "trial" && list[0]) || null;
    this.mode = "held";
    this.desk.play(true, plan.speed);
    this.put(placeAt(run, run.frames[0]));
    this.pair.bring(run.take, run.frames[0]);
    this.pair.wake();
    this.settle();
  }

  /** Stands still at a place, the idle deck on what plays after it. */
  private stand(place: Place): void {
    if (!place.take) {
      this.pair.clear();
      return;
    }
    this.need();
    this.pair.bring(place.take, place.frame);
    this.settle();
  }

  /** Goes on with what was waited for. */
  private settle(): void {
    this.tell();
    const { pair } = this;
    if (this.mode === "held" && !pair.waking) {
      const run = this.list[this.at];
      if (!run) return;
      const { take, frames } = run;
      if (pair.awaits(take, frames[0])) pair.swap();
      if (pair.active.take === take && pair.active.frame === frames[0] && pair.active.ready) this.roll();
    } else if (this.mode === "off" && pair.active.ready) this.wait(editFrom(this.desk.board, this.mine)[1]);
  }

  private roll(lag = 0): void {
    const run = this.list[this.at];
    if (!run) return;
    this.mode = "on";
    if (!lag) this.pair.active.sound.on = !this.pair.blocked;
    this.pair.active
      .play(this.plan.speed, (mediaTime, after) => this.shown(mediaTime, after))
      .catch((error: unknown) => {
        if (!(error instanceof DOMException) || error.name !== "NotAllowedError" || this.pair.blocked) return;
        this.pair.blocked = true;
        this.pair.say("The browser plays no sound until you click here");
        if (this.mode === "on") this.roll();
      });
    this.put(placeAt(run, run.frames[0]));
    this.need();
    if (lag) this.turn.lag(lag);
    else this.wait(this.list[this.at + 1]);
    window.clearInterval(this.watch);
    this.watch = window.setInterval(() => this.overrun(), WATCH);
  }

  /** Cues the idle deck on where a run begins to be seen or heard. */
  private wait(run: Run | undefined): void {
    if (run && !this.turn.sounding) this.pair.send(run.take, this.turn.first(run));
  }

  /** How the sound changes over to the run that comes next; at other speeds than one with the picture. */
  private edge(next: Run | undefined): Edge {
    const { active, idle } = this.pair;
    const plain = this.mode !== "on" || this.plan.speed !== 1 || active.still || idle.still;
    const run = next && next === this.list[this.at + 1] ? this.list[this.at] : undefined;
    return plain || !run || !next ? { lead: 0, lag: 0 } : soundEdge(this.desk.board, run, next);
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
    const next = this.list[this.at + 1];
    if (next) this.turn.lead(next, seconds(run.frames[1], rate) - mediaTime);
    this.move(placeAt(run, frame));
  }

  /** Goes over to the next run. */
  private next(): void {
    const run = this.list[this.at + 1];
    const { lead, lag } = this.edge(run);
    const led = lead > 0 && this.turn.sounding;
    if (!led) this.turn.end();
    this.disarm();
    if (!run) {
      this.finish();
      return;
    }
    this.at += 1;
    if (led || this.pair.awaits(run.take, run.frames[0])) {
      this.turn.drop(false);
      this.pair.swap(lag > 0);
      this.roll(lag);
      return;
    }
    this.mode = "held";
    this.pair.hold();
    this.wait(run);
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
    this.rewind?.stop();
    this.rewind = null;
    this.mode = "off";
    this.plan = { speed: 1, back: null, kind: "edit" };
    this.desk.trial = null;
    this.turn.drop(true);
    this.pair.hold();
    if (was !== "off") this.pair.device.sleep();
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
    const over = this.pair.active.time - seconds(run.frames[1], this.rate(run.take));
    if (over > 0 || (!this.pair.active.still && this.pair.active.video.ended)) this.next();
  }

  private reverse(speed: number): void {
    if (this.rewind) this.rewind.hurry(speed);
    else {
      const { board } = this.desk;
      this.halt(false);
      const list = this.broken(editBefore(board, this.mine));
      const first = list[0];
      this.mode = "back";
      const over = () => {
        this.halt();
        if (first) this.put(placeAt(first, first.frames[0]));
        this.stand(this.mine);
      };
      const put = (place: Place) => this.move(place);
      this.rewind = new Rewind(this.pair, list, board.takes, speed, { put, over });
    }
    this.plan = { speed, back: null, kind: "edit" };
    this.desk.play(true, speed);
  }

  private readonly need = () => this.pair.clips.need(needed(this.desk.board, this.mine, AHEAD));

  private broken(list: readonly Run[]): Run[] {
    return broken(list, (take) => this.pair.clips.breaks(take), this.desk.board.takes);
  }

  /** Moves the playhead where it is not there yet. */
  private move(place: Place): void {
    if (place.frame !== this.mine.frame || place.range !== this.mine.range) this.put(place);
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
    if (take && (this.mode === "on" || this.mode === "held") && this.plan.kind === "edit") {
      this.start(ahead(this.desk.board, this.mine), this.plan);
      return;
    }
    if (this.mode !== "off") this.halt();
    this.stand(this.mine);
  }

  /** Follows a change of the cut list. */
  private change(): void {
    const [before, { board }] = [this.before, this.desk];
    this.before = board;
    if (this.plan.kind !== "edit" || this.mode === "back") return;
    if (this.mode === "off") {
      this.settle();
      return;
    }
    const rest = overtaken(board, this.mine, before);
    if (rest) {
      this.start(rest, this.plan);
      return;
    }
    this.list = this.broken(editFrom(board, this.mine));
    this.at = 0;
    this.turn.end();
    this.disarm();
    this.wait(this.list[1]);
  }

  /** Looks again at what can be played, after news of it. */
  private look(): void {
    this.need();
    for (const deck of [this.pair.active, this.pair.idle]) if (!deck.playing) deck.look();
    if (this.pair.active.came() && this.plan.kind === "edit") {
      this.start(editFrom(this.desk.board, this.mine), this.plan);
    } else this.settle();
  }

  private tell(): void {
    const { active, idle } = this.pair;
    // What is held is waited for on the idle deck.
    const run = this.mode === "held" && active.frame < 0 ? this.list[this.at] : undefined;
    const behind = run?.take === idle.take && run?.frames[0] === idle.frame;
    this.pair.tell(behind ? idle : active);
  }
}
