/** How the strip is drawn: its ground, which seldom changes, and the playhead over it. */
import type { Reel } from "./reel";
import { beside, columns, merged, type Region, type Span, ticks, toX, type Window } from "./regions";
import { clock, frameAt, kept as isKept, seconds, timecode } from "./time";
import type { Desk, Frames, Rate, Take } from "./types";

/** Pixels: the pictures, the sound, and the line between them. */
const FILM = 34;
const WAVE = 64;
const GAP = 2;
/** Pixels of the sound's height that its times take. */
const RULER = 12;
export const TALL = FILM + GAP + WAVE;

/** What there is to draw. */
export interface Scene {
  readonly take: string;
  readonly known: Take | undefined;
  readonly rate: Rate;
  /** The current range. */
  readonly range: string;
  readonly shown: Window;
  readonly width: number;
  /** Pixels of the canvas for each of the page. */
  readonly ratio: number;
  readonly font: string;
  readonly list: readonly Region[];
  /** The piece that is tried. */
  readonly trial: Frames | null;
  /** The frame that a dragged edge has snapped to. */
  readonly snapped: number | null;
}

export class Paint {
  private scene: Scene = {
    take: "",
    known: undefined,
    rate: [25, 1],
    range: "",
    shown: { from: 0, to: 1 },
    width: 0,
    ratio: 1,
    font: "sans-serif",
    list: [],
    trial: null,
    snapped: null,
  };
  private waves: { key: string; values: Uint8Array } | null = null;

  constructor(
    private readonly desk: Desk,
    private readonly reel: Reel,
  ) {}

  private get take(): string {
    return this.scene.take;
  }

  private get known(): Take | undefined {
    return this.scene.known;
  }

  private get rate(): Rate {
    return this.scene.rate;
  }

  private get range(): string {
    return this.scene.range;
  }

  private get shown(): Window {
    return this.scene.shown;
  }

  private get width(): number {
    return this.scene.width;
  }

  /** Where the piece that is tried lies. */
  private get trial(): Span | null {
    const { trial } = this.scene;
    if (!trial) return null;
    const [x = 0, end = 0] = trial.map((frame) => toX(seconds(frame, this.rate), this.shown, this.width));
    return { x, end };
  }

  head(pen: CanvasRenderingContext2D, scene: Scene): void {
    this.scene = scene;
    const { playhead } = this.desk;
    if (playhead.take !== this.take) return;
    const x = Math.round(toX(seconds(playhead.frame + 0.5, this.rate), this.shown, this.width));
    pen.fillStyle = this.desk.colour("accent");
    pen.fillRect(x, 0, 1, TALL);
    pen.beginPath();
    pen.moveTo(x - 4, 0);
    pen.lineTo(x + 5, 0);
    pen.lineTo(x + 0.5, 6);
    pen.fill();
    if (scene.snapped !== null) {
      const at = toX(seconds(scene.snapped, this.rate), this.shown, this.width);
      pen.fillStyle = this.desk.colour("green");
      pen.fillRect(Math.round(at), FILM + GAP, 1, WAVE);
    }
  }

  ground(pen: CanvasRenderingContext2D, scene: Scene): void {
    this.scene = scene;
    pen.fillStyle = this.desk.colour("bg");
    pen.fillRect(0, 0, this.width, TALL);
    if (!this.known) return;
    const { list } = scene;
    this.drawFilm(pen, list);
    this.drawRegions(pen, list);
    this.drawWave(pen, list);
    this.drawRuler(pen);
    this.drawEdges(pen, list);
  }

  private drawFilm(pen: CanvasRenderingContext2D, list: readonly Region[]): void {
    const { known } = this;
    if (!known) return;
    const [wide, high] = known.size;
    const cell = Math.max(12, Math.round((FILM * (wide || 16)) / (high || 9)));
    const count = Math.max(1, Math.min(60, Math.round(this.width / cell)));
    const frames: Frames = [
      frameAt(this.shown.from, this.rate),
      Math.max(
        frameAt(this.shown.from, this.rate) + 1,
        Math.min(known.frames, frameAt(this.shown.to, this.rate) + 1),
      ),
    ];
    const sprite = this.reel.spriteOf(this.take, frames, count, FILM * 2);
    pen.fillStyle = this.desk.colour("panel");
    pen.fillRect(0, 0, this.width, FILM);
    if (sprite) {
      const left = toX(seconds(sprite.frames[0], this.rate), this.shown, this.width);
      const right = toX(seconds(sprite.frames[1], this.rate), this.shown, this.width);
      const each = sprite.image.width / sprite.columns;
      const room = (right - left) / sprite.columns;
      for (let at = 0; at < sprite.columns; at++) {
        // As much of each picture as has room, from its middle.
        const part = Math.min(each, (room / FILM) * sprite.image.height);
        const from = at * each + (each - part) / 2;
        pen.drawImage(
          sprite.image,
          from,
          0,
          part,
          sprite.image.height,
          left + at * room,
          0,
          room + 0.5,
          FILM,
        );
      }
    }
    // What is not in the film is dimmed.
    pen.fillStyle = this.desk.colour("bg");
    pen.globalAlpha = 0.6;
    const { trial } = this;
    const seen = trial ? [trial] : list.filter(({ range }) => isKept(range));
    for (const { x, end } of beside([{ x: 0, end: this.width }], seen)) pen.fillRect(x, 0, end - x, FILM);
    pen.globalAlpha = 1;
  }

