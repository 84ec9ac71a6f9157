import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Link, PATIENCE } from "../src/link";
import type { Board, Saving } from "../src/types";
import { FakeKernel } from "./fake";
import { material } from "./material";

const accept = { verb: "accept" as const, ranges: ["r1"] };

function open(delay = 20) {
  const kernel = new FakeKernel(material(3, "en"), { delay });
  const boards: Board[] = [];
  const states: Saving[] = [];
  const said: string[] = [];
  const refused: (readonly [label: string, stale: boolean])[] = [];
  const link: Link = new Link(
    kernel,
    kernel,
    {
      board: (board) => boards.push(board),
      clip: () => {},
      saving: () => states.push(link.saving),
      refused: (missed, stale) => refused.push([missed.label, stale]),
      said: (text) => said.push(text),
      resolve: (id) => (id === "r1…" ? "n1" : null),
    },
    "me",
  );
  return { kernel, link, boards, states, said, refused };
}
const sent = (kernel: FakeKernel) => kernel.heard.filter((each) => each.type === "do");

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a change", () => {
  it("is saving until it is acknowledged, then saved", async () => {
    const { link, states, boards } = open();
    link.hello();
    await vi.advanceTimersByTimeAsync(30);
    link.do(accept);
    expect(link.waiting).toEqual([accept]);
    expect(link.saving).toEqual({ state: "saving", waiting: 1 });
    await vi.advanceTimersByTimeAsync(30);
    expect(link.saving).toEqual({ state: "saved" });
    expect(states.map((each) => each.state)).toEqual(["saving", "saved"]);
    expect(boards.at(-1)?.ranges[0]?.status).toBe("accepted");
  });
  it("carries view, a number of its own, and the last version seen", async () => {
    const { link, kernel } = open();
    link.hello();
    await vi.advanceTimersByTimeAsync(30);
    link.do(accept);
    link.do({ verb: "reject", ranges: ["r2"] });
    expect(sent(kernel)).toMatchObject([
      { view: "me", id: 1, base: 7 },
      { view: "me", id: 2, base: 7 },
    ]);
  });
  it("waits for a busy kernel, however long it takes", async () => {
    const { link, kernel } = open(60_000);
    kernel.beat("busy");
    for (let n = 0; n < 3; n++) link.do(accept);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(link.saving).toEqual({ state: "waiting", waiting: 3 });
    kernel.beat("idle");
    expect(link.saving.state).toBe("waiting");
    await vi.advanceTimersByTimeAsync(31_000);
    expect(link.saving).toEqual({ state: "saved" });
  });
  it("is lost when an idle kernel owes its acknowledgement, and says so after a second and a half", async () => {
    const { link, kernel } = open();
    kernel.listening = false;
    link.do(accept);
    await vi.advanceTimersByTimeAsync(PATIENCE - 50);
    expect(link.saving.state).toBe("saving");
    await vi.advanceTimersByTimeAsync(100);
    expect(link.saving).toEqual({ state: "lost", waiting: 1 });
  });
  it("waits where the kernel's state is not to be known", async () => {
    const { link, kernel } = open();
    kernel.listening = false;
    kernel.beat("unknown");
    link.do(accept);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(link.saving).toEqual({ state: "waiting", waiting: 1 });
  });
  it("of a range that the kernel has not named yet is sent when it has", async () => {
    const { link, kernel } = open();
    link.do({ verb: "split", range: "r1", frame: 40 });
    link.do({ verb: "accept", ranges: ["r1…"] });
    expect(sent(kernel)).toHaveLength(1);
    kernel.listening = false;
    kernel.tell({
      type: "ack",
      view: "me",
      id: 1,
      ok: true,
      error: "",
      stale: false,
      board: kernel.board,
      said: "",
    });
    expect(sent(kernel).at(-1)).toMatchObject({ id: 2, change: { verb: "accept", ranges: ["n1"] } });
  });
  it("that is refused says why, and is no more", async () => {
    const { link, said } = open();
    link.do({ verb: "merge", range: "nobody" });
    await vi.advanceTimersByTimeAsync(30);
    expect(said).toEqual(["there is no such range"]);
    expect(link.waiting).toEqual([]);
    expect(link.saving).toEqual({ state: "refused", error: "there is no such range" });
    await vi.advanceTimersByTimeAsync(9000);
    expect(link.saving).toEqual({ state: "saved" });
  });
});

