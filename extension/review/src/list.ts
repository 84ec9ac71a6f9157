/** The list of ranges, painted by the rows that are in the window. */
import type { Bench } from "./desk";
import { attribute, button, doubled, h, text } from "./dom";
import { type Icon, icon } from "./icons";
import { length, timecode } from "./time";
import type { Part, Range, Status } from "./types";

export const ROW = 26;
const SPARE = 6;
const MARKS: Readonly<Record<Status, Icon>> = {
  accepted: "accept",
  rejected: "reject",
  undecided: "undecided",
};
const AFTER: Readonly<Record<Status, "accept" | "reject" | "undecided">> = {
  undecided: "accept",
  accepted: "reject",
  rejected: "undecided",
};

interface Row {
  readonly box: HTMLElement;
  readonly mark: HTMLButtonElement;
  readonly number: HTMLElement;
  readonly beat: HTMLElement;
  readonly take: HTMLElement;
  readonly length: HTMLElement;
  readonly words: HTMLElement;
  readonly reason: HTMLElement;
  range: Range | null;
  place: number;
  now: boolean | null;
  waits: boolean;
}

export interface List extends Part {
  /** Gives a drag up; tells whether there was one. */
  cancel(): boolean;
}

/** `play` is what two clicks on a row do. */
export function createList(desk: Bench, box: HTMLElement, play: () => void): List {
  const name = `cb-${desk.view}`;
  const space = h("div", "cb-rows", { role: "rowgroup" });
  const drop = h("div", "cb-drop", { "aria-hidden": "true" });
  const empty = h("div", "cb-empty", { role: "row" }, h("span", "", { role: "gridcell" }));
  drop.hidden = true;
  empty.hidden = true;
  for (const [key, value] of [
    ["role", "grid"],
    ["tabindex", "0"],
    ["aria-label", "Ranges"],
  ] as const) {
    box.setAttribute(key, value);
  }
  box.append(space);
  space.append(drop, empty);
  const rows = new Map<number, Row>();
  const idle: Row[] = [];
  let shown: readonly Range[] = [];
  let current = "";
  /** Where the current row was when it was painted last, −1 where it was not shown. */
  let stood = -1;
  let scrolled = 0;
  // Kept here, since asking the page for them lays it out anew.
  let top = 0;
  let height = ROW * 8;
  let due = false;
  let drag: { from: number; y: number; going: boolean; to: number } | null = null;

  const make = (): Row => {
    const mark = button("cb-mark", "undecided", (event) => {
      const range = row.range;
      if (range && !doubled(event)) desk.do({ verb: AFTER[range.status], ranges: [range.id] });
    });
    mark.tabIndex = -1;
    const cell = (classes: string, ...children: (Node | string)[]): HTMLElement =>
      h("span", classes, { role: "gridcell" }, ...children);
    const row: Row = {
      box: h("div", "cb-row", { role: "row" }),
      mark,
      number: cell("cb-number"),
      beat: cell("cb-beat"),
      take: cell("cb-take"),
      length: cell("cb-length"),
      words: h("span", "cb-quote", { role: "gridcell", dir: "auto" }),
      reason: h("span", "cb-reason", { role: "gridcell", dir: "auto" }),
      range: null,
      place: -1,
      now: null,
      waits: false,
    };
    row.box.append(
      cell("cb-mark-cell", mark),
      row.number,
      row.beat,
      row.take,
      row.length,
      row.words,
      row.reason,
    );
    return row;
  };

  const fill = (row: Row, range: Range, place: number): void => {
    const now = range.id === desk.playhead.range;
    if (row.now !== now) row.box.setAttribute("aria-selected", String(now));
    row.now = now;
    const waits = desk.waits(range.id);
    if (row.waits !== waits) row.box.classList.toggle("cb-waits", waits);
    row.waits = waits;
    if (row.range === range && row.place === place) return;
    const whole = desk.place(range.id);
    if (row.place !== place) row.box.style.transform = `translateY(${place * ROW}px)`;
    if (row.range?.status !== range.status) {
      row.mark.replaceChildren(icon(MARKS[range.status]));
      attribute(row.mark, "aria-label", `${range.status}: ${AFTER[range.status]}`);
      attribute(row.mark, "title", `${range.status}; click: ${AFTER[range.status]}`);
      row.box.dataset.status = range.status;
    }
    row.range = range;
    row.place = place;
    row.box.id = `${name}-${place}`;
    attribute(row.box, "aria-rowindex", String(whole + 1));
    text(row.number, String(whole + 1));
    text(row.beat, range.beat);
    attribute(row.beat, "title", range.beat || null);
    text(row.take, range.take);
    attribute(row.take, "title", range.take);
    const take = desk.board.takes[range.take];
    text(row.length, length(range, desk.board.takes).toFixed(2));
    attribute(
      row.length,
      "title",
      take ? `${at(range.frames[0], range)}–${at(range.frames[1], range)}` : null,
    );
    const turned = turns(range);
    const quote = range.quote || "no words";
    if (turned) row.words.replaceChildren(h("span", "cb-turn", {}, turned), quote);
    else text(row.words, quote);
    row.words.classList.toggle("cb-wordless", !range.quote);
    attribute(row.words, "title", quote);
    row.box.classList.toggle("cb-problem", range.problem !== "");
    const reasons = [range.problem && `⚠ ${range.problem}`, range.reason, range.why];
    const said = [...new Set(reasons.filter(Boolean))];
    text(row.reason, said.join(" · "));
    attribute(row.reason, "title", said.join("\n") || null);
  };
  const at = (frame: number, range: Range): string => {
    const rate = desk.board.takes[range.take]?.rate ?? [25, 1];
    return timecode((frame * rate[1]) / rate[0]);
  };

  const paint = (): void => {
    due = false;
    const first = Math.max(0, Math.floor(top / ROW) - SPARE);
    const last = Math.min(shown.length, Math.ceil((top + height) / ROW) + SPARE);
    for (const [place, row] of rows) {
      if (place < first || place >= last) {
        rows.delete(place);
        row.box.remove();
        idle.push(row);
      }
    }
    let here: string | null = null;
    for (let place = first; place < last; place++) {
      const range = shown[place];
      if (!range) continue;
      let row = rows.get(place);
      if (!row) {
        row = idle.pop() ?? make();
        rows.set(place, row);
        space.append(row.box);
      }
      fill(row, range, place);
      if (row.now) here = row.box.id;
    }
    attribute(box, "aria-activedescendant", here);
  };
  /** Paints once for all that one key or one message changes. */
  const soon = (): void => {
    if (!due) queueMicrotask(paint);
    due = true;
  };
  const scrollTo = (wanted: number): void => {
    top = Math.max(0, Math.min(wanted, shown.length * ROW - height));
    box.scrollTop = top;
  };

  let sized = false;
  const gather = (): void => {
    const { ranges } = desk.board;
    if (desk.known && !sized) {
      sized = true;
      box.style.setProperty("--cb-lines", String(Math.min(8, Math.max(4, ranges.length + 1))));
    }
    const seen = stood < 0 || (stood * ROW >= top - 1 && (stood + 1) * ROW <= top + height + 1);
    shown = desk.shown ? desk.shown.flatMap((id) => desk.range(id) ?? []) : ranges;
    space.style.height = `${Math.max(shown.length, shown.length ? 0 : 1) * ROW}px`;
    top = Math.min(top, Math.max(0, shown.length * ROW - height));
    box.style.setProperty("--cb-take-wide", String(widest(ranges, "take")));
    box.style.setProperty("--cb-beat-wide", String(widest(ranges, "beat")));
    box.classList.toggle("cb-beatless", !ranges.some((range) => range.beat));
    attribute(box, "aria-rowcount", String(ranges.length));
    empty.hidden = shown.length > 0 || !desk.known;
    text(
      empty.firstElementChild ?? empty,
      ranges.length ? desk.none || "nothing like that" : "nothing is cut yet: %%cut makes a list",
    );
    const was = stood;
    stood = shown.findIndex((each) => each.id === desk.playhead.range);
    // What others put in above does not push it out of the window.
    if (seen && stood !== was) reveal();
    soon();
  };

  const reveal = (): void => {
    if (stood < 0) return;
    const edge = Math.min(ROW, (height - ROW) / 2);
    const at = stood * ROW;
    if (at < top + edge) scrollTo(at - edge);
    else if (at + ROW > top + height - edge) scrollTo(at + ROW - height + edge);
  };

  /** Brings the current row into the window, unless a person is just looking elsewhere. */
  const follow = (): void => {
    const { range, playing } = desk.playhead;
    if (range === current) return;
    current = range;
    const place = shown.findIndex((each) => each.id === range);
    // A range that is not in the list yet comes with the next board.
    if (place >= 0) {
      stood = place;
      if (!(playing && performance.now() - scrolled < 2500)) reveal();
    }
    soon();
  };

  const placeAt = (event: PointerEvent): number => {
    const y = event.clientY - space.getBoundingClientRect().top;
    return Math.max(0, Math.min(shown.length, Math.round(y / ROW)));
  };
  const down = (event: PointerEvent): void => {
    if (event.button !== 0 || (event.target as Element).closest("button")) return;
    const hit = (event.target as Element).closest<HTMLElement>(".cb-row");
    const row = hit && [...rows.values()].find((each) => each.box === hit);
    if (!row?.range) return;
    desk.visit(row.range.id);
    if (!desk.board.locked) drag = { from: row.place, y: event.clientY, going: false, to: row.place };
  };
  const moved = (event: PointerEvent): void => {
    if (!drag) return;
    if (!drag.going) {
      if (Math.abs(event.clientY - drag.y) < 5) return;
      drag.going = true;
      space.setPointerCapture(event.pointerId);
      box.classList.add("cb-dragging");
    }
    const seen = box.getBoundingClientRect();
    if (event.clientY < seen.top + 12) scrollTo(top - ROW / 2);
    else if (event.clientY > seen.bottom - 12) scrollTo(top + ROW / 2);
    drag.to = placeAt(event);
    drop.hidden = false;
    drop.style.transform = `translateY(${drag.to * ROW - 1}px)`;
  };
  const end = (): boolean => {
    const was = drag;
    drag = null;
    drop.hidden = true;
    box.classList.remove("cb-dragging");
    return was?.going ?? false;
  };
  const up = (): void => {
    const was = drag;
    if (!end() || !was || was.to === was.from || was.to === was.from + 1) return;
    const moving = shown[was.from];
    const above = shown[was.to - 1];
    const before = shown[was.to] ?? (above && desk.neighbour(above.id, 1, false));
    if (moving) desk.do({ verb: "move", ranges: [moving.id], before: before?.id ?? null });
  };

  box.addEventListener("scroll", () => {
    if (Math.abs(box.scrollTop - top) > 1) scrolled = performance.now();
    top = box.scrollTop;
    paint();
  });
  space.addEventListener("pointerdown", down);
  space.addEventListener("pointermove", moved);
  space.addEventListener("pointerup", up);
  space.addEventListener("pointercancel", end);
  space.addEventListener("dblclick", (event) => {
    if (!(event.target as Element).closest("button")) play();
  });
  const size =
    typeof ResizeObserver === "undefined"
      ? null
      : new ResizeObserver(() => {
          height = box.clientHeight || height;
          top = box.scrollTop;
          paint();
        });
  size?.observe(box);
  const quiet = [
    desk.on("board", gather),
    desk.on("shown", gather),
    desk.on("playhead", follow),
    desk.on("saving", soon),
  ];
  gather();
  return {
    cancel: end,
    destroy() {
      size?.disconnect();
      for (const each of quiet) each();
    },
  };
}

/** How the range meets its neighbours, where that is more than a cut. */
function turns(range: Range): string {
  const all = [range.lead > 0 && "J cut", range.lag > 0 && "L cut", range.dissolve > 0 && "dissolve"];
  return all.filter(Boolean).join(", ");
}

/** Letters that a column has room for at least, and at most. */
const NARROW = 6;
const WIDE = 26;

/** The letters of the longest of a column's texts, wide ones counted twice; within what a column has. */
export function widest(ranges: readonly Range[], column: "take" | "beat"): number {
  let most = NARROW;
  for (const each of new Set(ranges.map((range) => range[column]))) {
    const letters = [...each].reduce((sum, letter) => sum + (letter > "\u2e80" ? 2 : 1), 0);
    most = Math.max(most, letters);
  }
  return Math.min(most, WIDE);
}
