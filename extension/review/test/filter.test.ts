import { expect, it } from "vitest";
import { pauseOf } from "../src/filter";

it("reads seconds with a point or a comma, and nothing that is no length of a pause", () => {
  expect(["0.6", "0,3", " .5 ", "1", "60"].map(pauseOf)).toEqual([0.6, 0.3, 0.5, 1, 60]);
  expect(["0", "-1", "", "61", "0.05", "1e1", "half", "0.6.1"].map(pauseOf)).toEqual(Array(8).fill(null));
});
