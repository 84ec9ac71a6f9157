import { describe, expect, it } from "vitest";
import {
  around,
  backwards,
  broken,
  editBefore,
  editFrom,
  frameOf,
  needed,
  placeAt,
  runs,
  seekTime,
  shuttled,
  soundEdge,
  stepped,
  untilSwitch,
  within,
} from "../src/playlist";
import { board, range, take } from "./fakedesk";

const TAKES = [take("A"), take("B", { rate: [30000, 1001], frames: 600 })];
const LIST = [
  range("1", "A", 100, 150),
  range("2", "A", 150, 200),
  range("3", "B", 30, 90, { status: "rejected" }),
  range("4", "B", 120, 150),
  range("5", "A", 20, 45),
];
const FILM = board(TAKES, LIST);
const short = (list: ReturnType<typeof runs>) =>
  list.map((run) => `${run.take} ${run.frames[0]}-${run.frames[1]}`);

describe("what is played", () => {
  it("is the rest of the range and the kept ranges behind it, those that touch in one run", () => {
    const list = editFrom(FILM, { range: "1", take: "A", frame: 110 });
    expect(short(list)).toEqual(["A 110-200", "B 120-150", "A 20-45"]);
    expect(list[0]?.pieces.map((piece) => piece.range)).toEqual(["1", "2"]);
  });

  it("needs takes in the order in which they come, the one under the playhead first", () => {
    expect(needed(FILM, { range: "4", take: "B", frame: 125 }, 3)).toEqual(["B", "A"]);
    expect(needed(FILM, { range: "1", take: "A", frame: 110 }, 1)).toEqual(["A"]);
  });

  it("is a rejected range too where the playhead stands in it", () => {
    expect(short(editFrom(FILM, { range: "3", take: "B", frame: 40 }))).toEqual([
      "B 40-90",
      "B 120-150",
      "A 20-45",
    ]);
  });

  it("goes straight on from outside of the ranges to the next kept one of the take", () => {
    const list = editFrom(FILM, { range: "1", take: "A", frame: 60 });
    expect(short(list)).toEqual(["A 60-200", "B 120-150", "A 20-45"]);
    expect(list[0]?.pieces.map((piece) => piece.frames)).toEqual([
      [60, 100],
      [100, 150],
      [150, 200],
    ]);
  });

  it("goes on to the end of the take where no range lies ahead", () => {
    expect(short(editFrom(FILM, { range: "4", take: "B", frame: 300 }))).toEqual(["B 300-600"]);
  });

  it("is a piece of its own where two ranges of a take do not touch", () => {
    const list = [range("1", "A", 0, 10), range("2", "A", 11, 20)];
    expect(short(editFrom(board(TAKES, list), { range: "1", take: "A", frame: 0 }))).toEqual([
      "A 0-10",
      "A 11-20",
    ]);
  });

  it("is nothing before the first frame backwards, and all kept ranges before it", () => {
    expect(short(editBefore(FILM, { range: "4", take: "B", frame: 130 }))).toEqual([
      "A 100-200",
      "B 120-131",
    ]);
  });

  it("is cut where a take's file goes over into the next", () => {
    const list = broken(
      editFrom(FILM, { range: "1", take: "A", frame: 100 }),
      (name) => (name === "A" ? [0, 5, 60] : []),
      FILM.takes,
    );
    expect(short(list)).toEqual(["A 100-125", "A 125-200", "B 120-150", "A 20-45"]);
    expect(list[1]?.pieces).toEqual([
      { range: "1", frames: [125, 150] },
      { range: "2", frames: [150, 200] },
    ]);
  });
});

describe("around a cut", () => {
  it("plays two seconds on each side as the edit goes", () => {
    expect(short(around(FILM, "4", { without: false }))).toEqual(["A 150-200", "B 120-150", "A 20-45"]);
  });

  it("plays straight through the take without the cut", () => {
    expect(short(around(FILM, "4", { without: true }))).toEqual(["B 60-180"]);
  });

  it("plays around the out point on wish, and past neither end of the take", () => {
    expect(short(around(FILM, "5", { without: true, out: true }))).toEqual(["A 0-95"]);
    expect(short(around(FILM, "2", { without: false, out: true }))).toEqual([
      "A 150-200",
      "B 120-150",
      "A 20-45",
    ]);
  });

  it("plays a rejected range in its place, to hear whether it is missed", () => {
    expect(short(around(FILM, "3", { without: false, length: 1 }))).toEqual(["A 175-200", "B 30-60"]);
  });

  it("keeps the last or the first seconds of what is played", () => {
    const list = editFrom(FILM, { range: "1", take: "A", frame: 100 });
    expect(short(within(list, 1.2, FILM.takes))).toEqual(["A 100-130"]);
    expect(short(within(list, 1.2, FILM.takes, true))).toEqual(["B 144-150", "A 20-45"]);
  });
});

