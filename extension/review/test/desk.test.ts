// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Bench } from "../src/desk";
import { FakeKernel } from "./fake";
import { material } from "./material";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function open(cuts = 6, delay = 20) {
  const kernel = new FakeKernel(material(cuts, "en"), { delay });
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  const desk = new Bench(root, kernel, kernel);
  const told: string[] = [];
  for (const what of ["board", "playhead", "words", "clip", "shown", "picked"] as const) {
    desk.on(what, () => told.push(what));
  }
  desk.open();
  await vi.advanceTimersByTimeAsync(30);
  const range = (number: number) => {
    const found = desk.board.ranges[number - 1];
    if (!found) throw new Error(`no range ${number}`);
    return found;
  };
  return { kernel, desk, told, range };
}

describe("the playhead", () => {
  it("begins at the first kept range's first frame", async () => {
    const { desk } = await open();
    const first = desk.board.ranges.find((each) => each.status !== "rejected");
    expect(desk.playhead).toMatchObject({ range: first?.id, take: first?.take, frame: first?.frames[0] });
  });
  it("goes to a range's beginning, to a frame within it, and never out of the take", async () => {
    const { desk, range } = await open();
    const third = range(3);
    desk.go({ range: third.id });
    expect(desk.playhead).toMatchObject({ range: third.id, frame: third.frames[0] });
    desk.go({ range: third.id, frame: third.frames[1] - 1 });
    expect(desk.playhead.frame).toBe(third.frames[1] - 1);
    desk.go({ frame: 1e9 });
    expect(desk.playhead.frame).toBe((desk.board.takes[third.take]?.frames ?? 0) - 1);
    desk.go({ frame: -5 });
    expect(desk.playhead.frame).toBe(0);
  });
  it("takes the range that shows a frame, and keeps the current one where none does", async () => {
    const { desk, range } = await open();
    desk.go({ take: range(3).take, frame: range(3).frames[0] + 2 });
    expect(desk.playhead.range).toBe(range(3).id);
    desk.go({ take: range(3).take, frame: range(3).frames[1] });
    expect(desk.playhead.range).toBe(range(3).id);
  });
  it("knows no range by a name that nobody has", async () => {
    const { desk } = await open();
    const before = desk.playhead;
    desk.go({ range: "nobody" });
    expect(desk.playhead).toBe(before);
  });
  it("stays on its frame when its range is merged away", async () => {
    const { desk, range } = await open();
    const [first, second] = [range(1), range(2)];
    desk.go({ range: second.id });
    desk.do({ verb: "merge", range: first.id });
    expect(desk.playhead).toMatchObject({ range: first.id, frame: second.frames[0] });
  });
});

describe("the playhead, when its range is another", () => {
  it("goes to the in point of the take that was taken, also when the kernel has the last word, and back", async () => {
    const { desk, range } = await open();
    const { id, take, frames } = range(3);
    const other = Object.keys(desk.board.takes).find((name) => name !== take) ?? "";
    desk.go({ range: id, frame: frames[0] + 5 });
    desk.do({ verb: "swap", range: id, take: other, words: [4, 9] });
    desk.words(other);
    await vi.advanceTimersByTimeAsync(60);
    expect(range(3).take).toBe(other);
    expect(desk.playhead).toMatchObject({ range: id, take: other, frame: range(3).frames[0] });
    desk.do({ verb: "undo" });
    await vi.advanceTimersByTimeAsync(60);
    expect(desk.playhead).toMatchObject({ range: id, take, frame: frames[0] });
  });
  it("comes into it again when its frames move away from under it, and stays in it otherwise", async () => {
    const { desk, kernel, range } = await open();
    const { id, frames } = range(3);
    const [first, end] = frames;
    const frame = (to: readonly [number, number]) =>
      kernel.elsewhere((board) => ({
        ...board,
        ranges: board.ranges.map((each) => (each.id === id ? { ...each, frames: to } : each)),
      }));
    desk.go({ range: id, frame: first + 2 });
    frame([first + 1, end]);
    expect(desk.playhead.frame).toBe(first + 2);
    frame([first + 4, end]);
    expect(desk.playhead.frame).toBe(first + 4);
    frame([first, end]);
    expect(desk.playhead.frame).toBe(first);
  });
  it("comes back to it when a swap within its take is undone, whatever else shows the frame", async () => {
    const { desk, range } = await open(12);
    const { id, take, frames } = range(1);
    const used = range(3);
    expect(used.take).toBe(take);
    desk.words(take);
    await vi.advanceTimersByTimeAsync(60);
    desk.go({ range: id });
    desk.do({ verb: "swap", range: id, take, words: [...(used.words ?? [1, 1])] });
    await vi.advanceTimersByTimeAsync(60);
    expect(desk.playhead.frame).toBe(range(1).frames[0]);
    expect(desk.playhead.frame).not.toBe(frames[0]);
    desk.do({ verb: "undo" });
    await vi.advanceTimersByTimeAsync(60);
    expect(desk.playhead).toMatchObject({ range: id, take, frame: frames[0] });
  });
  it("stays where a range was split", async () => {
    const { desk, range } = await open();
    const [first, end] = range(3).frames;
    const middle = Math.floor((first + end) / 2);
    desk.go({ range: range(3).id, frame: middle });
    desk.do({ verb: "split", range: range(3).id, frame: middle });
    await vi.advanceTimersByTimeAsync(60);
    expect(desk.playhead.frame).toBe(middle);
  });
});

