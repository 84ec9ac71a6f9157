/** Changes that did not come into the cut list: how they are named, kept for the next view, and known again. */
import { named } from "./fold";
import type { Board, Change, Status } from "./types";

export interface Missed {
  readonly change: Change;
  /** By the number its range had when it was done, and by its verb: `2 accept`. */
  readonly label: string;
  /** Whether the kernel has refused it, so that it is surely not in the cut list. */
  readonly refused: boolean;
}

interface Left {
  readonly title: string;
  /** The last version that the view saw. */
  readonly version: number;
  readonly missed: readonly Missed[];
}

const PREFIX = "cutbook:unsaved:";
const VERBS: Readonly<Partial<Record<Change["verb"], string>>> = {
  cut: "cut words",
  why: "reason",
  swap: "other take",
  tighten: "take out",
};
const DECIDED: Readonly<Partial<Record<Change["verb"], Status>>> = {
  accept: "accepted",
  reject: "rejected",
  undecided: "undecided",
};

/** Names a change; `place` gives a range's place from 0. */
export function labelled(change: Change, place: (id: string) => number): string {
  if (change.verb === "note") return `note “${change.text}”`;
  if (change.verb === "restore") return `words of ${change.take} put back`;
  const ids = change.verb === "move" ? change.ranges : named(change);
  const verb = VERBS[change.verb] ?? change.verb;
  if (!ids.length) return verb;
  return ids.length > 1 ? `${ids.length} ranges ${verb}` : `${place(ids[0] ?? "") + 1} ${verb}`;
}

export const listed = (missed: readonly Missed[]): string => missed.map(({ label }) => label).join(", ");

/** Whether a change can be made of a board as it is; undo and redo would be of other changes than they were. */
export function repeatable(change: Change, board: Board): boolean {
  if (change.verb === "undo" || change.verb === "redo") return false;
  const known = new Set(board.ranges.map(({ id }) => id));
  return named(change).every((id) => known.has(id));
}

/** Whether a change is in a board: what it decided is so, or there was another change since the view saw the last. */
function evident({ change, refused }: Missed, board: Board, version: number): boolean {
  const status = DECIDED[change.verb];
  if (status && "ranges" in change) {
    return change.ranges.every((id) => board.ranges.find((range) => range.id === id)?.status === status);
  }
  return !refused && board.version > version;
}

/** The tab's own store; a page that is shut off has none. */
function store(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}

/** Leaves what a view did not save to the next one, or nothing any longer. */
export function leave(view: string, board: Board, missed: readonly Missed[]): void {
  const left: Left = { title: board.title, version: board.version, missed };
  try {
    if (missed.length) store()?.setItem(PREFIX + view, JSON.stringify(left));
    else store()?.removeItem(PREFIX + view);
  } catch {
    // A full store keeps nothing.
  }
}

/** Takes over what earlier views of the same cut list left and is not in it. */
export function taken(board: Board): Missed[] {
  const all = store();
  const ids = new Set(board.ranges.map(({ id }) => id));
  const found: Missed[] = [];
  for (const key of all ? Object.keys(all).sort() : []) {
    if (!key.startsWith(PREFIX)) continue;
    try {
      const left = JSON.parse(all?.getItem(key) ?? "") as Left;
      const mine = left.missed.flatMap(({ change }) => named(change)).some((id) => ids.has(id));
      if (left.title !== board.title || !(mine || left.missed.every(({ change }) => !named(change).length)))
        continue;
      found.push(...left.missed.filter((each) => !evident(each, board, left.version)));
    } catch {
      // What cannot be read is nothing.
    }
    all?.removeItem(key);
  }
  return found;
}
