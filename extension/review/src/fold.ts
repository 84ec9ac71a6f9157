/** What a change makes of the board, before the kernel has said so. Pure; the kernel has the last word. */
import { frameAt } from "./time";
import type { Board, Change, Frames, Range, Rate, Words } from "./types";

export type WordsOf = (take: string) => Words | undefined;

/** Ids of ranges that the kernel has not named yet end like this. */
const NEW = "\u2026";
export const isNew = (id: string): boolean => id.endsWith(NEW);

/** The ids of the ranges a change names. */
export function named(change: Change): readonly string[] {
  if ("ranges" in change) {
    return "before" in change && change.before !== null ? [...change.ranges, change.before] : change.ranges;
  }
  return "range" in change ? [change.range] : [];
}

/** The same change of the same ranges by other names. */
export function renamed(change: Change, name: (id: string) => string): Change {
  if (change.verb === "move") {
    const before = change.before === null ? null : name(change.before);
    return { ...change, ranges: change.ranges.map(name), before };
  }
  if ("ranges" in change) return { ...change, ranges: change.ranges.map(name) };
  return "range" in change ? { ...change, range: name(change.range) } : change;
}

/** The words of a take from one number to another, as they are written. */
export function quoted(words: Words, first: number, last: number): string {
  let text = "";
  for (let place = first - 1; place < last && place < words.text.length; place++) {
    const word = words.text[place];
    if (!word) continue;
    text += (text && !words.joined[place] ? " " : "") + word;
  }
  return text;
}

/** The words whose middle lies within frames, null where none does. */
export function wordsWithin(words: Words, frames: Frames, rate: Rate): readonly [number, number] | null {
  const middle = (place: number): number => ((words.start[place] ?? 0) + (words.end[place] ?? 0)) / 2000;
  const from = (frames[0] * rate[1]) / rate[0];
  const to = (frames[1] * rate[1]) / rate[0];
  const count = words.text.length;
  let low = 0;
  let high = count;
  while (low < high) {
    const half = (low + high) >> 1;
    if (middle(half) < from) low = half + 1;
    else high = half;
  }
  let last = low;
  while (last < count && middle(last) < to) last++;
  return last > low ? [low + 1, last] : null;
}

export function fold(board: Board, change: Change, wordsOf: WordsOf): Board {
  const ranges = changed(board, change, wordsOf);
  return ranges === board.ranges ? board : { ...board, ranges, undo: true, redo: false };
}

function changed(board: Board, change: Change, wordsOf: WordsOf): readonly Range[] {
  const { ranges } = board;
  switch (change.verb) {
    case "accept":
    case "reject":
    case "undecided": {
      const status = change.verb === "undecided" ? "undecided" : (`${change.verb}ed` as const);
      const chosen = new Set(change.ranges);
      return ranges.map((each) =>
        chosen.has(each.id) ? { ...each, status, why: change.why ?? each.why } : each,
      );
    }
    case "why":
      return replaced(ranges, change.range, (range) => [{ ...range, why: change.why }]);
    case "trim":
      return replaced(ranges, change.range, (range) => {
        const [first, end] = range.frames;
        const frames: Frames =
          change.edge === "in"
            ? [Math.max(0, Math.min(change.frame, end - 1)), end]
            : [first, Math.min(board.takes[range.take]?.frames ?? end, Math.max(change.frame, first + 1))];
        return [told({ ...range, frames }, board, wordsOf)];
      });
    case "split":
      return replaced(ranges, change.range, (range) => {
        const [first, end] = range.frames;
        if (change.frame <= first || change.frame >= end) return [range];
        return [
          told({ ...range, frames: [first, change.frame], lag: 0 }, board, wordsOf),
          told(
            { ...range, id: range.id + NEW, frames: [change.frame, end], lead: 0, dissolve: 0 },
            board,
            wordsOf,
          ),
        ];
      });
    case "merge":
      return merged(board, change.range, wordsOf);
    case "move":
      return moved(ranges, change.ranges, change.before);
    case "swap":
      return replaced(ranges, change.range, (range) => {
        const frames = framesOf(board, change.take, change.words, wordsOf);
        if (!frames) return [range];
        return [told({ ...range, take: change.take, words: change.words, frames }, board, wordsOf)];
      });
    case "cut":
      return replaced(ranges, change.range, (range) => without(board, range, change.words, wordsOf));
    case "restore":
      return restored(board, change.take, change.words, wordsOf);
    default:
      return ranges;
  }
}

