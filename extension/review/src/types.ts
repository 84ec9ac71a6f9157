/**
 * What kernel and view say to one another, and what the view's parts ask of one another.
 *
 * Times are frames on a take's own grid (`rate` frames a second, `[numerator, denominator]`), half-open; word numbers
 * count from 1 over all words and events of a take, as in `takes_packed.md`.
 */

export type Status = "undecided" | "accepted" | "rejected";
export type Rate = readonly [numerator: number, denominator: number];
export type Frames = readonly [first: number, end: number];

export interface Take {
  readonly name: string;
  readonly rate: Rate;
  readonly frames: number;
  readonly picture: boolean;
  readonly sound: boolean;
  readonly size: readonly [width: number, height: number];
  /** The number of the take's words and events, 0 without a transcript. */
  readonly words: number;
  /** What changes when the take's file or words do. */
  readonly stamp: string;
}

export interface Range {
  readonly id: string;
  readonly take: string;
  readonly frames: Frames;
  readonly words: readonly [first: number, last: number] | null;
  readonly beat: string;
  readonly quote: string;
  /** Why it is in the cut list, as its line says. */
  readonly reason: string;
  /** Why it was decided on as it is. */
  readonly why: string;
  readonly status: Status;
  readonly by: string;
  /** Why its take is not the file that was cut, empty where it is. */
  readonly problem: string;
  /** Seconds of sound before its picture (J cut) and after it (L cut); frames of dissolve into it. */
  readonly lead: number;
  readonly lag: number;
  readonly dissolve: number;
}

export interface Board {
  /** The number of changes that lead to this. */
  readonly version: number;
  /** The number of the version of the cut list, as `%edl history` counts. */
  readonly number: number;
  readonly title: string;
  /** The length that is wanted of the film in seconds, where it is known. */
  readonly wanted: number | null;
  /** Why nothing can be changed, empty where it can. */
  readonly locked: string;
  readonly takes: Readonly<Record<string, Take>>;
  readonly ranges: readonly Range[];
  readonly undo: boolean;
  readonly redo: boolean;
  /** Plain words about the cut list as a whole: its film's values, music, overlays, problems. */
  readonly film: string;
}

/** Columns of a take's words, all of one length. Times are milliseconds of take time. */
export interface Words {
  readonly take: string;
  readonly number: readonly number[];
  readonly text: readonly string[];
  readonly start: readonly number[];
  readonly end: readonly number[];
  /** 0 a word, 1 a filler, 2 an event such as (laughter). */
  readonly kind: readonly number[];
  /** Whether the word is written without a space before it (Chinese, Japanese, Thai, punctuation). */
  readonly joined: readonly number[];
  /** Places (from 0) at which a paragraph begins, the first always 0 where there are words. */
  readonly paragraphs: readonly number[];
  /** The speaker of each paragraph, empty where it is not known. */
  readonly speakers: readonly string[];
}

/** A change. Ranges are named by id; `why` goes along with any. */
export type Change =
  | { verb: "accept" | "reject" | "undecided"; ranges: string[]; why?: string }
  /** Moves an edge to a frame: its first frame, or the one behind its last; `exact` does not snap to words. */
  | { verb: "trim"; range: string; edge: "in" | "out"; frame: number; exact: boolean; why?: string }
  /** Takes words out of the film: the range is cut where they lie. */
  | { verb: "cut"; range: string; words: [number, number]; why?: string }
  /** Puts words of a take back, at the range they lie beside, or as a range of their own where they belong. */
  | { verb: "restore"; take: string; words: [number, number]; why?: string }
  | { verb: "split"; range: string; frame: number; why?: string }
  /** Joins the range to the one after it. */
  | { verb: "merge"; range: string; why?: string }
  /** Moves ranges before another, or to the end. */
  | { verb: "move"; ranges: string[]; before: string | null; why?: string }
  | { verb: "swap"; range: string; take: string; words: [number, number]; why?: string }
  | { verb: "why"; range: string; why: string }
  | { verb: "note"; text: string }
  | {
      verb: "tighten";
      ranges: string[];
      fillers: boolean;
      pauses: number | null;
      keep: number | null;
      why?: string;
    }
  | { verb: "undo" | "redo" };

