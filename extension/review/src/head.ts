/** The head: what is reviewed, how far it is, and whether it is saved; under it the film as a thin tape. */
import type { Bench } from "./desk";
import { attribute, h, text } from "./dom";
import { filmOf } from "./film";
import { clock, kept, length } from "./time";
import type { Part, Saving } from "./types";

/** Milliseconds for which a line is shown, and for each letter of one that needs room of its own. */
const SHOWN = 6000;
const SHOWN_LETTER = 60;

export function createHead(desk: Bench, box: HTMLElement, buttons: readonly HTMLElement[]): Part {
  const title = h("strong", "cb-title");
  const done = h("span", "");
  const long = h("span", "cb-long");
  const far = h("span", "cb-far", {}, done, long);
  const line = h("span", "cb-news");
  const saved = h("span", "cb-saved");
  const live = h("div", "cb-live", { role: "status", "aria-live": "polite" });
  box.append(title, far, line, saved, h("span", "cb-buttons", {}, ...buttons), live);
  // What does not fit into the head lies over the parts below until it is read.
  const note = h("p", "cb-toast", { "aria-hidden": "true" });
  note.hidden = true;
  box.append(note);
  let shown = 0;

  const tell = (): void => {
    const { board } = desk;
    const { seconds, counts } = filmOf(board);
    text(title, board.title || "Cut review");
    const place = desk.place(desk.playhead.range) + 1;
    const parts = [board.ranges.length ? `${place} of ${board.ranges.length}` : "no ranges"];
    if (board.ranges.length) parts.push(counts.undecided ? `${counts.undecided} undecided` : "all decided");
    const more = [board.wanted ? `${clock(seconds)} of ${clock(board.wanted)} wanted` : clock(seconds)];
    if (board.locked) more.push(`version ${board.number}`);
    text(done, desk.known ? parts.join(" · ") : "");
    text(long, desk.known ? ` · ${more.join(" · ")}` : "");
    attribute(desk.root, "aria-label", `Cut review of ${board.title || "the film"}`);
  };
  const save = (): void => {
    const { state } = desk.saving;
    const held = desk.board.undo ? "cannot be changed" : "to look at";
    text(saved, desk.board.locked && state === "saved" ? held : told(desk.saving, desk.known));
    const lost =
      state === "lost" || state === "dead" ? "What is marked with a dot is not in the cut list." : null;
    const refused = desk.saving.state === "refused" ? desk.saving.error : null;
    attribute(saved, "title", desk.board.locked || lost || refused);
    attribute(saved, "data-state", state);
  };
  const hush = (): void => {
    text(line, "");
    note.hidden = true;
  };
  const say = (): void => {
    text(line, desk.line);
    attribute(line, "title", desk.line || null);
    live.textContent = desk.line;
    clearTimeout(shown);
    const over = line.scrollWidth > line.clientWidth;
    note.hidden = !over;
    if (over) {
      text(note, desk.line);
      text(line, "");
    }
    shown = window.setTimeout(hush, SHOWN + (over ? desk.line.length * SHOWN_LETTER : 0));
  };

  const quiet = [
    desk.on("board", () => {
      tell();
      save();
    }),
    desk.on("playhead", tell),
    desk.on("saving", save),
    desk.on("said", say),
    desk.on("spoken", () => {
      live.textContent = desk.spoken;
    }),
  ];
  tell();
  save();
  return {
    destroy() {
      clearTimeout(shown);
      for (const each of quiet) each();
    },
  };
}

export function told(saving: Saving, known: boolean): string {
  switch (saving.state) {
    case "saved":
      return known ? "saved" : "opening…";
    case "saving":
      return "saving…";
    case "waiting":
      return saving.waiting ? `${saving.waiting} waiting for the kernel` : "waiting for the kernel";
    case "lost":
      return saving.waiting ? "not saved: run %review again" : "no kernel behind this: run %review again";
    case "dead":
      return saving.waiting ? `the kernel is dead, ${saving.waiting} not saved` : "the kernel is dead";
    case "refused":
      return "not done";
  }
}

/** All ranges side by side, each as wide as it is long; those rejected are a thin line. */
export function createTape(desk: Bench, box: HTMLElement): Part {
  const canvas = h("canvas", "cb-tape-canvas", { "aria-hidden": "true" });
  box.append(canvas);
  let due = 0;
  let edges: number[] = [];

  const draw = (): void => {
    due = 0;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (!width) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const paint = canvas.getContext("2d");
    if (!paint) return;
    paint.scale(ratio, ratio);
    const { board, playhead } = desk;
    const colours = {
      accepted: desk.colour("green"),
      rejected: desk.colour("red"),
      undecided: desk.colour("dim"),
    };
    const lengths = board.ranges.map((range) => length(range, board.takes));
    const total = lengths.reduce((sum, each) => sum + each, 0) || 1;
    edges = [];
    let x = 0;
    for (const [place, range] of board.ranges.entries()) {
      const wide = ((lengths[place] ?? 0) / total) * width;
      const gap = wide > 3 ? 1 : 0;
      const current = range.id === playhead.range;
      paint.globalAlpha = current ? 1 : range.status === "undecided" ? 0.35 : 0.6;
      paint.fillStyle = current ? desk.colour("accent") : colours[range.status];
      if (kept(range)) paint.fillRect(x, 0, Math.max(0.5, wide - gap), height);
      else paint.fillRect(x, height - 2, Math.max(0.5, wide - gap), 2);
      x += wide;
      edges.push(x);
    }
  };
  const soon = (): void => {
    due ||= requestAnimationFrame(draw);
  };
  let range = "";
  const moved = (): void => {
    if (desk.playhead.range === range) return;
    range = desk.playhead.range;
    soon();
  };
  const clicked = (event: MouseEvent): void => {
    const place = edges.findIndex((edge) => event.offsetX < edge);
    const hit = desk.board.ranges[place];
    if (hit) desk.visit(hit.id);
  };
  canvas.addEventListener("click", clicked);
  const size = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(soon);
  size?.observe(canvas);
  const quiet = [desk.on("board", soon), desk.on("theme", soon), desk.on("playhead", moved)];
  return {
    destroy() {
      cancelAnimationFrame(due);
      size?.disconnect();
      for (const each of quiet) each();
    },
  };
}
