/** The strip: the sound and pictures of the current take, its ranges as regions whose edges can be dragged. */
import { Paint, type Scene, TALL } from "./paint";
import { Reel } from "./reel";
import {
  around,
  drawn,
  type Grip,
  gripAt,
  kept,
  limited,
  type Region,
  regions,
  snapped,
  toTime,
  toX,
  type Window,
  zoomed,
} from "./regions";
import { frameAt, kept as isKept, seconds, timecode } from "./time";
import type { Desk, Frames, Part, Playhead, Rate, Take, Trial } from "./types";
import { zoomButtons } from "./zoom";

/** Pixels within which an edge snaps. */
const SNAP = 9;

interface Drag {
  readonly grip: Grip | null;
  readonly from: number;
  frame: number;
  moved: boolean;
  snapped: boolean;
  /** Where the playhead stood before it went along with the edge. */
  readonly head: Playhead;
}

export interface StripPart extends Part {
  /** Gives a drag up; tells whether there was one. */
  cancel(): boolean;
}

export function createStrip(desk: Desk, box: HTMLElement): StripPart {
  return new Strip(desk, box);
}

class Strip implements StripPart {
  private readonly canvas = document.createElement("canvas");
  private readonly tools = zoomButtons((factor) => this.zoom(factor));
  private readonly tip = document.createElement("output");
  private readonly reel: Reel;
  private readonly paint: Paint;
  private readonly size: ResizeObserver;
  private width = 0;
  private font = "sans-serif";
  private take = "";
  private range = "";
  private trial: Trial | null = null;
  private shown: Window = { from: 0, to: 1 };
  private drag: Drag | null = null;
  private due = 0;
  /** All but the playhead, drawn anew only when some of it changed. */
  private readonly ground = document.createElement("canvas");
  private stale = true;
  private readonly off: (() => void)[];

