/** One of the two players behind the screen: a video, or single pictures where there is none to play. */
import type { Clips, Found, Source } from "./clips";
import { seekTime } from "./playlist";
import type { Posters } from "./posters";
import { Sound } from "./sound";
import { frameAt, seconds } from "./time";
import type { Desk, Rate } from "./types";

/** Tells of a picture: its frame's time in the take, and the milliseconds until it is on the screen. */
export type Shown = (mediaTime: number, after: number) => void;

/** Milliseconds between single pictures. */
const STILLS = 100;
/** Milliseconds after which single pictures stand for a video that does not come. */
const PATIENCE = 2000;

export class Deck {
  readonly box = document.createElement("div");
  readonly video = document.createElement("video");
  readonly picture = document.createElement("img");
  readonly sound = new Sound(this.video);
  take = "";
  frame = -1;
  found: Found = { state: "wait", said: "" };
  playing = false;
  /** Whether single pictures stand for the video: there is none, or not yet. */
  still = false;
  private late = false;
  private waits = 0;
  private source: Source | null = null;
  private aim: number | null = null;
  private turn = 0;
  private timer = 0;
  private began = { at: 0, time: 0, speed: 1 };

  constructor(
    private readonly desk: Desk,
    private readonly clips: Clips,
    private readonly posters: Posters,
    /** Called when what was cued may have come. */
    private readonly changed: () => void,
  ) {
    this.box.className = "cb-deck";
    this.video.preload = "auto";
    this.video.playsInline = true;
    this.video.muted = true;
    this.video.disablePictureInPicture = true;
    this.video.tabIndex = -1;
    this.picture.alt = "";
    this.box.append(this.video, this.picture);
    for (const what of ["seeked", "loadeddata", "canplay"])
      this.video.addEventListener(what, () => this.settle());
    this.video.addEventListener("error", () => {
      if (!this.source || !this.video.getAttribute("src")) return;
      const failed = this.source;
      this.unload();
      this.clips.failed(this.take, failed);
    });
  }

  private get rate(): Rate {
    return this.desk.board.takes[this.take]?.rate ?? [25, 1];
  }

  /** Whether the frame that was cued is on the element, so that it can be shown and played at once. */
  get ready(): boolean {
    if (!this.take || this.frame < 0) return false;
    if (this.still) return true;
    return this.source !== null && this.aim === null && this.video.readyState >= 2 && !this.video.seeking;
  }

  /** The time of the take at which it stands. */
  get time(): number {
    if (this.still) {
      const { at, time, speed } = this.began;
      return this.playing ? time + ((performance.now() - at) / 1000) * speed : seconds(this.frame, this.rate);
    }
    return this.video.currentTime + (this.source?.from ?? 0);
  }

  /** Goes to a frame of a take, and stands there. */
  cue(take: string, frame: number): void {
    this.pause();
    if (take !== this.take) {
      this.patient();
      // Rather none than one of another take.
      this.picture.removeAttribute("src");
    }
    this.take = take;
    this.frame = frame;
    this.look();
  }

  /** Looks again for what there is to play, after news of it. */
  look(): void {
    if (!this.take || this.frame < 0) return;
    const { take, frame } = this;
    this.found = this.clips.find(take, seconds(frame, this.rate));
    if (this.found.state !== "ready") {
      if (this.found.state === "wait" && !this.found.long) this.hope();
      this.still = this.found.state === "none" || this.found.long === true || this.late;
      this.box.classList.add("cb-still");
      this.unload();
      this.posters.show(this, take, frame, (url) => {
        if (this.take === take && this.found.state !== "ready") this.picture.src = url;
      });
      this.changed();
      return;
    }
    this.patient();
    this.still = false;
    const { source } = this.found;
    if (this.source?.url !== source.url) {
      this.source = source;
      this.video.src = source.url;
      this.aim = null;
    }
    if (this.playing) return;
    const to = Math.max(0, seekTime(frame, this.rate) - source.from);
    if (this.video.seeking) this.aim = to;
    else this.seek(to);
  }

  /** Hears how far the video is that single pictures stand for while they play; whether it is there. */
  came(): boolean {
    if (!this.playing || !this.still) return false;
    const found = this.clips.find(this.take, this.time);
    if (found.state === "ready") return true;
    this.found = found;
    return false;
  }

  /** Plays from where it stands; `shown` is called for each picture until the next cue or pause. */
  play(speed: number, shown: Shown): Promise<void> {
    const turn = ++this.turn;
    this.playing = true;
    if (this.still) {
      this.began = { at: performance.now(), time: seconds(this.frame, this.rate), speed };
      const tick = () => {
        shown(seconds(frameAt(this.time, this.rate), this.rate), 0);
        if (this.turn !== turn) return;
        const frame = frameAt(this.time, this.rate);
        this.posters.show(this, this.take, frame, (url) => {
          if (this.turn === turn) this.picture.src = url;
        });
      };
      this.timer = window.setInterval(tick, STILLS);
      return Promise.resolve();
    }
    this.video.playbackRate = speed;
    const from = this.source?.from ?? 0;
    const { video } = this;
    if (!("requestVideoFrameCallback" in video)) {
      const look = () => {
        if (this.turn !== turn) return;
        shown(seconds(frameAt(this.time, this.rate), this.rate), 0);
        if (this.turn === turn) requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
      return (video as HTMLVideoElement).play();
    }
    const next = (now: number, { mediaTime, expectedDisplayTime }: VideoFrameCallbackMetadata) => {
      if (this.turn !== turn) return;
      shown(mediaTime + from, expectedDisplayTime - Math.max(now, performance.now()));
      if (this.turn === turn) video.requestVideoFrameCallback(next);
    };
    video.requestVideoFrameCallback(next);
    return this.video.play();
  }

  /** Plays on at another speed. */
  hurry(speed: number): void {
    this.began = { at: performance.now(), time: this.time, speed };
    this.video.playbackRate = speed;
  }

  /** Plays on, but tells of no picture any longer. */
  unseen(): void {
    this.turn += 1;
  }

  pause(): void {
    this.turn += 1;
    // It stands somewhere behind the frame that was cued.
    if (this.playing) this.frame = -1;
    this.playing = false;
    window.clearInterval(this.timer);
    if (!this.video.paused) this.video.pause();
  }

  /** Shows it on the screen, or hides it. */
  show(on: boolean): void {
    this.box.classList.toggle("cb-on", on);
  }

  /** Shows nothing. */
  clear(): void {
    this.pause();
    this.patient();
    this.unload();
    this.take = "";
    this.frame = -1;
    this.picture.removeAttribute("src");
  }

  destroy(): void {
    this.clear();
    this.sound.destroy();
    this.box.remove();
  }

  private seek(to: number): void {
    this.aim = null;
    if (Math.abs(this.video.currentTime - to) > 1e-4) this.video.currentTime = to;
    else this.settle();
  }

  /** Waits a while for a video that should soon be there. */
  private hope(): void {
    this.waits ||= window.setTimeout(() => {
      this.late = true;
      this.look();
    }, PATIENCE);
  }

  private patient(): void {
    window.clearTimeout(this.waits);
    this.waits = 0;
    this.late = false;
  }

  private settle(): void {
    // The single picture stays until there is another.
    if (this.ready && !this.still) this.box.classList.remove("cb-still");
    if (this.aim !== null && !this.video.seeking) this.seek(this.aim);
    else this.changed();
  }

  private unload(): void {
    this.source = null;
    this.aim = null;
    if (this.video.getAttribute("src")) {
      this.video.removeAttribute("src");
      this.video.load();
    }
  }
}
