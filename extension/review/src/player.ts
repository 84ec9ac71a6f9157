/** The player: not yet. */
import type { Desk, Player } from "./types";

export function createPlayer(_desk: Desk, _box: HTMLElement): Player {
  const nothing = (): void => {};
  return {
    toggle: nothing,
    around: nothing,
    shuttle: nothing,
    step: nothing,
    audition: nothing,
    stop: nothing,
    destroy: nothing,
  };
}