  constructor(
    private readonly desk: Desk,
    box: HTMLElement,
  ) {
    this.reel = new Reel(desk, () => this.later());
    this.paint = new Paint(desk, this.reel);
    const { canvas, tools, tip } = this;
    canvas.className = "cb-wave";
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "slider");
    canvas.setAttribute("aria-label", "Playhead in the take");
    tip.className = "cb-tip";
    tip.hidden = true;
    box.append(canvas, tools, tip);
    this.size = new ResizeObserver(() => this.fit());
    this.size.observe(box);
    this.listen();
    this.off = [
      desk.on("board", () => {
        this.stale = true;
        this.follow();
      }),
      desk.on("playhead", () => this.follow()),
      desk.on("words", () => this.later()),
      desk.on("picked", () => this.later()),
      desk.on("theme", () => this.later()),
    ];
    this.fit();
    this.follow();
  }

  destroy(): void {
    for (const off of this.off) off();
    this.size.disconnect();
    this.reel.destroy();
    cancelAnimationFrame(this.due);
    for (const each of [this.canvas, this.tools, this.tip]) each.remove();
  }

  cancel(): boolean {
    const { drag } = this;
    if (drag) this.drop();
    return drag !== null;
  }

  private get known(): Take | undefined {
    return this.desk.board.takes[this.take];
  }

  private get rate(): Rate {
    return this.known?.rate ?? [25, 1];
  }

  private get length(): number {
    return seconds(this.known?.frames ?? 0, this.rate);
  }

  private listen(): void {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.over(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", () => this.drop());
    // A press must not take the focus from where the keys are.
    canvas.addEventListener("mousedown", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", () => this.zoom(0));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      else if (event.key === "+" || event.key === "=") this.zoom(0.5);
      else if (event.key === "-") this.zoom(2);
      else if (event.key === "0") this.zoom(0);
      else return;
      event.preventDefault();
    });
  }

  private fit(): void {
    const width = Math.floor(this.canvas.getBoundingClientRect().width);
    if (width <= 0) return;
    const ratio = window.devicePixelRatio || 1;
    this.font = getComputedStyle(this.canvas).fontFamily;
    this.width = width;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(TALL * ratio);
    this.ground.width = this.canvas.width;
    this.ground.height = this.canvas.height;
    this.later();
  }

  /** Shows the playhead's take, and its range when that is another than before. */
  private follow(): void {
    const { playhead } = this.desk;
    const range = this.desk.range(playhead.range);
    const { trial } = this.desk;
    const there = trial ?? (range?.take === playhead.take ? range : undefined);
    const other = this.take !== playhead.take || this.range !== playhead.range || this.trial !== trial;
    this.trial = trial;
    if (other) this.stale = true;
    const { shown } = this;
    this.take = playhead.take;
    this.range = playhead.range;
    const at = seconds(playhead.frame, this.rate);
    if (this.drag) {
      this.redraw();
      return;
    }
    if (other && this.known) {
      const [from, to] = there ? there.frames.map((frame) => seconds(frame, this.rate)) : [at, at];
      const seen = (from ?? at) >= this.shown.from && (to ?? at) <= this.shown.to;
      const wide = this.shown.to - this.shown.from;
      const small = (to ?? at) - (from ?? at) < wide / 12;
      if (!seen || small || this.shown.to > this.length + 1) this.home();
    }
    if (at < this.shown.from || at > this.shown.to) {
      const wide = this.shown.to - this.shown.from;
      this.shown = kept({ from: at - wide * 0.2, to: at + wide * 0.8 }, this.length);
    }
    if (shown !== this.shown) this.stale = true;
    this.redraw();
  }

  /** Shows the current range with some of the take around it. */
  private home(): void {
    const range = this.trial ?? this.desk.range(this.range);
    const { frame } = this.desk.playhead;
    const frames: Frames = range?.take === this.take ? range.frames : [frame, frame + 1];
    this.shown = around(frames, this.rate, this.length);
  }

  private zoom(factor: number): void {
    if (factor === 0) this.home();
    else {
      const at = seconds(this.desk.playhead.frame, this.rate);
      const middle = (this.shown.from + this.shown.to) / 2;
      const fixed = at >= this.shown.from && at <= this.shown.to ? at : middle;
      this.shown = zoomed(this.shown, factor, fixed, this.length);
    }
    this.later();
  }

  private wheel(event: WheelEvent): void {
    if (event.ctrlKey || event.metaKey) {
      const factor = Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 120);
      this.shown = zoomed(this.shown, factor, this.timeAt(event), this.length);
    } else {
      const by = event.shiftKey ? event.deltaY : event.deltaX;
      // Up and down is the notebook's.
      if (Math.abs(by) <= Math.abs(event.shiftKey ? event.deltaX : event.deltaY)) return;
      const move = (by / this.width) * (this.shown.to - this.shown.from);
      this.shown = kept({ from: this.shown.from + move, to: this.shown.to + move }, this.length);
    }
    event.preventDefault();
    this.later();
  }

  private x(event: MouseEvent): number {
    return event.clientX - this.canvas.getBoundingClientRect().left;
  }

  private timeAt(event: MouseEvent): number {
    return toTime(this.x(event), this.shown, this.width);
  }

  private frameAt(event: MouseEvent): number {
    const last = Math.max(0, (this.known?.frames ?? 1) - 1);
    return Math.min(last, Math.max(0, frameAt(this.timeAt(event), this.rate)));
  }

  private list(): Region[] {
    return regions(this.desk.board, this.take, this.shown, this.width);
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || !this.known) return;
    this.canvas.setPointerCapture(event.pointerId);
    const grip = this.desk.board.locked ? null : gripAt(this.list(), this.x(event), this.range);
    const head = this.desk.playhead;
    this.drag = { grip, from: this.x(event), frame: -1, moved: false, snapped: false, head };
    if (!grip) this.scrub(event);
  }

  private over(event: PointerEvent): void {
    const { drag } = this;
    if (!drag) {
      const grip = this.desk.board.locked ? null : gripAt(this.list(), this.x(event), this.range);
      this.canvas.style.cursor = grip ? "ew-resize" : "";
      return;
    }
    if (!drag.moved && Math.abs(this.x(event) - drag.from) < 3) return;
    drag.moved = true;
    if (!drag.grip) this.scrub(event);
    else this.pull(event, drag, drag.grip);
  }

  /** Moves the playhead to the pointer, and into the range that is there. */
  private scrub(event: PointerEvent): void {
    const frame = this.frameAt(event);
    const at = this.desk.board.ranges.filter(
      ({ take, frames }) => take === this.take && frames[0] <= frame && frame < frames[1],
    );
    const range = at.find(({ id }) => id === this.range) ?? at.find(isKept) ?? at[0];
    this.desk.go({ ...(range && { range: range.id }), take: this.take, frame });
  }

  /** Moves an edge: to the frame, to the air beside a word, to the playhead, to another range's edge; alt to any frame. */
  private pull(event: PointerEvent, drag: Drag, grip: Grip): void {
    const range = this.desk.range(grip.range);
    if (!range || !this.known) return;
    const free = Math.round((this.timeAt(event) * this.rate[0]) / this.rate[1]);
    const reach = (SNAP / this.width) * (this.shown.to - this.shown.from) * (this.rate[0] / this.rate[1]);
    let best: number | null = null;
    if (!event.altKey) {
      const { board } = this.desk;
      const marks = board.ranges
        .filter(({ take, id }) => take === this.take && id !== range.id)
        .map(({ frames }) => frames[grip.edge === "in" ? 1 : 0]);
      if (drag.head.take === this.take && !drag.head.playing) marks.push(drag.head.frame);
      const near = marks.filter((mark) => Math.abs(mark - free) <= reach);
      const word = snapped(
        grip.edge,
        free,
        reach,
        this.desk.words(this.take),
        this.rate,
        this.reel.peaksOf(this.take),
      );
      if (word !== null) near.push(word);
      best = near.sort((a, b) => Math.abs(a - free) - Math.abs(b - free))[0] ?? null;
    }
    drag.snapped = best !== null;
    drag.frame = limited(range, grip.edge, best ?? free, this.known.frames);
    this.tip.textContent = drawn(range, grip.edge, drag.frame, this.desk.words(this.take), this.rate);
    this.tip.style.left = `${Math.min(Math.max(this.x(event), 50), this.width - 50)}px`;
    this.tip.hidden = false;
    this.later();
    // The picture of the edge is what it is drawn to.
    if (!drag.head.playing) this.showEdge(grip, drag.frame);
  }

  private showEdge({ range, edge }: Grip, frame: number): void {
    this.desk.go({ range, take: this.take, frame: edge === "in" ? frame : frame - 1 });
  }

  private up(event: PointerEvent): void {
    const { drag } = this;
    const range = drag?.grip && this.desk.range(drag.grip.range);
    const edge = drag?.grip?.edge === "in" ? 0 : 1;
    if (this.canvas.hasPointerCapture(event.pointerId)) this.canvas.releasePointerCapture(event.pointerId);
    if (!drag?.grip || !range || !drag.moved || drag.frame < 0 || drag.frame === range.frames[edge]) {
      this.drop();
      if (drag?.grip && !drag.moved) this.scrub(event);
      return;
    }
    this.drag = null;
    this.tip.hidden = true;
    // What was seen to snap is where it goes: the kernel has nothing to add.
    this.desk.do({ verb: "trim", range: range.id, edge: drag.grip.edge, frame: drag.frame, exact: true });
    if (!drag.head.playing) this.showEdge(drag.grip, drag.frame);
    this.later();
  }

  /** Lets go of what is dragged, as if it had not been. */
  private drop(): void {
    const { drag } = this;
    this.drag = null;
    this.tip.hidden = true;
    if (drag?.grip && drag.moved && !drag.head.playing) {
      const { range, take, frame } = drag.head;
      this.desk.go({ ...(range && { range }), take, frame });
    }
    this.later();
  }

  private later(): void {
    this.stale = true;
    this.redraw();
  }

  private redraw(): void {
    if (this.due) return;
    this.due = requestAnimationFrame(() => {
      this.due = 0;
      this.draw();
    });
  }

  /** The regions as they would be if the edge that is dragged were let go. */
  private previewed(): Region[] {
    const { drag } = this;
    return this.list().map((region) => {
      if (!drag?.grip || drag.grip.range !== region.range.id || drag.frame < 0) return region;
      const x = toX(seconds(drag.frame, this.rate), this.shown, this.width);
      return drag.grip.edge === "in" ? { ...region, x } : { ...region, end: x };
    });
  }

  private draw(): void {
    const pen = this.canvas.getContext("2d");
    const under = this.ground.getContext("2d");
    if (!pen || !under || !this.width) return;
    const ratio = this.canvas.width / this.width;
    this.describe();
    const scene = this.scene();
    if (this.stale) {
      this.stale = false;
      under.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.paint.ground(under, scene);
    }
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.ground, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paint.head(pen, scene);
  }

  private scene(): Scene {
    const { take, known, rate, range, shown, width, drag } = this;
    const snapped = drag?.grip && drag.snapped ? drag.frame : null;
    const ratio = this.canvas.width / width;
    return {
      take,
      known,
      rate,
      range,
      shown,
      width,
      ratio,
      font: this.font,
      list: this.previewed(),
      trial: this.trial?.take === take ? this.trial.frames : null,
      snapped,
    };
  }

  /** Says where the playhead is for those who do not see it. */
  private describe(): void {
    const { frame } = this.desk.playhead;
    const { canvas } = this;
    canvas.setAttribute("aria-valuemin", "0");
    canvas.setAttribute("aria-valuemax", String(Math.max(0, (this.known?.frames ?? 1) - 1)));
    canvas.setAttribute("aria-valuenow", String(frame));
    canvas.setAttribute("aria-valuetext", `${timecode(seconds(frame, this.rate))} in ${this.take}`);
  }
}