/** The same sentence elsewhere. `likeness` is 0 to 100. */
export interface Other {
  readonly take: string;
  readonly words: readonly [number, number];
  readonly frames: Frames;
  readonly quote: string;
  readonly likeness: number;
  /** The id of a range that shows it already, empty where none does. */
  readonly used: string;
}

export interface VersionRow {
  readonly number: number;
  readonly by: string;
  readonly why: string;
  /** The verb and the ranges it was about, by their numbers then: `trim 3`; left out where it is not known. */
  readonly what?: string;
  /** ISO 8601, UTC. */
  readonly when: string;
  readonly current: boolean;
}

/** One line of a comparison with an earlier version. */
export interface ComparedRow {
  readonly what: "kept" | "added" | "dropped" | "moved" | "trimmed" | "decided";
  readonly range: string;
  readonly was: string;
  readonly now: string;
}

/** How a take's picture can be had. `size` is in bytes, `rate` that of the file, which is in step with the take. */
export interface Clip {
  readonly take: string;
  readonly state: "ready" | "making" | "none";
  /** 0 to 1 while it is made. */
  readonly progress: number;
  /** Why there is none. */
  readonly problem: string;
  /** Where the server has it, from its root and percent-encoded (`/base/files/…`); empty where it does not. */
  readonly url: string;
  readonly size: number;
  readonly seconds: number;
  /** Seconds of take time at which each self-contained part begins, when the file is too large to be sent whole. */
  readonly parts: readonly number[];
}

/** Questions and their answers; what is large comes as a buffer. */
export interface Questions {
  words: { ask: { take: string }; answer: { words: Words } };
  /** One byte of magnitude for each hundredth of a second of take time. */
  peaks: { ask: { take: string }; answer: { take: string }; buffer: Uint8Array };
  /** A JPEG of `columns` frames side by side, evenly spread over `frames`. */
  sprite: {
    ask: { take: string; frames: Frames; columns: number; height: number };
    answer: { take: string; frames: Frames; columns: number; width: number; height: number };
    buffer: Uint8Array;
  };
  poster: {
    ask: { take: string; frame: number; height: number };
    answer: { take: string; frame: number };
    buffer: Uint8Array;
  };
  /** `first`: where it is still to be made, before what waits already. */
  clip: { ask: { take: string; first?: boolean }; answer: { clip: Clip } };
  /** Bytes `[start, end)` of a clip's file, or of its part. */
  piece: {
    ask: { take: string; part: number | null; start: number; end: number };
    answer: { size: number };
    buffer: Uint8Array;
  };
  others: { ask: { range: string }; answer: { others: readonly Other[] } };
  versions: { ask: Record<string, never>; answer: { versions: readonly VersionRow[] } };
  compare: { ask: { version: number }; answer: { text: string; rows: readonly ComparedRow[] } };
  /** Where fillers and pauses longer than `pauses` seconds lie within the ranges. */
  slips: {
    ask: { pauses: number };
    answer: { slips: readonly { range: string; kind: "filler" | "pause"; frames: Frames; text: string }[] };
  };
}
export type Question = keyof Questions;

/** From view to kernel. `view` names the view, `id` counts its messages from 1, `base` is the last version it saw. */
export type ToKernel =
  | { type: "hello"; view: string }
  | { type: "do"; view: string; id: number; base: number; change: Change }
  | { type: "ask"; view: string; id: number; what: Question; [argument: string]: unknown }
  | { type: "bye"; view: string };

/** From kernel to views. Those without `view` are for all views of all widgets of the project. */
export type FromKernel =
  | { type: "board"; view: string; board: Board }
  /** `error` is a sentence; `stale` tells that the change was refused because of another's. `board` is how it is now. */
  | {
      type: "ack";
      view: string;
      id: number;
      ok: boolean;
      error: string;
      stale: boolean;
      board: Board;
      said: string;
    }
  | { type: "changed"; board: Board; by: string }
  | { type: "answer"; view: string; id: number; ok: boolean; error: string; [key: string]: unknown }
  | { type: "clip"; clip: Clip };

