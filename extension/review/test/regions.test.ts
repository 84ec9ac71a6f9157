import { describe, expect, it } from "vitest";
import { gain } from "../src/reel";
import {
  around,
  beside,
  columns,
  drawn,
  gripAt,
  kept,
  limited,
  merged,
  quietest,
  regions,
  snapped,
  ticks,
  toTime,
  toX,
  zoomed,
} from "../src/regions";
import { board, range, take, words } from "./fakedesk";

const SHOWN = { from: 2, to: 6 };

describe("the strip's window", () => {
  it("turns times to pixels and back", () => {
    expect(toX(3, SHOWN, 400)).toBe(100);
    expect(toTime(100, SHOWN, 400)).toBe(3);
  });

  it("shows a range with some of the take around it, and stays in the take", () => {
    expect(around([250, 500], [25, 1], 60)).toEqual({ from: 7, to: 23 });
    expect(around([0, 250], [25, 1], 60)).toEqual({ from: 0, to: 16 });
    expect(kept({ from: 50, to: 70 }, 60)).toEqual({ from: 40, to: 60 });
    expect(kept({ from: -5, to: 70 }, 60)).toEqual({ from: 0, to: 60 });
  });

  it("zooms around a time, neither past the take nor closer than makes sense", () => {
    expect(zoomed(SHOWN, 0.5, 3, 60)).toEqual({ from: 2.5, to: 4.5 });
    expect(zoomed(SHOWN, 100, 3, 60)).toEqual({ from: 0, to: 60 });
    const close = zoomed(SHOWN, 1e-9, 3, 60);
    expect(close.to - close.from).toBeCloseTo(0.25);
  });

  it("has marks at round times that are far enough apart", () => {
    expect(ticks(SHOWN, 400).map(({ time }) => time)).toEqual([2, 3, 4, 5, 6]);
    expect(ticks({ from: 0, to: 10800 }, 1000).map(({ step }) => step)).toContain(900);
  });
});

describe("peaks", () => {
  it("become columns that hold the loudest of their time", () => {
    const peaks = new Uint8Array(1000).map((_, at) => (at === 250 ? 200 : 10));
    expect([...columns(peaks, { from: 2, to: 3 }, 4)]).toEqual([10, 10, 200, 10]);
  });

  it("are repeated where a column is narrower than one, and none behind the end", () => {
    expect([...columns(new Uint8Array([1, 2, 3]), { from: 0, to: 0.04 }, 8)]).toEqual([
      1, 1, 2, 2, 3, 3, 0, 0,
    ]);
  });
});

describe("a quiet take", () => {
  it("is drawn larger, so that all but its loudest thousandth has the full height", () => {
    expect(gain(new Uint8Array(5000).fill(51).fill(255, 0, 4))).toBe(5);
    expect(gain(new Uint8Array(5000).fill(51).fill(255, 0, 6))).toBe(1);
    expect(gain(new Uint8Array(100))).toBe(6);
    expect(gain(new Uint8Array(0))).toBe(6);
  });
});

describe("regions", () => {
  const film = board(
    [take("A"), take("B")],
    [range("1", "A", 50, 100), range("2", "A", 100, 125), range("3", "B", 60, 90), range("4", "A", 500, 600)],
  );
  const list = regions(film, "A", SHOWN, 400);

  it("are the ranges of the take that are in sight", () => {
    expect(list.map(({ range: { id }, x, end }) => [id, x, end])).toEqual([
      ["1", 0, 200],
      ["2", 200, 300],
    ]);
  });

  it("are taken hold of at an edge: of two that touch, the current range's, else the one under the pointer", () => {
    expect(gripAt(list, 297, "1")).toEqual({ range: "2", edge: "out" });
    expect(gripAt(list, 198, "2")).toEqual({ range: "2", edge: "in" });
    expect(gripAt(list, 198, "")).toEqual({ range: "1", edge: "out" });
    expect(gripAt(list, 202, "")).toEqual({ range: "2", edge: "in" });
    expect(gripAt(list, 150, "1")).toBe(null);
  });

  it("keep a frame and stay in the take", () => {
    const one = range("1", "A", 50, 100);
    expect(limited(one, "in", 140, 1000)).toBe(99);
    expect(limited(one, "in", -3, 1000)).toBe(0);
    expect(limited(one, "out", 20, 1000)).toBe(51);
    expect(limited(one, "out", 2000, 1000)).toBe(1000);
  });
});

describe("ranges that overlap", () => {
  it("are one where they do, so that no place is drawn twice", () => {
    const list = Array.from({ length: 30 }, (_, at) => ({ x: at * 2, end: 100 + at * 2 }));
    expect(merged([...list, { x: 300, end: 310 }])).toEqual([
      { x: 0, end: 158 },
      { x: 300, end: 310 },
    ]);
  });

  it("leave of one another what lies beside them", () => {
    const list = [
      { x: 0, end: 50 },
      { x: 40, end: 100 },
    ];
    expect(beside(list, [{ x: 30, end: 60 }])).toEqual([
      { x: 0, end: 30 },
      { x: 60, end: 100 },
    ]);
    expect(beside(list, [{ x: -5, end: 100 }])).toEqual([]);
  });
});

describe("an edge that is drawn too far", () => {
  const said = words("A", ["one", "two", "three", "four"]);
  const two = range("1", "A", 0, 28, { words: [1, 2] });

  it("says where it is, and that one frame, or no word, is left", () => {
    const to = (frame: number, of = two) => drawn(of, "out", frame, said, [25, 1]);
    expect(to(14)).toBe("00:00.56 −0.56 s");
    expect(to(4)).toBe("00:00.16 −0.96 s · no word is left");
    expect(to(1)).toBe("00:00.04 −1.08 s · one frame is left · no word is left");
    expect(to(4, { ...two, words: null })).toBe("00:00.16 −0.96 s");
    expect(drawn(two, "in", 27, said, [25, 1])).toContain("+1.08 s · one frame is left");
  });
});

describe("snapping", () => {
  // Words of half a second with a tenth between them: 0–0.5, 0.6–1.1, 1.2–1.7 …
  const said = words("A", ["one", "two", "three", "four"]);

  it("takes an in point to the air before a word", () => {
    // 50 ms before 1.2 s is 1.15 s, which lies in frame 28 of 25 a second.
    expect(snapped("in", 30, 4, said, [25, 1])).toBe(28);
    expect(snapped("in", 22, 4, said, [25, 1])).toBe(null);
  });

  it("takes an out point to the air after a word, and no further than the next", () => {
    // 80 ms after 1.1 s is 1.18 s, and the frame that holds it ends with frame 30.
    expect(snapped("out", 28, 4, said, [25, 1])).toBe(30);
  });

  it("looks for the quietest place in that air", () => {
    const peaks = new Uint8Array(300).fill(90);
    peaks[113] = 4;
    expect(quietest(peaks, 1.1, 1.18, "to")).toBeCloseTo(1.135);
    expect(quietest(peaks, 1.5, 1.55, "from")).toBe(1.5);
    expect(snapped("out", 28, 4, said, [25, 1], peaks)).toBe(29);
  });
});
