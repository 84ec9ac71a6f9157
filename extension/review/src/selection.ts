/** From words to changes of the cut list: which words are in the film, and what Delete does to those picked. Pure. */
import { seconds } from "./time";
import type { Board, Change, Desk, Picked, Range, Rate, Words } from "./types";
import { lastAt } from "./wordtimes";

/** What the film does with a word. */
export const CUT = 0;
export const KEPT = 1;
/** It lies in a range that was rejected, and in no other. */
export const REJECTED = 2;

/** The places of a range's words, half-open; those whose middle lies in its frames where it does not number them. */
export function placesOf(range: Range, words: Words, rate: Rate): readonly [first: number, end: number] {
  if (range.words) {
    return [lastAt(words.number, range.words[0] - 1) + 1, lastAt(words.number, range.words[1]) + 1];
  }
  const [from, to] = [seconds(range.frames[0], rate) * 2000, seconds(range.frames[1], rate) * 2000];
  const middle = (place: number) => (words.start[place] ?? 0) + (words.end[place] ?? 0);
  const count = words.start.length;
  // Words may overlap a little, so one more than the last to begin before it is looked at.
  let first = Math.max(0, lastAt(words.start, from / 2));
  while (first < count && middle(first) < from) first++;
  let end = first;
  while (end < count && middle(end) < to) end++;
  return [first, end];
}

/** What the film does with each word of a take. */
export function states(ranges: readonly Range[], words: Words, rate: Rate): Uint8Array {
  const found = new Uint8Array(words.text.length);
  for (const range of ranges) {
    if (range.take !== words.take) continue;
    const [first, end] = placesOf(range, words, rate);
    if (range.status !== "rejected") found.fill(KEPT, first, end);
    else for (let place = first; place < end; place++) found[place] ||= REJECTED;
  }
  return found;
}

/** Numbers from one word to another, whichever comes first. */
export function spanOf(words: Words, one: number, other: number): readonly [number, number] {
  const [first, last] = one <= other ? [one, other] : [other, one];
  return [words.number[first] ?? 0, words.number[last] ?? 0];
}

/**
 * Gives what Delete does: the picked words that are in the film are taken out of it, of every range that has some;
 * where none is in it, they are put back.
 */
export function deleted(board: Board, words: Words, picked: Picked): Change[] {
  const rate = board.takes[picked.take]?.rate;
  if (!rate) return [];
  const found: Change[] = [];
  for (const range of board.ranges) {
    if (range.take !== picked.take || range.status === "rejected") continue;
    const [first, end] = placesOf(range, words, rate);
    const from = Math.max(words.number[first] ?? Number.POSITIVE_INFINITY, picked.words[0]);
    const to = Math.min(words.number[end - 1] ?? 0, picked.words[1]);
    if (from <= to) found.push({ verb: "cut", range: range.id, words: [from, to] });
  }
  return found.length ? found : [{ verb: "restore", take: picked.take, words: [...picked.words] }];
}

/** Cuts the picked words, or puts them back; whether there was something to do. */
export function deletePicked(desk: Desk): boolean {
  const { picked } = desk;
  const words = picked && desk.words(picked.take);
  if (!picked || !words) return false;
  const changes = deleted(desk.board, words, picked);
  const done = told(desk.board, words, changes);
  for (const change of changes) desk.do(change);
  if (!desk.board.locked) desk.say(done);
  return changes.length > 0;
}

/** Says what words are cut out of which ranges, or put back: cut “percent of what” out of 1. */
export function told(board: Board, words: Words, changes: readonly Change[]): string {
  const all = changes.flatMap((change) => ("words" in change ? [...change.words] : []));
  const [first, last] = [Math.min(...all), Math.max(...all)].map((number) => lastAt(words.number, number));
  const quote = `“${shortened(written(words, first ?? 0, last ?? 0))}”`;
  const places = changes.flatMap((change) => {
    if (change.verb !== "cut") return [];
    return [board.ranges.findIndex((range) => range.id === change.range) + 1];
  });
  return places.length ? `cut ${quote} out of ${places.join(", ")}` : `put ${quote} back`;
}

/** Letters of a wording that a line has room for. */
const ROOM = 60;

function shortened(text: string): string {
  const letters = [...text];
  return letters.length <= ROOM ? text : `${letters.slice(0, 36).join("")} … ${letters.slice(-20).join("")}`;
}

/** The range a word belongs to: one that shows it, kept before rejected, the current first; else the nearest. */
export function rangeOf(board: Board, words: Words, place: number, current: string): Range | undefined {
  const rate = board.takes[words.take]?.rate;
  if (!rate) return undefined;
  let best: Range | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const range of board.ranges) {
    if (range.take !== words.take) continue;
    const [first, end] = placesOf(range, words, rate);
    const away = place < first ? first - place : Math.max(0, place - end + 1);
    const far = away * 4 + (range.status === "rejected" ? 2 : 0) + (range.id === current ? 0 : 1);
    if (far < least) {
      best = range;
      least = far;
    }
  }
  return best;
}

/** The words of a take as a person would write them. */
export function written(words: Words, first: number, last: number): string {
  let text = "";
  for (let place = first; place <= last && place < words.text.length; place++) {
    text += (text && !words.joined[place] ? " " : "") + (words.text[place] ?? "");
  }
  return text;
}

/** Copies the picked words, where words are picked. */
export function copyPicked(desk: Desk, event: ClipboardEvent): void {
  const { picked } = desk;
  const words = picked && desk.words(picked.take);
  if (!picked || !words || !event.clipboardData) return;
  const [first, last] = picked.words;
  event.clipboardData.setData(
    "text/plain",
    written(words, lastAt(words.number, first), lastAt(words.number, last)),
  );
  event.preventDefault();
}
