/** Where the playhead stands after the cut list has changed: as near to where it stood as can be. Pure. */
import { kept } from "./time";
import type { Playhead, Range } from "./types";

/** Ranges in their order, and the place of each by its id. */
export interface Listing {
  readonly ranges: readonly Range[];
  readonly places: ReadonlyMap<string, number>;
}

const named = ({ ranges, places }: Listing, id: string): Range | undefined => ranges[places.get(id) ?? -1];

function holds(range: Range, take: string, frame: number): boolean {
  return range.take === take && range.frames[0] <= frame && frame < range.frames[1];
}

/** The range that shows a frame of a take: the current one where it does, else the first kept one. */
export function under(list: Listing, current: string, take: string, frame: number): string | undefined {
  const here = named(list, current);
  if (here && holds(here, take, frame)) return current;
  const all = list.ranges.filter((range) => holds(range, take, frame));
  return (all.find(kept) ?? all[0])?.id;
}

/** Keeps a current range when the one that was is gone: the one under the playhead, else the one in its place. */
export function settled(now: Playhead, before: Listing, after: Listing, picked: boolean): Playhead {
  const was = named(before, now.range);
  const here = named(after, now.range);
  if (here) return was && here !== was ? within(now, was, here, before, after, picked) : now;
  const { ranges } = after;
  const at = was && under(after, now.range, now.take, now.frame);
  if (at) return { ...now, range: at };
  const beside = ranges[Math.min(before.places.get(now.range) ?? 0, ranges.length - 1)];
  const next = was ? beside : (ranges.find(kept) ?? ranges[0]);
  return { ...now, range: next?.id ?? "", take: next?.take ?? "", frame: next?.frames[0] ?? 0 };
}

/**
 * Keeps the playhead in its range when that is of another take or has other frames than it had: it goes to the in
 * point where it stood on that, or would be outside. Where words are picked, or another range begins, it stays.
 */
function within(
  now: Playhead,
  was: Range,
  here: Range,
  before: Listing,
  after: Listing,
  picked: boolean,
): Playhead {
  const other = here.take !== was.take;
  if (other ? now.take !== was.take : now.take !== here.take || !holds(was, here.take, now.frame)) return now;
  if (!other) {
    const stood = now.frame === was.frames[0] && here.frames[0] !== was.frames[0] && !now.playing;
    const begun = (range: Range) => !before.places.has(range.id) && holds(range, here.take, now.frame);
    if (holds(here, here.take, now.frame) ? !stood : picked || after.ranges.some(begun)) return now;
  }
  return { ...now, take: here.take, frame: here.frames[0] };
}
