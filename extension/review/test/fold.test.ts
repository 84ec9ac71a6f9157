import { describe, expect, it } from "vitest";
import { fold, isNew, named, quoted, renamed, wordsWithin } from "../src/fold";
import type { Board, Change, Range, Words } from "../src/types";
import { material } from "./material";

/** Ten words of 400 ms, one each half second from 1 s on: w1 at 1.0–1.4, w2 at 1.5–1.9 … At 10 frames a second. */
const words: Words = {
  take: "A",
  number: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  text: ["so", "this", "um", "is", "the", "one", "we", "all", "keep", "."],
  start: [1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000, 5500],
  end: [1400, 1900, 2400, 2900, 3400, 3900, 4400, 4900, 5400, 5900],
  kind: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
  joined: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  paragraphs: [0],
  speakers: [""],
};
const range = (id: string, first: number, last: number, more: Partial<Range> = {}): Range => ({
  id,
  take: "A",
  frames: [5 + first * 5, 5 + last * 5 + 4],
  words: [first, last],
  beat: "HOOK",
  quote: quoted(words, first, last),
  reason: "",
  why: "",
  status: "undecided",
  by: "",
  problem: "",
  lead: 0,
  lag: 0,
  dissolve: 0,
  ...more,
});
const board = (...ranges: Range[]): Board => ({
  ...material(3, "en").board,
  takes: { A: { ...take(), name: "A" } },
  ranges,
  undo: false,
  redo: true,
});
const take = () => ({
  rate: [10, 1] as const,
  frames: 100,
  picture: true,
  sound: true,
  size: [16, 9] as const,
  words: 10,
  stamp: "",
});
const folded = (before: Board, change: Change): Board => fold(before, change, () => words);
const ids = (each: Board): string[] => each.ranges.map((one) => one.id);

describe("a decision", () => {
  const before = board(range("a", 1, 3), range("b", 5, 7, { why: "older" }));

  it("changes the named ranges alone, and can be undone", () => {
    const then = folded(before, { verb: "accept", ranges: ["b"] });
    expect(then.ranges.map((each) => each.status)).toEqual(["undecided", "accepted"]);
    expect([then.undo, then.redo]).toEqual([true, false]);
    expect(then.ranges[0]).toBe(before.ranges[0]);
  });
  it("brings its reason, and keeps the older one without", () => {
    expect(folded(before, { verb: "reject", ranges: ["b"] }).ranges[1]?.why).toBe("older");
    expect(folded(before, { verb: "reject", ranges: ["b"], why: "slip" }).ranges[1]?.why).toBe("slip");
  });
});

describe("a trim", () => {
  const before = board(range("a", 2, 4));

  it("moves one edge, and the words follow", () => {
    const then = folded(before, { verb: "trim", range: "a", edge: "in", frame: 20, exact: true });
    expect(then.ranges[0]).toMatchObject({ frames: [20, 29], words: [3, 4], quote: "um is" });
  });
  it("leaves a frame at least, and stays within the take", () => {
    expect(
      folded(before, { verb: "trim", range: "a", edge: "in", frame: 99, exact: true }).ranges[0]?.frames,
    ).toEqual([28, 29]);
    expect(
      folded(before, { verb: "trim", range: "a", edge: "out", frame: 999, exact: true }).ranges[0]?.frames,
    ).toEqual([15, 100]);
  });
});

