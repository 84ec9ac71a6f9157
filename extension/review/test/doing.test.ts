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