/** Where the playhead stands. */
export interface Playhead {
  /** The range that is current, empty where the list is. */
  readonly range: string;
  readonly take: string;
  /** A frame of the take; it may lie outside the range when a cut word or the strip was clicked. */
  readonly frame: number;
  readonly playing: boolean;
  /** −8 to 8; 1 is as it was said. */
  readonly speed: number;
}

/** Words selected in the transcript, of one take. */
export interface Picked {
  readonly take: string;
  readonly words: readonly [first: number, last: number];
}

/** A piece of a take that is tried in the place of a range. */
export interface Trial {
  readonly take: string;
  readonly frames: Frames;
}

export type Saving =
  | { state: "saved" }
  | { state: "saving"; waiting: number }
  | { state: "waiting"; waiting: number }
  | { state: "lost"; waiting: number }
  | { state: "dead"; waiting: number }
  | { state: "refused"; error: string };

export type Happening =
  | "board"
  | "playhead"
  | "picked"
  | "saving"
  | "words"
  | "clip"
  | "theme"
  | "visible"
  | "shown";

/** What the parts of one view share. */
export interface Desk {
  readonly root: HTMLElement;
  /** What is shown: the kernel's board with the changes that wait for it. */
  readonly board: Board;
  readonly playhead: Playhead;
  readonly picked: Picked | null;
  /** The piece that is tried in the place of the current range, while it plays; "playhead" is told of it. */
  trial: Trial | null;
  readonly saving: Saving;
  /** Ids of the ranges that the filter shows, in order; null where it shows all. */
  readonly shown: readonly string[] | null;
  /** Whether the view is on the screen. */
  readonly visible: boolean;
  range(id: string): Range | undefined;
  /** The range after (`step` 1) or before (−1) one; ranges that are not rendered are passed over where `kept`. */
  neighbour(id: string, step: 1 | -1, kept: boolean): Range | undefined;
  /** Words of a take: asked for once, undefined until they are here ("words" is told then). */
  words(take: string): Words | undefined;
  /** How a take can be played: asked for once, undefined until it is known ("clip" is told then and on each change). */
  clip(take: string): Clip | undefined;
  on(what: Happening, then: () => void): () => void;
  go(to: { range?: string; take?: string; frame?: number }): void;
  /** Tells whether the player runs, and how fast. */
  play(playing: boolean, speed: number): void;
  pick(picked: Picked | null): void;
  do(change: Change): void;
  ask<Q extends Question>(what: Q, argument: Questions[Q]["ask"]): Promise<Reply<Q>>;
  /** Says a line for screen readers and in the head. */
  say(text: string): void;
  /** A colour of the theme as the canvas takes it: `colour("accent")` is what `--cb-accent` is now. */
  colour(name: "bg" | "panel" | "text" | "dim" | "border" | "accent" | "green" | "red"): string;
}
export type Reply<Q extends Question> = Questions[Q]["answer"] &
  (Questions[Q] extends { buffer: infer B } ? { buffer: B } : object);

/** The player, as keys and buttons use it. Its picture and sound follow `desk.playhead`, and it moves it. */
export interface Player {
  /** Plays the edit from the playhead, or stops. */
  toggle(): void;
  /** Plays two seconds before and after the cut at the current range's in point (its out point with `out`). Without the
   * cut: straight through the source, as if nothing had been taken out. */
  around(options: { without: boolean; out?: boolean }): void;
  /** J and L: each press doubles the speed that way; K stops. */
  shuttle(step: -1 | 0 | 1): void;
  /** Moves the playhead by frames, seconds or words. */
  step(by: number, unit: "frame" | "second" | "word"): void;
  /** Plays a piece of a take once, and comes back: to try another take in place. */
  audition(take: string, frames: Frames): void;
  stop(): void;
  destroy(): void;
}

/** A part of the view that only draws and listens. */
export interface Part {
  destroy(): void;
}
