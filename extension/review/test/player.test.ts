// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { filmTime, inFilm } from "../src/film";
import { createPlayer } from "../src/player";
import type { Player } from "../src/types";
import { board, FakeDesk, range, take } from "./fakedesk";

// No clip can be played here, so that single pictures stand for them: the same plan, on a clock that the test turns.
let desk: FakeDesk;
let player: Player;
const here = () => `${desk.playhead.range} ${desk.playhead.take} ${desk.playhead.frame}`;
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(async () => {
  vi.useFakeTimers({
    toFake: [
      "setTimeout",
      "clearTimeout",
      "setInterval",
      "clearInterval",
      "performance",
      "requestAnimationFrame",
      "cancelAnimationFrame",
    ],
  });
  vi.stubGlobal("AudioContext", undefined);
  const list = [
    range("1", "A", 100, 150),
    range("2", "A", 150, 175),
    range("3", "B", 50, 75, { status: "rejected" }),
    range("4", "B", 200, 250),
  ];
  desk = new FakeDesk(board([take("A"), take("B")], list));
  for (const name of ["A", "B"]) {
    desk.clips.set(name, {
      take: name,
      state: "none",
      progress: 0,
      problem: "no copy",
      url: "",
      size: 0,
      seconds: 40,
      parts: [],
    });
  }
  desk.answers.poster = ({ take: name, frame }) =>
    Promise.resolve({ take: name, frame, buffer: new Uint8Array(1) });
  player = createPlayer(desk, desk.root);
  await pass(1);
});

afterEach(() => {
  player.destroy();
  vi.useRealTimers();
});

