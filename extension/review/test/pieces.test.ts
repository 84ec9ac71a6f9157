import { describe, expect, it } from "vitest";
import { partAt, plays } from "../src/clips";
import { assemble, Shelf } from "../src/pieces";

const FILE = Uint8Array.from({ length: 23 }, (_, at) => at);
const from =
  (file: Uint8Array, asked: [number, number][] = []) =>
  (start: number, end: number) => {
    asked.push([start, end]);
    return Promise.resolve({ size: file.length, buffer: file.subarray(start, end) });
  };

describe("a file in pieces", () => {
  it("is asked for one after the other, and put together whole", async () => {
    const asked: [number, number][] = [];
    const shares: number[] = [];
    const pieces = await assemble(from(FILE, asked), (share) => shares.push(share), 10);
    expect(asked).toEqual([
      [0, 10],
      [10, 20],
      [20, 30],
    ]);
    expect(pieces.flatMap((piece) => [...piece])).toEqual([...FILE]);
    expect(shares.at(-1)).toBe(1);
  });

  it("is none where the kernel has no bytes, and an error where one is missing", async () => {
    expect(await assemble(from(new Uint8Array(0)))).toEqual([]);
    await expect(assemble(() => Promise.resolve({ size: 5, buffer: new Uint8Array(0) }))).rejects.toThrow(
      "empty",
    );
  });
});

describe("the shelf of a page", () => {
  const shelf = (spare: number) => {
    const revoked: string[] = [];
    let made = 0;
    const urls = {
      createObjectURL: () => `blob:${++made}`,
      revokeObjectURL: (url: string) => void revoked.push(url),
    };
    return { shelf: new Shelf(spare, urls), revoked };
  };
  const blob = () => Promise.resolve(new Blob(["x"]));

  it("makes a file once, however many ask", async () => {
    const { shelf: own } = shelf(1);
    let made = 0;
    const make = () => {
      made += 1;
      return blob();
    };
    expect(await Promise.all([own.take("a", make), own.take("a", make)])).toEqual(["blob:1", "blob:1"]);
    expect(made).toBe(1);
  });

  it("keeps what is used, and of the rest the last ones", async () => {
    const { shelf: own, revoked } = shelf(1);
    for (const key of ["a", "b", "c"]) await own.take(key, blob);
    own.give("a");
    own.give("b");
    expect(revoked).toEqual(["blob:1"]);
    own.give("c");
    expect(revoked).toEqual(["blob:1", "blob:2"]);
    expect(own.size).toBe(1);
  });

  it("forgets what failed, so that it is tried again", async () => {
    const { shelf: own } = shelf(1);
    await expect(own.take("a", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
    expect(await own.take("a", blob)).toBe("blob:1");
  });
});

describe("a clip", () => {
  it("is served where a part of a video comes back, and nowhere else", () => {
    expect(plays(206, "video/mp4")).toBe(true);
    expect(plays(200, "video/mp4")).toBe(false);
    expect(plays(206, "text/html")).toBe(false);
    expect(plays(404, null)).toBe(false);
  });

  it("has the part in which a time lies", () => {
    expect([0, 59.9, 60, 200].map((time) => partAt([0, 60, 120], time))).toEqual([0, 0, 1, 2]);
  });
});
