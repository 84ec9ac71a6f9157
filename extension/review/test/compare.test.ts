import { describe, expect, it } from "vitest";
import { described, previous } from "../src/compare";
import type { VersionRow } from "../src/types";

const version = (number: number, current = false): VersionRow => ({
  number,
  by: "you",
  why: "",
  when: "",
  current,
});

describe("the version that is compared at first", () => {
  it.each([
    ["the one before the newest", [version(3, true), version(2), version(1)], 2],
    ["after an undo the one before that", [version(4), version(3), version(2, true), version(1)], 1],
    ["any other where none is earlier", [version(2), version(1, true)], 2],
    ["none where there is but one", [version(1, true)], undefined],
  ])("is %s", (_, versions, number) => {
    expect(previous(versions)?.number).toBe(number);
  });
});

it("a version is told by what it did and why, else by who made it", () => {
  const told = (more: Partial<VersionRow>) => described({ ...version(1), ...more });
  expect(told({ what: "trim 3", why: "trim" })).toBe("trim 3");
  expect(told({ what: "reject 2", why: "she looks away" })).toBe("reject 2: she looks away");
  expect([told({ why: "trim" }), told({})]).toEqual(["trim", "you"]);
});
