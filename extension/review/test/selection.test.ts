import { describe, expect, it } from "vitest";
import { CUT, deleted, KEPT, placesOf, REJECTED, rangeOf, spanOf, states, written } from "../src/selection";
import { nextWord, placeOf, wordAt } from "../src/wordtimes";
import { board, range, take, words } from "./fakedesk";

const SAID = words("A", ["one", "two", "three", "four", "five", "six", "seven", "eight"]);
const FILM = board(
  [take("A", { words: 8 })],
  [
    range("a", "A", 0, 30, { words: [1, 2] }),
    range("b", "A", 60, 90, { words: [5, 6] }),
    range("c", "A", 90, 120, { words: [7, 8], status: "rejected" }),
  ],
);

describe("words in the film", () => {
  it("are those of kept ranges; those of rejected ones alone are told apart", () => {
    expect([...states(FILM.ranges, SAID, [25, 1])]).toEqual([
      KEPT,
      KEPT,
      CUT,
      CUT,
      KEPT,
      KEPT,
      REJECTED,
      REJECTED,
    ]);
  });

  it("are those whose middle lies in its frames where a range numbers none", () => {
    // 1.2–1.7 s and 1.8–2.3 s: middles at frames 36 and 51.
    expect(placesOf(range("x", "A", 36, 52), SAID, [25, 1])).toEqual([2, 4]);
    expect(placesOf(range("x", "A", 37, 38), SAID, [25, 1])).toEqual([3, 3]);
  });

  it("keep their numbers where some numbers are missing", () => {
    const gaps = { ...SAID, number: [1, 2, 5, 6, 9, 10, 11, 12] };
    expect(placesOf(range("x", "A", 0, 1, { words: [5, 9] }), gaps, [25, 1])).toEqual([2, 5]);
    expect(placeOf(gaps, 3)).toBe(-1);
  });
});

describe("Delete", () => {
  it("cuts what is in the film, range by range", () => {
    expect(deleted(FILM, SAID, { take: "A", words: [2, 5] })).toEqual([
      { verb: "cut", range: "a", words: [2, 2] },
      { verb: "cut", range: "b", words: [5, 5] },
    ]);
  });

  it("puts words back where none of them is in the film", () => {
    expect(deleted(FILM, SAID, { take: "A", words: [3, 4] })).toEqual([
      { verb: "restore", take: "A", words: [3, 4] },
    ]);
    expect(deleted(FILM, SAID, { take: "A", words: [7, 8] })).toEqual([
      { verb: "restore", take: "A", words: [7, 8] },
    ]);
  });
});

describe("a word", () => {
  it("belongs to the range that shows it, else to the nearest", () => {
    expect(rangeOf(FILM, SAID, 4, "a")?.id).toBe("b");
    expect(rangeOf(FILM, SAID, 2, "")?.id).toBe("a");
    expect(rangeOf(FILM, SAID, 6, "")?.id).toBe("c");
  });

  it("is said at a frame until the next begins", () => {
    expect([0, 13, 14, 15, 999].map((frame) => wordAt(SAID, [25, 1], frame))).toEqual([0, 0, 0, 1, 7]);
    expect(wordAt({ ...SAID, start: [500], text: ["late"] }, [25, 1], 0)).toBe(-1);
  });

  it("is stepped to from before, within and after it", () => {
    const on = (frame: number, by: number) => nextWord(SAID, [25, 1], frame, by);
    expect([on(0, 1), on(3, 1), on(15, -1), on(20, -1), on(0, -1), on(105, 1)]).toEqual([
      15,
      15,
      0,
      15,
      undefined,
      undefined,
    ]);
  });

  it("is written without a space where it is joined", () => {
    const chinese = words("A", ["剪", "辑", ",", "ok"], { joined: [0, 1, 1, 0] });
    expect(written(chinese, 0, 3)).toBe("剪辑, ok");
    expect(spanOf(chinese, 3, 1)).toEqual([2, 4]);
  });
});
