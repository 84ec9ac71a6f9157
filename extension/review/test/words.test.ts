import { describe, expect, it } from "vitest";
import { compared } from "../src/words";

const told = (was: string, now: string): string =>
  compared(was, now)
    .map(({ kind, text }) => (kind === "same" ? text : kind === "was" ? `[-${text}-]` : `[+${text}+]`))
    .join("");

describe("two wordings", () => {
  it.each([
    ["um so this is it", "so this is it", "[-um -]so this is it"],
    ["so this is", "so this is it", "so this is [+it+]"],
    ["we keep the second take", "we keep the first take", "we keep the [-second -][+first +]take"],
    ["a b c d", "b x d", "[-a -]b [-c -][+x +]d"],
    ["", "all new", "[+all new+]"],
    ["all gone", "", "[-all gone-]"],
    ["the same", "the same", "the same"],
    ["嗯第二遍说得", "第二遍说", "[-嗯-]第二遍说[-得-]"],
  ])("%j and %j are %j", (was, now, expected) => {
    expect(told(was, now)).toBe(expected);
  });
  it("lose no word of either", () => {
    const was = "one two  three two one four";
    const now = "zero two three one five one";
    const pieces = compared(was, now);
    const of = (kind: string): string[] =>
      pieces
        .filter((each) => each.kind === "same" || each.kind === kind)
        .flatMap((each) => each.text.trim().split(/\s+/));
    expect(of("was")).toEqual(was.split(/\s+/));
    expect(of("now")).toEqual(now.split(/\s+/));
  });
  it("that are very long are told as replaced", () => {
    const was = Array.from({ length: 900 }, (_, place) => `a${place}`).join(" ");
    const now = Array.from({ length: 900 }, (_, place) => `b${place}`).join(" ");
    expect(compared(was, now).map((each) => each.kind)).toEqual(["was", "now"]);
  });
});
