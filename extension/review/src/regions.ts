/** The strip's geometry: what of a take it shows, where ranges lie on it, what an edge snaps to. Pure. */
import { wordsWithin } from "./fold";
import { frameAt, seconds, timecode } from "./time";
import type { Board, Frames, Range, Rate, Words } from "./types";
import { lastAt } from "./wordtimes";

/** Seconds of a take that are shown, half-open. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Seconds of air before the first and after the last word, as cuts are padded. */
const PADS = [0.05, 0.08] as const;
/** Seconds that are shown at least. */
const CLOSEST = 0.25;

export const toX = (time: number, shown: Window, width: number): number =>
  ((time - shown.from) / (shown.to - shown.from)) * width;

export const toTime = (x: number, shown: Window, width: number): number =>
  shown.from + (x / width) * (shown.to - shown.from);

/** Shows a range with some of the take around it. */
export function around(frames: Frames, rate: Rate, length: number): Window {
  const [from, to] = [seconds(frames[0], rate), seconds(frames[1], rate)];
  const air = Math.max(1, (to - from) * 0.3);
  return kept({ from: from - air, to: to + air }, length);
}

/** Moves and shortens a window so that it lies in its take. */
export function kept(shown: Window, length: number): Window {
  const wide = Math.min(Math.max(shown.to - shown.from, CLOSEST), Math.max(length, CLOSEST));
  const from = Math.max(0, Math.min(shown.from, Math.max(length, wide) - wide));
  return { from, to: from + wide };
}

/** Shows `factor` times as much, with `time` staying where it is. */
export function zoomed(shown: Window, factor: number, time: number, length: number): Window {
  const wide = Math.min(Math.max((shown.to - shown.from) * factor, CLOSEST), Math.max(length, CLOSEST));
  const share = (time - shown.from) / (shown.to - shown.from);
  return kept({ from: time - share * wide, to: time + (1 - share) * wide }, length);
}

/** One magnitude for each column of the picture, from a hundred a second. */
export function columns(peaks: Uint8Array, shown: Window, width: number): Uint8Array {
  const found = new Uint8Array(width);
  const each = ((shown.to - shown.from) * 100) / width;
  for (let x = 0; x < width; x++) {
    const first = Math.floor(shown.from * 100 + x * each);
    const end = Math.max(first + 1, Math.floor(shown.from * 100 + (x + 1) * each));
    let most = 0;
    for (let at = Math.max(0, first); at < Math.min(end, peaks.length); at++) {
      const value = peaks[at] ?? 0;
      if (value > most) most = value;
    }
    found[x] = most;
  }
  return found;
}

export interface Region {
  readonly range: Range;
  readonly x: number;
  readonly end: number;
}

/** The ranges of a take that are in sight, in the list's order. */
export function regions(board: Board, take: string, shown: Window, width: number): Region[] {
  const rate = board.takes[take]?.rate;
  if (!rate) return [];
  return board.ranges
    .filter((range) => range.take === take)
    .map((range) => ({
      range,
      x: toX(seconds(range.frames[0], rate), shown, width),
      end: toX(seconds(range.frames[1], rate), shown, width),
    }))
    .filter(({ x, end }) => end > 0 && x < width);
}

/** Pixels from one place to another. */
export interface Span {
  readonly x: number;
  readonly end: number;
}

/** Puts together what overlaps or touches, in order. */
export function merged(list: readonly Span[]): Span[] {
  const found: { x: number; end: number }[] = [];
  for (const { x, end } of [...list].sort((a, b) => a.x - b.x)) {
    const last = found.at(-1);
    if (last && x <= last.end) last.end = Math.max(last.end, end);
    else found.push({ x, end });
  }
  return found;
}

/** What is left of spans beside others. */
export function beside(list: readonly Span[], others: readonly Span[]): Span[] {
  let left = merged(list);
  for (const other of others) {
    left = left.flatMap(({ x, end }) =>
      [
        { x, end: Math.min(end, other.x) },
        { x: Math.max(x, other.end), end },
      ].filter((span) => span.x < span.end),
    );
  }
  return left;
}

/** What is said of an edge that is drawn to a frame: where that is, and that a frame, or no word, is left. */
export function drawn(
  range: Range,
  edge: "in" | "out",
  frame: number,
  words: Words | undefined,
  rate: Rate,
): string {
  const [first, end] = range.frames;
  const frames: Frames = edge === "in" ? [frame, end] : [first, frame];
  const by = seconds(frame - (edge === "in" ? first : end), rate);
  const said = [`${timecode(seconds(frame, rate))} ${by < 0 ? "−" : "+"}${Math.abs(by).toFixed(2)} s`];
  if (frames[1] - frames[0] <= 1) said.push("one frame is left");
  if (range.words && words && !wordsWithin(words, frames, rate)) said.push("no word is left");
  return said.join(" · ");
}

