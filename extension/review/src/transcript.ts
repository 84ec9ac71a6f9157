/** The transcript: not yet. */
import type { Desk, Part } from "./types";

export function createTranscript(_desk: Desk, _box: HTMLElement): Part {
  return { destroy: () => {} };
}