function replaced(ranges: readonly Range[], id: string, by: (range: Range) => Range[]): readonly Range[] {
  return ranges.flatMap((each) => (each.id === id ? by(each) : [each]));
}

/** The range with the words that its frames hold. */
function told(range: Range, board: Board, wordsOf: WordsOf): Range {
  const words = wordsOf(range.take);
  const rate = board.takes[range.take]?.rate;
  if (!words || !rate) return range;
  const within = wordsWithin(words, range.frames, rate);
  return { ...range, words: within, quote: within ? quoted(words, ...within) : "" };
}

function framesOf(
  board: Board,
  take: string,
  span: readonly [number, number],
  wordsOf: WordsOf,
): Frames | null {
  const words = wordsOf(take);
  const rate = board.takes[take]?.rate;
  const start = words?.start[span[0] - 1];
  const end = words?.end[span[1] - 1];
  if (!rate || start === undefined || end === undefined) return null;
  return [frameAt(start / 1000, rate), frameAt(end / 1000, rate) + 1];
}

function without(board: Board, range: Range, span: readonly [number, number], wordsOf: WordsOf): Range[] {
  const gap = framesOf(board, range.take, span, wordsOf);
  if (!gap || !range.words) return [range];
  const [first, last] = range.words;
  if (span[0] <= first && span[1] >= last) return [{ ...range, status: "rejected" }];
  const pieces: Range[] = [];
  if (span[0] > first && gap[0] > range.frames[0]) {
    pieces.push(told({ ...range, frames: [range.frames[0], gap[0]] }, board, wordsOf));
  }
  if (span[1] < last && gap[1] < range.frames[1]) {
    const id = pieces.length ? range.id + NEW : range.id;
    pieces.push(told({ ...range, id, frames: [gap[1], range.frames[1]] }, board, wordsOf));
  }
  return pieces.length ? pieces : [range];
}

function merged(board: Board, id: string, wordsOf: WordsOf): readonly Range[] {
  const place = board.ranges.findIndex((each) => each.id === id);
  const here = board.ranges[place];
  const next = board.ranges[place + 1];
  if (!here || !next || here.take !== next.take || next.frames[0] < here.frames[0]) return board.ranges;
  const frames: Frames = [here.frames[0], Math.max(here.frames[1], next.frames[1])];
  const joined = told({ ...here, frames, lag: next.lag }, board, wordsOf);
  return [...board.ranges.slice(0, place), joined, ...board.ranges.slice(place + 2)];
}

function moved(ranges: readonly Range[], ids: readonly string[], before: string | null): readonly Range[] {
  const chosen = new Set(ids);
  if (before !== null && chosen.has(before)) return ranges;
  const taken = ranges.filter((each) => chosen.has(each.id));
  const left = ranges.filter((each) => !chosen.has(each.id));
  const place = before === null ? left.length : left.findIndex((each) => each.id === before);
  return place < 0 || !taken.length ? ranges : [...left.slice(0, place), ...taken, ...left.slice(place)];
}

function restored(
  board: Board,
  take: string,
  span: readonly [number, number],
  wordsOf: WordsOf,
): readonly Range[] {
  const back = framesOf(board, take, span, wordsOf);
  if (!back) return board.ranges;
  const near = (each: Range): boolean =>
    each.take === take && each.words !== null && each.words[0] - 1 <= span[1] && each.words[1] + 1 >= span[0];
  const place = board.ranges.findIndex(near);
  const here = board.ranges[place];
  if (!here) return board.ranges;
  const next = board.ranges[place + 1];
  const through = next && near(next) ? next : null;
  const frames: Frames = [
    Math.min(here.frames[0], back[0]),
    Math.max(here.frames[1], back[1], through?.frames[1] ?? 0),
  ];
  const status = here.status === "rejected" ? "undecided" : here.status;
  const joined = told({ ...here, frames, status }, board, wordsOf);
  return [...board.ranges.slice(0, place), joined, ...board.ranges.slice(place + (through ? 2 : 1))];
}