it("a clip that there was none of is asked for again when its take comes into the cut list", async () => {
  const { desk, kernel, range } = await open();
  const spare = { ...range(1), id: "spare", take: "C0999" };
  const known = desk.board.takes[range(1).take];
  if (!known) throw new Error("no take");
  kernel.elsewhere((board) => ({ ...board, takes: { ...board.takes, C0999: { ...known, name: "C0999" } } }));
  const asked = () => kernel.heard.filter((each) => each.type === "ask" && each.what === "clip").length;
  desk.clip("C0999");
  await vi.advanceTimersByTimeAsync(30);
  desk.clip("C0999");
  expect([desk.clip("C0999")?.state, asked()]).toEqual(["none", 1]);
  kernel.elsewhere((board) => ({ ...board, ranges: [...board.ranges, spare] }));
  desk.clip("C0999");
  expect(asked()).toBe(2);
});

describe("neighbours", () => {
  it("pass rejected ranges over where only kept ones are wanted", async () => {
    const { desk, range } = await open();
    desk.do({ verb: "reject", ranges: [range(2).id] });
    expect(desk.neighbour(range(1).id, 1, false)?.id).toBe(range(2).id);
    expect(desk.neighbour(range(1).id, 1, true)?.id).toBe(range(3).id);
    expect(desk.neighbour(range(6).id, 1, false)).toBeUndefined();
  });
});

