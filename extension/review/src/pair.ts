/** The two decks on the screen: the active one is seen and heard, the idle one waits where it will be needed. */
import { Clips } from "./clips";
import { Deck } from "./deck";
import { Posters } from "./posters";
import { pageSound } from "./sound";
import type { Desk } from "./types";

const stands = (deck: Deck, take: string, frame: number): boolean =>
  deck.take === take && deck.frame === frame && !deck.playing;

export class Pair {
  readonly clips: Clips;
  readonly device = pageSound();
  active: Deck;
  idle: Deck;
  /** Whether the sound's device is being opened. */
  waking = false;
  /** Whether the browser plays no sound before the person has pressed something. */
  blocked = false;
  private readonly posters: Posters;
  private readonly note = document.createElement("div");

  constructor(
    desk: Desk,
    private readonly box: HTMLElement,
    /** Told when there is news of what can be played, and when a deck may have come to where it was sent. */
    private readonly on: { news: () => void; settled: () => void },
  ) {
    this.clips = new Clips(desk, () => this.on.news());
    this.posters = new Posters(desk);
    const deck = () => new Deck(desk, this.clips, this.posters, () => this.on.settled());
    this.active = deck();
    this.idle = deck();
    this.active.show(true);
    this.note.className = "cb-note";
    this.note.hidden = true;
    box.classList.add("cb-screen");
    box.append(this.active.box, this.idle.box, this.note);
  }

  /** Puts a frame on the screen, from the idle deck where that stands on it. */
  bring(take: string, frame: number): void {
    if (stands(this.active, take, frame) && this.active.ready) return;
    if (this.awaits(take, frame)) this.swap();
    else if (!stands(this.active, take, frame)) this.active.cue(take, frame);
    else this.active.look();
  }

  /** Whether the idle deck stands on a frame, so that it can be shown at once. */
  awaits(take: string, frame: number): boolean {
    return stands(this.idle, take, frame) && this.idle.ready;
  }

  /** Sends the idle deck to a frame. */
  send(take: string, frame: number): void {
    if (!stands(this.idle, take, frame)) this.idle.cue(take, frame);
  }

  /** Shows nothing. */
  clear(): void {
    this.active.clear();
    this.idle.clear();
    this.say("");
  }

  /** Shows the idle deck; with `sounding` the old one is heard on, and the new one not yet. */
  swap(sounding = false): void {
    const old = this.active;
    this.active = this.idle;
    this.idle = old;
    this.active.show(true);
    old.show(false);
    if (sounding) old.unseen();
    else this.hush();
  }

  /** Lets the idle deck be heard in the place of the active one, which is still seen. */
  lead(): void {
    const { idle, active } = this;
    idle.sound.on = !this.blocked;
    active.sound.on = false;
    idle.play(1, () => {}).catch(() => {});
  }

  /** Stops the idle deck, where it is heard. */
  hush(): void {
    this.idle.sound.on = false;
    this.idle.pause();
  }

  /** Stops the active deck, its picture staying. */
  hold(): void {
    this.active.sound.on = false;
    this.active.pause();
  }

  /** Opens the sound's device; until it is open, `waking` is true. */
  wake(): void {
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
      this.on.settled();
    });
  }

  say(text: string): void {
    if (this.note.textContent !== text) this.note.textContent = text;
    this.note.hidden = text === "";
  }

  /** Says what there is to say of a deck: how far its take is, or why it has no more than single pictures. */
  tell({ found }: Deck): void {
    if (found.state === "none") {
      this.say(found.said ? `Single pictures, no sound: ${found.said}` : "Single pictures, no sound");
    } else if (found.state === "wait") this.say(found.said);
    else if (!this.blocked) this.say("");
  }

  destroy(): void {
    this.active.destroy();
    this.idle.destroy();
    this.posters.destroy();
    this.clips.destroy();
    this.note.remove();
    this.box.classList.remove("cb-screen");
  }

  private wire(): void {
    this.active.sound.wire();
    this.idle.sound.wire();
  }
}
