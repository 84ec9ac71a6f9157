/** Playing backwards: by seeking, picture after picture, without sound. */
import type { Pair } from "./pair";
import { backwards, type Place, type Run } from "./playlist";
import type { Board } from "./types";

export class Rewind {
  private began = performance.now();
  private from = 0;
  private at: number;
  private gone = false;

  constructor(
    private readonly pair: Pair,
    private readonly list: readonly Run[],
    private readonly takes: Board["takes"],
    private speed: number,
    /** Told each place, and when the beginning is passed. */
    private readonly tell: { put: (place: Place) => void; over: () => void },
  ) {
    this.at = list.length - 1;
    requestAnimationFrame(() => this.step());
  }

  /** Goes on at another speed. */
  hurry(speed: number): void {
    this.from = this.passed();
    this.began = performance.now();
    this.speed = speed;
  }

  stop(): void {
    this.gone = true;
  }

  private passed(): number {
    return this.from + ((performance.now() - this.began) / 1000) * Math.abs(this.speed);
  }

  private step(): void {
    if (this.gone) return;
    const found = backwards(this.list, this.passed(), this.takes);
    if (!found) {
      this.tell.over();
      return;
    }
    const { run, place } = found;
    const { pair } = this;
    if (run !== this.at) {
      this.at = run;
      if (pair.idle.take === place.take && pair.idle.ready) pair.swap();
    }
    const { active } = pair;
    const other = active.take !== place.take;
    if (other || (active.ready && active.frame !== place.frame)) active.cue(place.take, place.frame);
    const before = this.list[run - 1];
    if (before) pair.send(before.take, before.frames[1] - 1);
    this.tell.put(place);
    requestAnimationFrame(() => this.step());
  }
}