describe("a change", () => {
  it("is on the board at once, and marked until the kernel has it", async () => {
    const { desk, range } = await open();
    const { id } = range(2);
    desk.do({ verb: "reject", ranges: [id] });
    expect(range(2).status).toBe("rejected");
    expect([desk.waits(id), desk.waits(range(1).id)]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(30);
    expect(range(2).status).toBe("rejected");
    expect(desk.waits(id)).toBe(false);
  });
  it("of mine stays when somebody else's comes in between", async () => {
    const { desk, kernel, range } = await open();
    desk.do({ verb: "reject", ranges: [range(2).id] });
    kernel.elsewhere((board) => ({ ...board, title: "theirs" }));
    expect(desk.board.title).toBe("theirs");
    expect(range(2).status).toBe("rejected");
  });
  it("is none where the cut list is to look at", async () => {
    const { desk, kernel, range } = await open();
    kernel.elsewhere((board) => ({ ...board, locked: "an earlier version" }));
    desk.do({ verb: "accept", ranges: [range(1).id] });
    expect(desk.line).toBe("an earlier version");
    expect(kernel.heard.some((each) => each.type === "do")).toBe(false);
  });
});

describe("a cut list that cannot be read", () => {
  const broken = "edl.json is no JSON; mend it, or undo";
  it("is undone all the same, and what was said of it goes when it is mended", async () => {
    const { desk, kernel, range } = await open();
    const { title } = desk.board;
    kernel.elsewhere((board) => ({ ...board, locked: broken, undo: true }));
    desk.do({ verb: "accept", ranges: [range(1).id] });
    expect(desk.line).toBe(broken);
    desk.do({ verb: "undo" });
    await vi.advanceTimersByTimeAsync(30);
    expect(kernel.heard.filter((each) => each.type === "do")).toMatchObject([{ change: { verb: "undo" } }]);
    expect([desk.board.locked, desk.board.title, desk.line]).toEqual(["", title, ""]);
    kernel.elsewhere((board) => ({ ...board, locked: broken, undo: true }));
    desk.say(broken);
    kernel.elsewhere((board) => ({ ...board, locked: "" }));
    expect(desk.line).toBe("");
  });
  it("of an earlier version is not", async () => {
    const { desk, kernel } = await open();
    kernel.elsewhere((board) => ({ ...board, locked: "version 2" }));
    kernel.board = { ...kernel.board, undo: false };
    kernel.tell({ type: "changed", board: kernel.board, by: "" });
    desk.do({ verb: "undo" });
    expect(desk.line).toBe("version 2");
    expect(kernel.heard.some((each) => each.type === "do")).toBe(false);
  });
});

describe("what was not saved", () => {
  beforeEach(() => sessionStorage.clear());

  async function lost() {
    const first = await open();
    const { desk, kernel, range } = first;
    desk.do({ verb: "accept", ranges: [range(1).id] });
    await vi.advanceTimersByTimeAsync(60);
    kernel.listening = false;
    desk.do({ verb: "accept", ranges: [range(5).id] });
    desk.do({ verb: "reject", ranges: [range(6).id], why: "she looks away" });
    desk.do({ verb: "note", text: "ask Theo" });
    await vi.advanceTimersByTimeAsync(4000);
    return first;
  }
  async function anew(was: Awaited<ReturnType<typeof lost>>) {
    const kernel = new FakeKernel(material(6, "en"));
    kernel.board = was.kernel.board;
    const desk = new Bench(document.createElement("div"), kernel, kernel);
    desk.open();
    await vi.advanceTimersByTimeAsync(60);
    return { kernel, desk };
  }

  it("is named by the view that did it", async () => {
    const { desk } = await lost();
    expect(desk.saving.state).toBe("lost");
    expect(desk.unsaved.map(({ label }) => label)).toEqual(["5 accept", "6 reject", "note “ask Theo”"]);
  });
  it("is named by the next view, sent by nobody, and done again on wish", async () => {
    const was = await lost();
    was.desk.close();
    const { kernel, desk } = await anew(was);
    expect(desk.missed.map(({ label }) => label)).toEqual(["5 accept", "6 reject", "note “ask Theo”"]);
    expect(kernel.heard.some(({ type }) => type === "do")).toBe(false);
    desk.again();
    await vi.advanceTimersByTimeAsync(60);
    expect(desk.missed).toEqual([]);
    expect(desk.board.ranges.slice(4)).toMatchObject([
      { status: "accepted" },
      { status: "rejected", why: "she looks away" },
    ]);
    desk.close();
    expect((await anew(was)).desk.missed, "it is offered once").toEqual([]);
  });
  it("is left out where it came into the cut list after all, or the cut list is another", async () => {
    const was = await lost();
    was.desk.close();
    was.kernel.elsewhere((board) => ({
      ...board,
      ranges: board.ranges.map((each, at) => (at === 4 ? { ...each, status: "accepted" } : each)),
    }));
    expect((await anew(was)).desk.missed.map(({ label }) => label)).toEqual(["6 reject"]);
    const again = await lost();
    again.desk.close();
    again.kernel.elsewhere((board) => ({ ...board, title: "another" }));
    expect((await anew(again)).desk.missed).toEqual([]);
  });
  it("is forgotten on wish, and kept for nobody where all was saved", async () => {
    const was = await lost();
    was.desk.close();
    const { desk } = await anew(was);
    desk.forget();
    expect(desk.missed).toEqual([]);
    desk.close();
    expect(sessionStorage.length).toBe(0);
  });
  it("for another's change is named, each of them, and done again on wish", async () => {
    const { desk, kernel, range } = await open();
    kernel.listening = false;
    const [first, second] = [range(2), range(3)];
    desk.do({ verb: "accept", ranges: [first.id] });
    desk.do({ verb: "trim", range: second.id, edge: "in", frame: second.frames[0] + 2, exact: true });
    const numbers = kernel.heard.flatMap((each) => (each.type === "do" ? [each.id] : []));
    for (const id of numbers) {
      const error = "the cut list was changed elsewhere";
      const ack = {
        type: "ack",
        view: desk.view,
        ok: false,
        stale: true,
        board: kernel.board,
        said: "",
      } as const;
      kernel.tell({ ...ack, id, error });
    }
    expect(desk.missedWhy).toBe("Not done, since the cut list was changed elsewhere");
    expect(desk.missed.map(({ label }) => label)).toEqual(["2 accept", "3 trim"]);
    kernel.listening = true;
    kernel.elsewhere((board) => ({ ...board, ranges: board.ranges.filter(({ id }) => id !== second.id) }));
    desk.again();
    await vi.advanceTimersByTimeAsync(60);
    expect(range(2).status).toBe("accepted");
    expect(desk.line).toBe("cannot be done again: 3 trim");
  });
});

describe("words", () => {
  it("are asked for once, and told of when they are there", async () => {
    const { desk, kernel, told } = await open();
    expect(desk.words("C0103")).toBeUndefined();
    expect(desk.words("C0103")).toBeUndefined();
    await vi.advanceTimersByTimeAsync(30);
    expect(desk.words("C0103")?.take).toBe("C0103");
    expect(told.filter((each) => each === "words")).toHaveLength(1);
    expect(kernel.heard.filter((each) => each.type === "ask" && each.what === "words")).toHaveLength(1);
  });
  it("are asked for anew when the take's stamp is another; the old ones serve until then", async () => {
    const { desk, kernel } = await open();
    desk.words("C0103");
    await vi.advanceTimersByTimeAsync(30);
    kernel.elsewhere((board) => {
      const take = board.takes.C0103;
      return take ? { ...board, takes: { ...board.takes, C0103: { ...take, stamp: "2" } } } : board;
    });
    expect(desk.words("C0103")).toBeDefined();
    expect(kernel.heard.filter((each) => each.type === "ask" && each.what === "words")).toHaveLength(2);
  });
  it("of a take without any are not asked for", async () => {
    const { desk, kernel } = await open();
    desk.words("nobody");
    expect(kernel.heard.some((each) => each.type === "ask")).toBe(false);
  });
});

it("a clip is told of when it changes", async () => {
  const { desk, kernel, told } = await open();
  desk.clip("C0103");
  await vi.advanceTimersByTimeAsync(30);
  expect(desk.clip("C0103")?.state).toBe("none");
  const made = {
    take: "C0103",
    state: "ready",
    progress: 1,
    problem: "",
    url: "/x",
    size: 1,
    seconds: 1,
    parts: [],
  } as const;
  kernel.tell({ type: "clip", clip: made });
  expect(desk.clip("C0103")).toEqual(made);
  expect(told.filter((each) => each === "clip")).toHaveLength(2);
});

it("one listener's fault is not the others'", async () => {
  const { desk } = await open();
  vi.spyOn(console, "error").mockImplementation(() => {});
  const heard = vi.fn<() => void>();
  desk.on("picked", () => {
    throw new Error("mine");
  });
  desk.on("picked", heard);
  desk.pick({ take: "C0103", words: [1, 2] });
  expect(heard).toHaveBeenCalledOnce();
});

describe("a selection", () => {
  const words = { take: "C0103", words: [1, 2] as const };
  it("is dropped by a move to another range, by undo, redo and a decision", async () => {
    const { desk, range } = await open();
    const first = range(1);
    const leaves: (() => void)[] = [
      () => desk.visit(range(2).id),
      () => desk.go({ range: range(3).id }),
      () => desk.do({ verb: "undo" }),
      () => desk.do({ verb: "redo" }),
      () => desk.do({ verb: "accept", ranges: [first.id] }),
    ];
    for (const leave of leaves) {
      desk.go({ range: first.id });
      desk.pick(words);
      leave();
      expect(desk.picked).toBe(null);
    }
  });
  it("stays for moves within its range, and when it is cut, so that it can be put back", async () => {
    const { desk, range } = await open();
    const { id, take, words: all } = range(1);
    const picked = { take, words: [(all?.[0] ?? 0) + 1, (all?.[0] ?? 0) + 2] as const };
    desk.pick(picked);
    desk.go({ frame: range(1).frames[0] + 3 });
    desk.do({ verb: "cut", range: id, words: [...picked.words] });
    desk.do({ verb: "note", text: "why" });
    expect(desk.picked).toBe(picked);
  });
  it("outlives one range that the edit plays on to, not two", async () => {
    const { desk, range } = await open();
    const { take, words: all } = range(1);
    desk.pick({ take, words: all ?? [1, 1] });
    desk.play(true, 1);
    desk.go({ range: range(2).id });
    expect(desk.picked).not.toBe(null);
    desk.go({ range: range(3).id });
    expect(desk.picked).toBe(null);
  });
});

it("what was said is taken back by the next move or change, and not by the edit that plays", async () => {
  const { desk, range } = await open();
  desk.say("nothing to undo");
  desk.play(true, 1);
  desk.go({ range: range(1).id, frame: range(1).frames[0] + 1 });
  expect(desk.line).toBe("nothing to undo");
  desk.play(false, 1);
  desk.go({ range: range(2).id });
  expect(desk.line).toBe("");
  desk.say("undone");
  desk.do({ verb: "accept", ranges: [range(2).id] });
  expect(desk.line).toBe("");
});