describe("words", () => {
  it("are written with spaces but where they are joined", () => {
    expect(quoted(words, 8, 10)).toBe("all keep.");
  });
  it("lie within frames with their middle", () => {
    expect(wordsWithin(words, [12, 27], [10, 1])).toEqual([1, 3]);
    expect(wordsWithin(words, [0, 10], [10, 1])).toBeNull();
  });
  it("are cut from the middle of a range, which is two then", () => {
    const then = folded(board(range("a", 1, 6)), { verb: "cut", range: "a", words: [3, 3] });
    expect(then.ranges.map((each) => each.quote)).toEqual(["so this", "is the one"]);
    expect(ids(then).map(isNew)).toEqual([false, true]);
    expect(then.ranges.map((each) => each.frames)).toEqual([
      [10, 20],
      [25, 39],
    ]);
  });
  it("are cut from an end of a range, which keeps its name", () => {
    const then = folded(board(range("a", 1, 6)), { verb: "cut", range: "a", words: [1, 2] });
    expect(ids(then)).toEqual(["a"]);
    expect(then.ranges[0]?.quote).toBe("um is the one");
  });
  it("are put back at the range they lie beside", () => {
    const then = folded(board(range("a", 1, 2), range("b", 4, 6)), {
      verb: "restore",
      take: "A",
      words: [3, 3],
    });
    expect(ids(then)).toEqual(["a"]);
    expect(then.ranges[0]?.quote).toBe("so this um is the one");
  });
  it("reject a range when all of them are cut", () => {
    expect(
      folded(board(range("a", 1, 3)), { verb: "cut", range: "a", words: [1, 3] }).ranges[0]?.status,
    ).toBe("rejected");
  });
});

describe("order", () => {
  const before = board(range("a", 1, 2), range("b", 3, 4), range("c", 5, 6), range("d", 7, 8));

  it("is changed by moving before another, or to the end", () => {
    expect(ids(folded(before, { verb: "move", ranges: ["d"], before: "b" }))).toEqual(["a", "d", "b", "c"]);
    expect(ids(folded(before, { verb: "move", ranges: ["a", "c"], before: null }))).toEqual([
      "b",
      "d",
      "a",
      "c",
    ]);
  });
  it("stays when the target is unknown or moves itself", () => {
    expect(folded(before, { verb: "move", ranges: ["a"], before: "x" })).toBe(before);
    expect(folded(before, { verb: "move", ranges: ["a"], before: "a" })).toBe(before);
  });
  it("splits within a range only, and merging it again gives the same", () => {
    const split = folded(before, { verb: "split", range: "b", frame: 24 });
    expect(split.ranges.map((each) => each.quote)).toEqual(["so this", "um", "is", "the one", "we all"]);
    const merged = folded(split, { verb: "merge", range: "b" });
    expect(merged.ranges).toEqual(before.ranges);
    expect(folded(before, { verb: "split", range: "b", frame: 20 }).ranges).toEqual(before.ranges);
  });
  it("merges no ranges of two takes", () => {
    const two = board(range("a", 1, 2), range("b", 3, 4, { take: "B" }));
    expect(folded(two, { verb: "merge", range: "a" })).toBe(two);
  });
});

describe("names", () => {
  it("of a change are those of its ranges", () => {
    expect(named({ verb: "move", ranges: ["a"], before: "b" })).toEqual(["a", "b"]);
    expect(named({ verb: "split", range: "a", frame: 3 })).toEqual(["a"]);
    expect(named({ verb: "undo" })).toEqual([]);
  });
  it("can be put in place of others", () => {
    const upper = (id: string): string => id.toUpperCase();
    expect(renamed({ verb: "accept", ranges: ["a", "b"] }, upper)).toEqual({
      verb: "accept",
      ranges: ["A", "B"],
    });
    expect(renamed({ verb: "move", ranges: ["a"], before: null }, upper)).toEqual({
      verb: "move",
      ranges: ["A"],
      before: null,
    });
    expect(renamed({ verb: "merge", range: "a" }, upper)).toEqual({ verb: "merge", range: "A" });
  });
});

it("what the kernel alone can tell leaves the board as it is", () => {
  const before = board(range("a", 1, 2));
  const changes: Change[] = [{ verb: "undo" }, { verb: "redo" }, { verb: "note", text: "x" }];
  for (const change of changes) expect(folded(before, change)).toBe(before);
});

it("made-up footage has words in order and ranges within its takes", () => {
  for (const language of ["en", "de", "zh"] as const) {
    const made = material(40, language);
    expect(made.board.ranges).toHaveLength(40);
    for (const each of made.board.ranges) {
      expect(each.frames[0]).toBeLessThan(each.frames[1]);
      expect(each.frames[1]).toBeLessThanOrEqual(made.board.takes[each.take]?.frames ?? 0);
      expect(each.quote).not.toBe("");
    }
  }
});
