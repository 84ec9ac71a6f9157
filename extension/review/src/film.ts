/** What the film comes to: its length, how much is decided, and where in it a playhead stands. */
import { kept, length, seconds } from "./time";
import type { Board, Playhead, Status, Trial } from "./types";

export interface Sum {
  readonly seconds: number;
  readonly counts: Readonly<Record<Status, number>>;
}

let last: { board: Board; sum: Sum } | null = null;

/** The length of what is kept, and the number of ranges decided each way. */
export function filmOf(board: Board): Sum {
  if (last?.board === board) return last.sum;
  const counts = { undecided: 0, accepted: 0, rejected: 0 };
  let whole = 0;
  for (const range of board.ranges) {
    counts[range.status] += 1;
    if (kept(range)) whole += length(range, board.takes);
  }
  const sum = { seconds: whole, counts };
  last = { board, sum };
  return sum;
}

/** Whether the film shows the playhead's frame there: it lies in a kept range, or in what is tried. */
export function inFilm(
  board: Board,
  place: number,
  { take, frame }: Pick<Playhead, "take" | "frame">,
  trial: Trial | null = null,
): boolean {
  const here = trial ?? board.ranges[place];
  if (!here || (!trial && board.ranges[place]?.status === "rejected")) return false;
  return here.take === take && here.frames[0] <= frame && frame < here.frames[1];
}

/** Seconds of the film at the playhead, which stands in the range at a place of the list, or in what is tried there. */
export function filmTime(
  board: Board,
  place: number,
  playhead: Pick<Playhead, "take" | "frame">,
  trial: Trial | null = null,
): number {
  let before = 0;
  board.ranges.slice(0, Math.max(0, place)).forEach((range) => {
    if (kept(range)) before += length(range, board.takes);
  });
  const here = trial ?? board.ranges[place];
  const rate = board.takes[playhead.take]?.rate;
  if (!here || !rate || here.take !== playhead.take) return before;
  const within = Math.min(Math.max(playhead.frame - here.frames[0], 0), here.frames[1] - here.frames[0]);
  return before + seconds(within, rate);
}
