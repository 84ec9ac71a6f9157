/** Words and the frames they begin on. */
import { frameAt } from "./time";
import type { Rate, Words } from "./types";

/** The place of the last entry that is not above a value, −1 where all are: columns rise. */
export function lastAt(column: readonly number[], value: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((column[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The place of the word of a number, −1 where there is none. */
export function placeOf(words: Words, number: number): number {
  const place = lastAt(words.number, number);
  return words.number[place] === number ? place : -1;
}

/** The place of the word that is said at a frame, or was said last before it; −1 before the first. */
export function wordAt(words: Words, rate: Rate, frame: number): number {
  // The end of the frame, so that a word that begins within it counts.
  return lastAt(words.start, (((frame + 1) * rate[1]) / rate[0]) * 1000 - 1);
}

/** The frame on which a word begins. */
export function startFrame(words: Words, rate: Rate, place: number): number {
  return frameAt((words.start[place] ?? 0) / 1000, rate);
}

/** The frame on which the word `by` words on begins, undefined where there is none that way. */
export function nextWord(words: Words, rate: Rate, frame: number, by: number): number | undefined {
  const begun = wordAt(words, rate, frame);
  const on = begun >= 0 && startFrame(words, rate, begun) === frame;
  const place = by > 0 || on ? begun + by : begun + by + 1;
  const most = words.start.length - 1;
  if (most < 0) return undefined;
  const to = startFrame(words, rate, Math.min(Math.max(place, 0), most));
  return by > 0 === to > frame && to !== frame ? to : undefined;
}

/** The frames of a step from a frame: by words where they are known, none where there is none that way. */
export function framesOf(
  by: number,
  unit: "frame" | "second" | "word",
  frame: number,
  rate: Rate,
  words: Words | undefined,
): number {
  if (unit === "frame") return by;
  if (unit === "second") return Math.round((by * rate[0]) / rate[1]);
  const to = words && nextWord(words, rate, frame, by);
  return to === undefined ? 0 : to - frame;
}
