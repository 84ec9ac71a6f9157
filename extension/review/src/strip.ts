/** The strip: not yet. */
import type { Desk, Part } from "./types";

export function createStrip(_desk: Desk, _box: HTMLElement): Part {
  return { destroy: () => {} };
}