describe("the sound at a cut", () => {
  const takes = [take("A"), take("B")];
  const edge = (one: object, two: object) => {
    const film = board(takes, [range("1", "A", 0, 50, one), range("2", "B", 0, 50, two)]);
    const [before, after] = editFrom(film, { range: "1", take: "A", frame: 10 });
    return before && after && soundEdge(film, before, after);
  };

  it("changes over with the picture, before it in a J cut, after it in an L cut", () => {
    expect(edge({}, {})).toEqual({ lead: 0, lag: 0 });
    expect(edge({}, { lead: 0.4 })).toEqual({ lead: 0.4, lag: 0 });
    expect(edge({ lag: 0.5 }, {})).toEqual({ lead: 0, lag: 0.5 });
    expect(edge({ lead: 0.3 }, { lag: 0.3 })).toEqual({ lead: 0, lag: 0 });
  });

  it("changes over with the picture where a range is not played to its end", () => {
    const film = board(takes, [range("1", "A", 0, 50, { lag: 0.5 }), range("2", "B", 0, 50, { lead: 0.5 })]);
    const [one, two] = [
      runs([{ take: "A", piece: { range: "1", frames: [0, 40] } }])[0],
      runs([{ take: "B", piece: { range: "2", frames: [10, 40] } }])[0],
    ];
    expect(one && two && soundEdge(film, one, two)).toEqual({ lead: 0, lag: 0 });
  });
});

describe("the switch", () => {
  it("is armed within one frame and a half of the end", () => {
    expect(untilSwitch(3.9, 100, [25, 1], 1, 0)).toBe(null);
    expect(untilSwitch(3.96, 100, [25, 1], 1, 0)).toBeCloseTo(40);
    expect(untilSwitch(3.96, 100, [25, 1], 1, 12)).toBeCloseTo(52);
    expect(untilSwitch(4.02, 100, [25, 1], 1, 0)).toBe(0);
  });

  it("is armed earlier, and comes sooner, at speed", () => {
    expect(untilSwitch(3.84, 100, [25, 1], 4, 0)).toBeCloseTo(40);
  });
});

describe("playing backwards", () => {
  const list = editBefore(FILM, { range: "4", take: "B", frame: 129 });
  it("goes from run to run", () => {
    expect(backwards(list, 0, FILM.takes)?.place).toEqual({ range: "4", take: "B", frame: 129 });
    expect(backwards(list, 10.1 / 29.97, FILM.takes)).toEqual({
      run: 0,
      place: { range: "2", take: "A", frame: 199 },
    });
    expect(backwards(list, 0.3337 + 3, FILM.takes)?.place).toEqual({ range: "1", take: "A", frame: 124 });
  });

  it("ends before the beginning", () => {
    expect(backwards(list, 60, FILM.takes)).toBe(null);
  });
});

describe("the playhead", () => {
  it("knows the range of a frame of a run, and stays within it", () => {
    const run = runs(
      LIST.slice(0, 2).map(({ id, take: name, frames }) => ({ take: name, piece: { range: id, frames } })),
    )[0];
    expect(run && placeAt(run, 149).range).toBe("1");
    expect(run && placeAt(run, 150).range).toBe("2");
    expect(run && placeAt(run, 777)).toEqual({ range: "2", take: "A", frame: 199 });
  });

  it("steps off the range into the take, and into a kept range that touches", () => {
    expect(stepped(FILM, { range: "1", take: "A", frame: 149 }, 1)).toEqual({
      range: "2",
      take: "A",
      frame: 150,
    });
    expect(stepped(FILM, { range: "2", take: "A", frame: 199 }, 1)).toEqual({
      range: "2",
      take: "A",
      frame: 200,
    });
    expect(stepped(FILM, { range: "2", take: "A", frame: 150 }, -1)).toEqual({
      range: "1",
      take: "A",
      frame: 149,
    });
    expect(stepped(FILM, { range: "5", take: "A", frame: 20 }, -25).frame).toBe(0);
    expect(stepped(FILM, { range: "5", take: "A", frame: 990 }, 25).frame).toBe(999);
  });

  it("goes faster with each press the same way, and turns at once", () => {
    expect([shuttled(0, 1), shuttled(1, 1), shuttled(2, 1), shuttled(8, 1)]).toEqual([1, 2, 4, 8]);
    expect([shuttled(4, -1), shuttled(-1, -1), shuttled(-4, 0)]).toEqual([-1, -2, 0]);
  });

  it("is told by the time of a picture, and sought a little inside its frame", () => {
    for (const frame of [0, 1, 29, 17_981, 323_676]) {
      const rate = [30000, 1001] as const;
      expect(frameOf((frame * 1001) / 30000, rate)).toBe(frame);
      expect(Math.floor(seekTime(frame, rate) * (30000 / 1001))).toBe(frame);
    }
  });
});
