// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Bench } from "../src/desk";
import { createList, ROW } from "../src/list";
import { FakeKernel } from "./fake";
import { material } from "./material";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

async function open(cuts: number) {
  const kernel = new FakeKernel(material(cuts, "en"));
  const root = document.createElement("div");
  const box = document.createElement("div");
  document.body.replaceChildren(root);
  root.append(box);
  const desk = new Bench(root, kernel, kernel);
  const list = createList(desk, box, () => {});
  desk.open();
  await vi.advanceTimersByTimeAsync(30);
  return { kernel, desk, box, list };
}

it("the current row stays in sight when a range comes in above it", async () => {
  const { kernel, desk, box } = await open(40);
  // Eight rows are seen: the twentieth is brought into sight from above, as the last but one.
  const twentieth = desk.board.ranges[19];
  desk.visit(twentieth?.id ?? "");
  expect(box.scrollTop).toBe(13 * ROW);
  const [first] = desk.board.ranges;
  const more = [1, 2, 3].flatMap((n) => (first ? [{ ...first, id: `more${n}` }] : []));
  kernel.elsewhere((board) => ({ ...board, ranges: [...more, ...board.ranges] }));
  expect(box.scrollTop).toBe(16 * ROW);
  expect(box.getAttribute("aria-activedescendant")).not.toBe(null);
});

it("a person who looks elsewhere in the list is left there", async () => {
  const { kernel, desk, box } = await open(40);
  desk.visit(desk.board.ranges[19]?.id ?? "");
  box.scrollTop = 0;
  box.dispatchEvent(new Event("scroll"));
  kernel.elsewhere((board) => ({ ...board, ranges: board.ranges.slice(1) }));
  expect(box.scrollTop).toBe(0);
});

it("an empty list says what there is none of", async () => {
  const { desk, box } = await open(6);
  desk.show([], "no fillers are left");
  expect(box.querySelector(".cb-empty")?.textContent).toBe("no fillers are left");
});