describe("the kernel", () => {
  it("that is dead is shown, with what it did not save", async () => {
    const { link, kernel } = open();
    kernel.listening = false;
    link.do(accept);
    kernel.beat("dead");
    expect(link.saving).toEqual({ state: "dead", waiting: 1 });
  });
  it("that was restarted is found out before a person does anything", async () => {
    const { link, kernel } = open();
    link.hello();
    await vi.advanceTimersByTimeAsync(30);
    kernel.listening = false;
    kernel.beat("away");
    kernel.beat("idle");
    await vi.advanceTimersByTimeAsync(PATIENCE + 50);
    expect(link.saving).toEqual({ state: "lost", waiting: 0 });
  });
  it("that lost its connection for a while is asked anew", async () => {
    const { link, kernel, boards } = open();
    link.hello();
    await vi.advanceTimersByTimeAsync(30);
    kernel.beat("away");
    kernel.beat("idle");
    await vi.advanceTimersByTimeAsync(PATIENCE + 50);
    expect(link.saving).toEqual({ state: "saved" });
    expect(boards).toHaveLength(2);
  });
  it("that was out of reach is told again what it did not acknowledge, by the same number", async () => {
    const { link, kernel } = open();
    link.hello();
    await vi.advanceTimersByTimeAsync(30);
    kernel.listening = false;
    link.do(accept);
    const asked = link.ask("peaks", { take: "C0103" });
    kernel.beat("away");
    expect(link.saving).toEqual({ state: "waiting", waiting: 1 });
    kernel.listening = true;
    kernel.beat("idle");
    await vi.advanceTimersByTimeAsync(100);
    expect(link.saving).toEqual({ state: "saved" });
    expect((await asked).take).toBe("C0103");
    expect(sent(kernel).map((each) => each.id)).toEqual([1, 1]);
  });
  it("tells what others changed, and never an older board", async () => {
    const { link, kernel, boards } = open();
    link.hello();
    await vi.advanceTimersByTimeAsync(30);
    kernel.elsewhere((board) => ({ ...board, title: "newer" }));
    expect(boards.at(-1)?.title).toBe("newer");
    kernel.tell({ type: "changed", by: "other", board: { ...kernel.board, version: 2, title: "older" } });
    expect(boards.at(-1)?.title).toBe("newer");
  });
});

describe("a question", () => {
  it("is answered with its buffer as bytes", async () => {
    const { link } = open();
    const asked = link.ask("peaks", { take: "C0103" });
    await vi.advanceTimersByTimeAsync(30);
    const { take, buffer } = await asked;
    expect(take).toBe("C0103");
    expect(buffer).toBeInstanceOf(Uint8Array);
    expect(buffer.length).toBeGreaterThan(100);
  });
  it("that cannot be answered fails with the kernel's sentence", async () => {
    const { link } = open();
    const asked = expect(link.ask("words", { take: "nobody" })).rejects.toThrow("no transcript of nobody");
    await vi.advanceTimersByTimeAsync(30);
    await asked;
  });
  it("fails when the view is closed", async () => {
    const { link } = open();
    const asked = expect(link.ask("versions", {})).rejects.toThrow("closed");
    link.bye();
    await asked;
  });
});

it("what is meant for another view is not heard", () => {
  const { kernel, boards } = open();
  kernel.tell({ type: "board", view: "somebody", board: kernel.board });
  expect(boards).toEqual([]);
});

it("a refusal is forgotten with the next change that is saved", async () => {
  const { link } = open();
  link.do({ verb: "merge", range: "nobody" });
  await vi.advanceTimersByTimeAsync(5);
  link.do(accept);
  await vi.advanceTimersByTimeAsync(16);
  expect(link.saving.state).toBe("saving");
  await vi.advanceTimersByTimeAsync(30);
  expect(link.saving).toEqual({ state: "saved" });
});

it("a kernel that forgot the view is never said to have saved, also while it runs something else", async () => {
  const { link, kernel, states } = open();
  link.hello();
  await vi.advanceTimersByTimeAsync(30);
  kernel.listening = false;
  kernel.beat("away");
  kernel.beat("idle");
  expect(link.saving).toEqual({ state: "waiting", waiting: 0 });
  kernel.beat("busy");
  await vi.advanceTimersByTimeAsync(PATIENCE * 2);
  expect(link.saving).toEqual({ state: "waiting", waiting: 0 });
  kernel.beat("idle");
  await vi.advanceTimersByTimeAsync(PATIENCE + 50);
  kernel.beat("busy");
  expect(link.saving).toEqual({ state: "lost", waiting: 0 });
  expect(states.some(({ state }) => state === "saved")).toBe(false);
});
