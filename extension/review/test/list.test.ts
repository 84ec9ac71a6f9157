// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Bench } from "../src/desk";
import { createList, ROW, widest } from "../src/list";
import { FakeKernel } from "./fake";
import { range } from "./fakedesk";
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

it("a row says its reason before why it was decided, and that a range has no words", async () => {
  const { kernel, box } = await open(6);
  kernel.elsewhere((board) => ({
    ...board,
    ranges: board.ranges.map((each) => ({
      ...each,
      reason: "the line",
      why: "she smiles",
      problem: "",
      quote: "",
    })),
  }));
  await Promise.resolve();
  expect(box.querySelector(".cb-reason")?.textContent).toBe("the line · she smiles");
  expect(box.querySelector(".cb-quote.cb-wordless")?.textContent).toContain("no words");
});

it("a column is as wide as its longest name, within bounds", () => {
  expect(widest([range("1", "C1", 0, 1)], "take")).toBe(6);
  expect(widest([range("1", "C1", 0, 1), range("2", "Über Straße", 0, 1)], "take")).toBe(11);
  expect(widest([range("1", "剪辑软件", 0, 1)], "take")).toBe(8);
  expect(widest([range("1", "a".repeat(80), 0, 1)], "take")).toBe(26);
});

it("two quick clicks on a mark are one", async () => {
  const { kernel, box } = await open(6);
  const mark = box.querySelector<HTMLButtonElement>(".cb-row .cb-mark");
  for (const detail of [1, 2]) mark?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
  expect(kernel.heard.filter(({ type }) => type === "do")).toHaveLength(1);
});