  private drawRegions(pen: CanvasRenderingContext2D, list: readonly Region[]): void {
    // Ranges that overlap look as one: what lies under others is not drawn.
    const { trial } = this;
    const mine = list.filter(({ range }) => range.id === this.range);
    const kept = list.filter(({ range }) => isKept(range));
    const fill = (spans: readonly Span[], colour: "accent" | "red" | "green", alpha: number) => {
      pen.fillStyle = this.desk.colour(colour);
      pen.globalAlpha = alpha;
      for (const { x, end } of spans) pen.fillRect(x, FILM + GAP, end - x, WAVE);
    };
    const over = trial ? [trial] : [];
    fill(over, "green", 0.24);
    fill(beside(mine, over), mine.some(({ range }) => !isKept(range)) ? "red" : "accent", trial ? 0.1 : 0.24);
    fill(beside(kept, [...over, ...mine]), "accent", 0.1);
    fill(beside(list, [...over, ...mine, ...kept]), "red", 0.1);
    pen.globalAlpha = 1;
    const { picked } = this.desk;
    const words = picked?.take === this.take ? this.desk.words(this.take) : undefined;
    if (picked && words) {
      const first = words.number.indexOf(picked.words[0]);
      const last = words.number.indexOf(picked.words[1]);
      const from = toX((words.start[first] ?? 0) / 1000, this.shown, this.width);
      const to = toX((words.end[last] ?? 0) / 1000, this.shown, this.width);
      pen.fillStyle = this.desk.colour("accent");
      pen.globalAlpha = 0.3;
      pen.fillRect(from, FILM + GAP, to - from, WAVE);
      pen.globalAlpha = 1;
    }
  }

  private drawWave(pen: CanvasRenderingContext2D, list: readonly Region[]): void {
    const peaks = this.reel.peaksOf(this.take);
    const middle = FILM + GAP + (WAVE + RULER) / 2;
    const half = (WAVE - RULER) / 2 - 1;
    pen.fillStyle = this.desk.colour("dim");
    if (!peaks) {
      pen.globalAlpha = 0.4;
      pen.fillRect(0, middle, this.width, 1);
      pen.globalAlpha = 1;
      return;
    }
    const ratio = this.scene.ratio;
    const wide = Math.round(this.width * ratio);
    const gain = this.reel.gainOf(this.take);
    const key = [this.take, this.known?.stamp, this.shown.from, this.shown.to, wide].join(" ");
    if (this.waves?.key !== key) this.waves = { key, values: columns(peaks, this.shown, wide) };
    const { values } = this.waves;
    const paint = (from: number, to: number) => {
      const most = Math.min(wide, Math.ceil(to * ratio));
      for (let x = Math.max(0, Math.floor(from * ratio)); x < most; x++) {
        const high = Math.max(0.5, Math.min(1, ((values[x] ?? 0) / 255) * gain) * half);
        pen.fillRect(x / ratio, middle - high, 1 / ratio, high * 2);
      }
    };
    pen.globalAlpha = 0.45;
    paint(0, this.width);
    pen.globalAlpha = 0.75;
    pen.fillStyle = this.desk.colour("text");
    const { trial } = this;
    const heard = trial ? [trial] : merged(list.filter(({ range }) => isKept(range)));
    for (const { x, end } of heard) paint(x, end);
    pen.globalAlpha = 1;
  }

  private drawRuler(pen: CanvasRenderingContext2D): void {
    pen.fillStyle = this.desk.colour("dim");
    pen.font = `10px ${this.scene.font}`;
    pen.textBaseline = "top";
    for (const { time, step } of ticks(this.shown, this.width)) {
      const x = toX(time, this.shown, this.width);
      pen.fillRect(x, FILM + GAP, 1, 4);
      pen.fillText(step < 1 ? timecode(time + 1e-6) : clock(time), x + 3, FILM + GAP + 1);
    }
  }

  private drawEdges(pen: CanvasRenderingContext2D, list: readonly Region[]): void {
    for (const { range, x, end } of list) {
      const mine = range.id === this.range;
      pen.fillStyle = this.desk.colour(mine ? "accent" : range.status === "rejected" ? "red" : "text");
      const wide = mine ? 2 : 1;
      pen.globalAlpha = mine ? 1 : 0.7;
      // Beneath the times, which are read where edges are many.
      pen.fillRect(Math.round(x), FILM + GAP + RULER, wide, WAVE - RULER);
      pen.fillRect(Math.round(end) - wide, FILM + GAP + RULER, wide, WAVE - RULER);
      if (mine) {
        // Something to take hold of.
        pen.fillRect(Math.round(x), FILM + GAP + (WAVE + RULER) / 2 - 9, 4, 18);
        pen.fillRect(Math.round(end) - 4, FILM + GAP + (WAVE + RULER) / 2 - 9, 4, 18);
      }
      pen.globalAlpha = 1;
    }
    const { trial } = this;
    if (!trial) return;
    pen.fillStyle = this.desk.colour("green");
    pen.fillRect(Math.round(trial.x), 0, 2, TALL);
    pen.fillRect(Math.round(trial.end) - 2, 0, 2, TALL);
  }
}
