/** Where a caret that goes by words comes to: asked of the page, since only that knows its lines. */
import type { Column } from "./column";

export function rightToLeft(column: Column, place: number): boolean {
  const said = column.word(place)?.parentElement;
  return said ? getComputedStyle(said).direction === "rtl" : false;
}

/** The word above or below, nearest to it sideways. */
export function line(column: Column, place: number, step: 1 | -1): number {
  const from = column.word(place)?.getBoundingClientRect();
  if (!from) return place;
  const middle = from.left + from.width / 2;
  let best = place;
  let least = Number.POSITIVE_INFINITY;
  let top: number | null = null;
  for (let at = place + step; ; at += step) {
    const rect = column.word(at)?.getBoundingClientRect();
    if (!rect) break;
    if (Math.abs(rect.top - from.top) < from.height / 2) continue;
    top ??= rect.top;
    if (Math.abs(rect.top - top) > from.height / 2) break;
    const far = Math.abs(rect.left + rect.width / 2 - middle);
    if (far < least) {
      least = far;
      best = at;
    }
  }
  return best;
}

/** The keys that move the caret, and where they move it from a place. */
export function moves(column: Column, place: number): Readonly<Record<string, () => number>> {
  const ahead = rightToLeft(column, place) ? -1 : 1;
  const [first, end] = column.paragraph(place);
  return {
    ArrowRight: () => place + ahead,
    ArrowLeft: () => place - ahead,
    ArrowDown: () => line(column, place, 1),
    ArrowUp: () => line(column, place, -1),
    Home: () => first,
    End: () => end - 1,
  };
}
