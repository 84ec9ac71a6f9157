/** The sound's own way over a cut: before its picture in a J cut, after it in an L cut. */
import type { Pair } from "./pair";
import type { Run } from "./playlist";
import type { Rate } from "./types";

export interface Edge {
  /** Seconds by which the next run's sound begins before its picture. */
  readonly lead: number;
  /** Seconds by which the last run's sound goes on after its picture. */
  readonly lag: number;
}

/** Seconds before it is due in which a change of the sound is set. */
const SET = 0.1;

export class Turn {
  /** Whether the idle deck is heard. */
  sounding = false;
  private timer = 0;

  constructor(
    private readonly pair: Pair,
    /** Asked how the sound changes over, and how fast a take runs; told when the idle deck is free again. */
    private readonly on: { edge: (next: Run) => Edge; rate: (take: string) => Rate; free: () => void },
  ) {}

  /** The frame on which the idle deck waits for a run: its first, or where its sound begins before that. */
  first(run: Run): number {
    const rate = this.on.rate(run.take);
    return Math.max(0, run.frames[0] - Math.round((this.on.edge(run).lead * rate[0]) / rate[1]));
  }

  /** Begins the next run's sound before its picture, which comes in `left` seconds. */
  lead(next: Run, left: number): void {
    const { lead } = this.on.edge(next);
    if (!lead || this.sounding || this.timer || left > lead + SET) return;
    const begin = () => {
      this.timer = 0;
      if (!this.pair.awaits(next.take, this.first(next))) return;
      this.sounding = true;
      this.pair.lead();
    };
    this.timer = window.setTimeout(begin, Math.max(0, left - lead) * 1000);
  }

  /** Lets the idle deck be heard for so many seconds more. */
  lag(length: number): void {
    this.sounding = true;
    this.timer = window.setTimeout(() => this.end(), length * 1000);
  }

  /** Gives the sound to the picture that is seen. */
  end(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    if (!this.sounding) return;
    this.sounding = false;
    this.pair.hush();
    this.pair.active.sound.on = !this.pair.blocked;
    this.on.free();
  }

  /** Forgets of it when all is to be silent, or the decks have changed places. */
  drop(silent: boolean): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    if (silent && this.sounding) this.pair.hush();
    this.sounding = false;
  }
}