describe("the player", () => {
  it("plays range after range, past rejected ones, and stands on the last frame", async () => {
    player.toggle();
    await pass(1000);
    expect(desk.playhead.playing).toBe(true);
    expect(here()).toMatch(/^1 A 12[45]$/);
    await pass(1500);
    expect(here()).toMatch(/^2 A 16[12]$/);
    await pass(1500);
    expect(desk.playhead.range).toBe("4");
    await pass(1600);
    expect(here()).toBe("4 B 249");
    expect(desk.playhead.playing).toBe(false);
  });

  it("plays the film again from its end", async () => {
    desk.go({ range: "4", take: "B", frame: 249 });
    player.toggle();
    await pass(200);
    expect(desk.playhead.range).toBe("1");
  });

  it("says why there are only single pictures", () => {
    expect(desk.root.querySelector(".cb-note")?.textContent).toBe("Single pictures, no sound: no copy");
  });

  it("plays on with single pictures of the right take while its copy is made, and goes on in time", async () => {
    const asked: string[] = [];
    desk.answers.poster = ({ take: name, frame }) => {
      asked.push(name);
      return Promise.resolve({ take: name, frame, buffer: new Uint8Array(1) });
    };
    const note = () => desk.root.querySelector(".cb-note")?.textContent;
    const making = (progress: number) => {
      const known = desk.clips.get("A");
      if (known) desk.clips.set("A", { ...known, state: "making", progress });
      desk.tell("clip");
    };
    making(0.1);
    expect(note()).toBe("Making a small copy of A to play: 10 %");
    player.toggle();
    await pass(1000);
    making(0.12);
    expect(note()).toBe("Making a small copy of A to play: 12 %");
    expect(here()).toMatch(/^1 A 12[45]$/);
    expect([...new Set(asked)]).toEqual(["A"]);
    await pass(2500);
    expect(here()).toMatch(/^4 B 21\d$/);
  });

  it("takes the copy where it plays as soon as that is there", async () => {
    const answer = { status: 206, headers: new Headers({ "content-type": "video/mp4" }), body: null };
    vi.stubGlobal("fetch", () => Promise.resolve(answer));
    const known = desk.clips.get("A");
    if (!known) throw new Error("no clip");
    desk.clips.set("A", { ...known, state: "making", progress: 0.9 });
    desk.tell("clip");
    player.toggle();
    await pass(1000);
    desk.clips.set("A", { ...known, state: "ready", url: "/files/A.mp4", size: 9 });
    desk.tell("clip");
    await pass(10);
    const video = desk.root.querySelector<HTMLVideoElement>(".cb-on video");
    expect(video?.getAttribute("src")).toBe("/files/A.mp4");
    expect(desk.playhead.playing).toBe(true);
    expect(here()).toMatch(/^1 A 12[45]$/);
    expect(desk.root.querySelector(".cb-note")?.textContent).toBe("");
  });

  it("waits a little for a copy of which nothing is known yet, then goes on without", async () => {
    desk.clips.delete("B");
    desk.tell("clip");
    desk.go({ range: "4" });
    player.toggle();
    await pass(1000);
    expect(here()).toBe("4 B 200");
    await pass(1500);
    expect(here()).toMatch(/^4 B 21\d$/);
  });

  it("follows a playhead that is moved while it plays, and stops on wish", async () => {
    player.toggle();
    await pass(200);
    desk.go({ range: "4" });
    await pass(400);
    expect(here()).toMatch(/^4 B 2(09|10)$/);
    player.toggle();
    const stood = here();
    await pass(1000);
    expect(here()).toBe(stood);
  });

  it("comes back to where it was after a cut was played around", async () => {
    desk.go({ range: "4" });
    player.around({ without: false });
    await pass(100);
    expect(desk.playhead.range).toBe("1");
    await pass(4500);
    expect(here()).toBe("4 B 200");
    player.around({ without: true });
    await pass(1000);
    expect(here()).toMatch(/^4 B 17[45]$/);
    await pass(3500);
    expect(here()).toBe("4 B 200");
  });

  it("tries another take in place, and comes back also when it is stopped", async () => {
    desk.go({ range: "2" });
    player.audition("B", [300, 350]);
    await pass(400);
    expect(here()).toMatch(/^2 B 3(09|10)$/);
    expect(desk.trial).toMatchObject({ take: "B", frames: [300, 350] });
    // Range 1 has 50 frames of 25 a second; ten frames of what is tried are 0.4 s.
    expect(filmTime(desk.board, 1, { take: "B", frame: 310 }, desk.trial)).toBeCloseTo(2.4);
    player.stop();
    expect(here()).toBe("2 A 150");
    expect(desk.trial).toBe(null);
  });

  it("goes backwards through the ranges, faster with each press", async () => {
    desk.go({ range: "4", take: "B", frame: 210 });
    player.shuttle(-1);
    player.shuttle(-1);
    expect(desk.playhead.speed).toBe(-2);
    await pass(500);
    expect(here()).toMatch(/^2 A 16\d$/);
    await pass(5000);
    expect(here()).toBe("1 A 100");
    expect(desk.playhead.playing).toBe(false);
  });

  it("goes forwards at two, four and eight times the speed", async () => {
    player.shuttle(1);
    player.shuttle(1);
    expect(desk.playhead.speed).toBe(2);
    await pass(800);
    expect(here()).toMatch(/^1 A 1(39|40)$/);
    player.shuttle(0);
    expect(desk.playhead.playing).toBe(false);
  });

  it("plays on to where a range ends now when that changes under it", async () => {
    player.toggle();
    await pass(400);
    const shorter = desk.board.ranges.map((each) =>
      each.id === "1" ? { ...each, frames: [100, 120] as const } : each,
    );
    desk.show({ ...desk.board, ranges: shorter });
    await pass(600);
    expect(here()).toMatch(/^2 A 15\d$/);
  });

  it("goes on to the next range when the one that plays ends before the playhead", async () => {
    player.toggle();
    await pass(1200);
    const shorter = desk.board.ranges.map((each) =>
      each.id === "1" ? { ...each, frames: [100, 110] as const } : each,
    );
    desk.show({ ...desk.board, ranges: shorter });
    await pass(200);
    expect(desk.playhead.range).toBe("2");
  });

  const decide = (id: string, status: "rejected" | "accepted") =>
    desk.show({
      ...desk.board,
      ranges: desk.board.ranges.map((each) => (each.id === id ? { ...each, status } : each)),
    });

  it("goes on to the next kept range when the one that plays is rejected", async () => {
    player.toggle();
    await pass(400);
    decide("1", "rejected");
    await pass(400);
    expect(here()).toMatch(/^2 A 1(59|60)$/);
    expect(desk.playhead.playing).toBe(true);
  });

  it("stops when the last range is rejected while it plays", async () => {
    desk.go({ range: "4" });
    player.toggle();
    await pass(400);
    decide("4", "rejected");
    await pass(400);
    expect(here()).toMatch(/^4 B 2(09|10)$/);
    expect(desk.playhead.playing).toBe(false);
  });

  it("plays a rejected range on, whatever else is decided", async () => {
    desk.go({ range: "3" });
    player.toggle();
    await pass(200);
    decide("4", "accepted");
    await pass(200);
    expect(here()).toMatch(/^3 B (59|60)$/);
  });

  it("shows no picture where there is no range", async () => {
    await pass(50);
    expect(desk.root.querySelector(".cb-deck img[src]")).not.toBe(null);
    desk.board = { ...desk.board, ranges: [] };
    desk.playhead = { ...desk.playhead, range: "", take: "", frame: 0 };
    desk.tell("board");
    desk.tell("playhead");
    await pass(50);
    expect(desk.root.querySelector(".cb-deck img[src], .cb-deck video[src]")).toBe(null);
  });

  it("stops out of sight, and when another player plays", async () => {
    player.toggle();
    await pass(200);
    desk.visible = false;
    desk.tell("visible");
    expect(desk.playhead.playing).toBe(false);
    desk.visible = true;
    player.toggle();
    const other = new FakeDesk(desk.board);
    const second = createPlayer(other, other.root);
    second.toggle();
    expect([desk.playhead.playing, other.playhead.playing]).toEqual([false, true]);
    second.destroy();
  });

  it("steps by frames and seconds, and off the range into the take", () => {
    player.step(1, "frame");
    player.step(1, "second");
    expect(here()).toBe("1 A 126");
    expect(desk.said).toEqual([]);
    player.step(-2, "second");
    expect(here()).toBe("1 A 76");
    expect(desk.said).toEqual(["before the range: this is not in the film; ↑ is the cut before"]);
    player.step(-1, "frame");
    expect(desk.said).toHaveLength(1);
  });

  it("is in the film within a kept range and what is tried, nowhere else", () => {
    const at = (place: number, take: string, frame: number) => inFilm(desk.board, place, { take, frame });
    expect([at(0, "A", 100), at(0, "A", 149)]).toEqual([true, true]);
    expect([at(0, "A", 150), at(0, "B", 120), at(2, "B", 60), at(-1, "A", 100)]).toEqual(
      Array(4).fill(false),
    );
    const tried = { take: "B", frames: [300, 350] as const };
    expect(inFilm(desk.board, 1, { take: "B", frame: 310 }, tried)).toBe(true);
  });

  it("leaves nothing behind", () => {
    player.destroy();
    expect(desk.root.childElementCount).toBe(0);
  });
});
