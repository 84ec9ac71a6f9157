import { beforeEach, describe, expect, it, vi } from "vitest";
import { Clips } from "../src/clips";
import { Shelf } from "../src/pieces";
import type { Clip } from "../src/types";
import { board, FakeDesk, range, take } from "./fakedesk";

const URLS = { createObjectURL: (blob: Blob) => `blob:${blob.size}`, revokeObjectURL: () => {} };
const clip = (more: Partial<Clip> = {}): Clip => ({
  take: "A",
  state: "ready",
  progress: 1,
  problem: "",
  url: "/base/files/A.mp4",
  size: 6,
  seconds: 150,
  parts: [],
  ...more,
});

let desk: FakeDesk;
let clips: Clips;
let asked: (number | null)[];
const settled = () => new Promise((done) => setTimeout(done, 0));

/** What the server answers: a status and a type. */
function serves(status: number, type: string): void {
  const answer = { status, headers: new Headers({ "content-type": type }), body: null };
  vi.stubGlobal("fetch", () => Promise.resolve(answer));
}

beforeEach(() => {
  asked = [];
  const root = {} as HTMLElement;
  desk = new FakeDesk(board([take("A")], [range("1", "A", 0, 25)]), root);
  desk.answers.piece = ({ part, start, end }) => {
    asked.push(part);
    return Promise.resolve({ size: 6, buffer: new Uint8Array(6).subarray(start, end) });
  };
  clips = new Clips(desk, () => {}, new Shelf(8, URLS));
});

it("asks for the take under the playhead first where others wait to be made", () => {
  const asked: unknown[] = [];
  desk.answers.clip = (argument) => {
    asked.push(argument);
    return Promise.reject(new Error("none"));
  };
  clips.need(["A", "B"]);
  expect(asked).toEqual([]);
  desk.clips.set("A", clip({ state: "making" }));
  clips.need(["A", "B"]);
  clips.need(["A"]);
  expect(asked).toEqual([{ take: "A", first: true }]);
});

describe("the ladder", () => {
  it("waits for the kernel's word, and says how far a copy is", () => {
    expect(clips.find("A", 0)).toEqual({ state: "wait", said: "" });
    desk.clips.set("A", clip({ state: "making", progress: 0.426 }));
    const said = "Making a small copy of A to play: 43 %";
    expect(clips.find("A", 0)).toEqual({ state: "wait", said, long: true });
  });

  it("takes the server's file where it gives parts of a video", async () => {
    serves(206, "video/mp4");
    desk.clips.set("A", clip());
    expect(clips.find("A", 0).state).toBe("wait");
    await settled();
    expect(clips.find("A", 0)).toEqual({
      state: "ready",
      source: { url: "/base/files/A.mp4", from: 0, to: 150 },
    });
    expect(asked).toEqual([]);
  });

  it.each([
    [404, "text/html"],
    [403, "text/html"],
    [200, "video/mp4"],
    [206, "text/html"],
  ])("asks the kernel where the server answers %i with %s", async (status, type) => {
    serves(status, type);
    desk.clips.set("A", clip());
    clips.find("A", 0);
    await settled();
    expect(clips.find("A", 0)).toEqual({ state: "wait", said: "Loading A: 0 %" });
    await settled();
    expect(clips.find("A", 0)).toEqual({ state: "ready", source: { url: "blob:6", from: 0, to: 150 } });
    expect(asked).toEqual([null]);
  });

  it("asks the kernel too where there is no server, or it does not answer", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
    desk.clips.set("A", clip());
    clips.find("A", 0);
    await settled();
    clips.find("A", 0);
    await settled();
    expect(clips.find("A", 0).state).toBe("ready");
  });

  it("asks only for the parts in which times lie", async () => {
    desk.clips.set("A", clip({ url: "", parts: [0, 60, 120] }));
    clips.find("A", 61);
    await settled();
    expect(clips.find("A", 61)).toEqual({ state: "ready", source: { url: "blob:6", from: 60, to: 120 } });
    expect(asked).toEqual([1]);
    expect(clips.breaks("A")).toEqual([0, 60, 120]);
  });

  it("falls back to single pictures where the kernel has no such file, until there is news", async () => {
    desk.answers.piece = () => Promise.reject(new Error("no such file: run %review again"));
    desk.clips.set("A", clip({ url: "" }));
    clips.find("A", 0);
    await settled();
    expect(clips.find("A", 0)).toEqual({ state: "none", said: "no such file: run %review again" });
    desk.tell("clip");
    expect(clips.find("A", 0).state).toBe("wait");
    desk.clips.set("A", clip({ state: "none", problem: "no picture" }));
    expect(clips.find("A", 0)).toEqual({ state: "none", said: "no picture" });
  });

  it("goes a rung down for each source that a browser cannot play", async () => {
    serves(206, "video/mp4");
    desk.clips.set("A", clip());
    clips.find("A", 0);
    await settled();
    clips.failed("A", { url: "/base/files/A.mp4", from: 0, to: 150 });
    clips.find("A", 0);
    await settled();
    expect(clips.find("A", 0)).toMatchObject({ state: "ready", source: { url: "blob:6" } });
    clips.failed("A", { url: "blob:6", from: 0, to: 150 });
    expect(clips.find("A", 0)).toEqual({ state: "none", said: "This browser cannot play the copy of A" });
  });
});
