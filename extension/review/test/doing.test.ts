// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Bench } from "../src/desk";
import { Doing } from "../src/doing";
import type { Forms } from "../src/forms";
import { FakeKernel } from "./fake";
import { material } from "./material";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("an edge is moved until one frame is left, and both that and the last word's going are said", async () => {
  const kernel = new FakeKernel(material(6, "en"));
  const desk = new Bench(document.createElement("div"), kernel, kernel);
  desk.open();
  await vi.advanceTimersByTimeAsync(60);
  const { here } = desk;
  if (!here) throw new Error("no range");
  desk.words(here.take);
  await vi.advanceTimersByTimeAsync(60);
  const doing = new Doing(desk, {} as Forms);
  const said = new Set<string>();
  desk.on("said", () => said.add(desk.line));
  const [first, end] = here.frames;
  for (let press = 0; press < end - first + 3; press++) doing.nudge("out", -1);
  expect(desk.here?.frames).toEqual([first, first + 1]);
  expect(said).toContain("no word is left in the range");
  expect(desk.line).toBe("one frame at least stays of a range");
});

async function opened() {
  const kernel = new FakeKernel(material(6, "en"));
  const desk = new Bench(document.createElement("div"), kernel, kernel);
  desk.open();
  await vi.advanceTimersByTimeAsync(60);
  const ids = desk.board.ranges.map(({ id }) => id);
  return { kernel, desk, doing: new Doing(desk, {} as Forms), ids };
}

it("a range whose take is not there is not accepted, and stays the current one, so that R is of it", async () => {
  const { kernel, desk, doing, ids } = await opened();
  kernel.elsewhere((board) => ({
    ...board,
    ranges: board.ranges.map((each, at) =>
      at === 2 ? { ...each, status: "undecided", problem: "the file is gone; reject its ranges" } : each,
    ),
  }));
  desk.visit(ids[2] ?? "");
  doing.decide("accept");
  expect(desk.line).toBe("range 3 cannot be accepted: the file is gone; reject its ranges");
  expect(desk.playhead.range).toBe(ids[2]);
  expect(kernel.heard.some(({ type }) => type === "do")).toBe(false);
  doing.decide("reject");
  expect(desk.range(ids[2] ?? "")?.status).toBe("rejected");
});

it("a decision that is refused leads back to its range, unless a person is elsewhere by then", async () => {
  const { kernel, desk, doing, ids } = await opened();
  kernel.listening = false;
  const refuse = (id: number) =>
    kernel.tell({
      type: "ack",
      view: desk.view,
      id,
      ok: false,
      error: "it cannot be accepted",
      stale: false,
      board: kernel.board,
      said: "",
    });
  const number = () => kernel.heard.flatMap((each) => (each.type === "do" ? [each.id] : [])).at(-1) ?? 0;
  desk.visit(ids[2] ?? "");
  doing.decide("accept");
  expect(desk.playhead.range).toBe(ids[3]);
  refuse(number());
  expect(desk.playhead.range).toBe(ids[2]);
  expect(desk.line).toBe("it cannot be accepted");
  doing.decide("accept");
  desk.visit(ids[5] ?? "");
  refuse(number());
  expect(desk.playhead.range).toBe(ids[5]);
});

it("says why nothing is done to a range that the filter hides, at the ends, and between takes", async () => {
  const { desk, doing, ids } = await opened();
  desk.visit(ids[1] ?? "");
  desk.show([], "no fillers are left");
  expect(doing.hidden()).toBe("no fillers are left; esc shows all");
  desk.show([ids[4] ?? ""]);
  expect(doing.hidden()).toBe("range 2 is not among those shown; esc shows all");
  desk.show(null);
  expect([doing.hidden(), doing.still(-1), doing.still(1), doing.stuck(1)]).toEqual(["", "", "", ""]);
  desk.visit(ids[0] ?? "");
  expect([doing.still(-1), doing.stuck(-1)]).toEqual(["this is the first range", "this is the first cut"]);
  desk.go({ frame: (desk.here?.frames[0] ?? 0) + 1 });
  expect(doing.stuck(-1)).toBe("");
  desk.visit(ids[5] ?? "");
  expect([doing.still(1), doing.stuck(1)]).toEqual(["this is the last range", "this is the last cut"]);
  expect(doing.apart()).toBe("there is no range after this one");
});