export interface Grip {
  readonly range: string;
  readonly edge: "in" | "out";
}

/** Pixels on either side of an edge where it can be taken hold of. */
const REACH = 6;

/** The edge that lies at `x`: the nearest; of two that lie together, the one whose range `x` is in, the current first. */
export function gripAt(list: readonly Region[], x: number, current: string): Grip | null {
  let best: { grip: Grip; far: number } | null = null;
  for (const { range, x: from, end } of list) {
    for (const [edge, place] of [
      ["in", from],
      ["out", end],
    ] as const) {
      const outside = edge === "in" ? x < place : x > place;
      const far = Math.abs(x - place) + (outside ? 0.5 : 0) + (range.id === current ? 0 : 1);
      if (Math.abs(x - place) <= REACH && (!best || far < best.far))
        best = { grip: { range: range.id, edge }, far };
    }
  }
  return best?.grip ?? null;
}

/** Where an edge may go: one frame at least stays of the range, and it stays in its take. */
export function limited(range: Range, edge: "in" | "out", frame: number, frames: number): number {
  return edge === "in"
    ? Math.min(Math.max(frame, 0), range.frames[1] - 1)
    : Math.max(Math.min(frame, frames), range.frames[0] + 1);
}

/** The quietest hundredth of a second in a stretch, its middle; the outermost of equals. */
export function quietest(
  peaks: Uint8Array | undefined,
  from: number,
  to: number,
  outer: "from" | "to",
): number {
  const first = Math.ceil(from * 100 - 1e-6);
  const end = Math.min(Math.floor(to * 100 + 1e-6), peaks?.length ?? 0);
  if (!peaks || end <= first) return outer === "from" ? from : to;
  let best = outer === "from" ? first : end - 1;
  for (let step = 0; step < end - first; step++) {
    const at = outer === "from" ? first + step : end - 1 - step;
    // Within six decibels nothing is called quieter.
    if ((peaks[at] ?? 0) * 2 < (peaks[best] ?? 0)) best = at;
  }
  if (best === (outer === "from" ? first : end - 1)) return outer === "from" ? from : to;
  return (best + 0.5) / 100;
}

/**
 * Gives the frame an edge snaps to near a frame: the air before a word (in) or after one (out), at its quietest. Null
 * where no such place lies within `reach` frames.
 */
export function snapped(
  edge: "in" | "out",
  frame: number,
  reach: number,
  words: Words | undefined,
  rate: Rate,
  peaks?: Uint8Array,
): number | null {
  if (!words) return null;
  const time = seconds(frame, rate) * 1000;
  const near = lastAt(words.start, time);
  let best: number | null = null;
  for (let place = near - 2; place <= near + 3; place++) {
    const [start, end] = [words.start[place], words.end[place]];
    if (start === undefined || end === undefined) continue;
    let to: number;
    if (edge === "in") {
      const floor = Math.max((words.end[place - 1] ?? 0) / 1000, start / 1000 - PADS[0], 0);
      const low = Math.min(floor, start / 1000);
      to = frameAt(quietest(peaks, low, start / 1000, "from"), rate);
    } else {
      const ceiling = Math.min(
        (words.start[place + 1] ?? Number.POSITIVE_INFINITY) / 1000,
        end / 1000 + PADS[1],
      );
      const high = Math.max(ceiling, end / 1000);
      to = Math.ceil((quietest(peaks, end / 1000, high, "to") * rate[0]) / rate[1] - 1e-6);
    }
    if (Math.abs(to - frame) <= reach && (best === null || Math.abs(to - frame) < Math.abs(best - frame)))
      best = to;
  }
  return best;
}

/** Marks of a ruler: seconds at round distances, at least `gap` pixels apart. */
export function ticks(shown: Window, width: number, gap = 80): { time: number; step: number }[] {
  const least = ((shown.to - shown.from) / width) * gap;
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600];
  const step = steps.find((each) => each >= least) ?? 7200;
  const found: { time: number; step: number }[] = [];
  for (let at = Math.ceil(shown.from / step - 1e-6); at * step <= shown.to; at++)
    found.push({ time: at * step, step });
  return found;
}
