/** What the strip is drawn from: a take's magnitudes, and pictures side by side. */
import type { Desk, Frames } from "./types";

export interface Sprite {
  readonly take: string;
  readonly frames: Frames;
  readonly columns: number;
  readonly image: ImageBitmap;
}

/** Takes whose magnitudes are kept: three hours of one are a megabyte. */
const TAKES = 6;
const SPRITES = 12;
/** Milliseconds that a view has to stand still before pictures are asked for. */
const STILL = 150;

export class Reel {
  private readonly peaks = new Map<string, Uint8Array | null>();
  private readonly gains = new Map<string, number>();
  private readonly sprites = new Map<string, Sprite | null>();
  private last: Sprite | null = null;
  private timer = 0;
  private gone = false;

  constructor(
    private readonly desk: Desk,
    private readonly changed: () => void,
  ) {}

  /** A take's magnitudes, asked for once; undefined until they are here. */
  peaksOf(take: string): Uint8Array | undefined {
    const known = this.desk.board.takes[take];
    if (!known?.sound) return undefined;
    const key = `${take}\n${known.stamp}`;
    const have = this.peaks.get(key);
    if (have !== undefined) return have ?? undefined;
    this.peaks.set(key, null);
    this.desk.ask("peaks", { take }).then(
      ({ buffer }) => {
        this.peaks.set(key, buffer.slice());
        this.gains.set(take, gain(buffer));
        forget(this.peaks, TAKES);
        this.tell();
      },
      () => this.peaks.delete(key),
    );
    return undefined;
  }

  /** By how much a take's sound is drawn larger, so that a quiet one is seen too. */
  gainOf(take: string): number {
    return this.gains.get(take) ?? 1;
  }

  /** The pictures that were asked for, or what there is of the take until they are here. */
  spriteOf(take: string, frames: Frames, columns: number, height: number): Sprite | undefined {
    const known = this.desk.board.takes[take];
    if (!known?.picture || columns < 1 || frames[1] <= frames[0]) return undefined;
    const key = [take, known.stamp, ...frames, columns, height].join("\n");
    const have = this.sprites.get(key);
    if (have) {
      this.last = have;
      return have;
    }
    if (have === undefined) {
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.fetch(key, take, frames, columns, height), STILL);
    }
    return this.last?.take === take ? this.last : undefined;
  }

  destroy(): void {
    this.gone = true;
    window.clearTimeout(this.timer);
    for (const sprite of this.sprites.values()) sprite?.image.close();
    this.sprites.clear();
    this.last = null;
  }

  private async fetch(
    key: string,
    take: string,
    frames: Frames,
    columns: number,
    height: number,
  ): Promise<void> {
    this.sprites.set(key, null);
    try {
      const answer = await this.desk.ask("sprite", { take, frames, columns, height });
      const image = await createImageBitmap(new Blob([answer.buffer.slice()], { type: "image/jpeg" }));
      if (this.gone) {
        image.close();
        return;
      }
      this.sprites.set(key, { take, frames: answer.frames, columns: answer.columns, image });
      for (const old of forget(this.sprites, SPRITES)) if (old !== this.last) old?.image.close();
      this.tell();
    } catch {
      // Without pictures the strip still has its sound; the next view asks again.
      this.sprites.delete(key);
    }
  }

  private tell(): void {
    if (!this.gone) this.changed();
  }
}

/** The factor that brings all but the loudest thousandth to the full height, six at most. */
export function gain(peaks: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const value of peaks) counts[value] = (counts[value] ?? 0) + 1;
  let left = Math.floor(peaks.length / 1000);
  let loud = 255;
  while (loud > 0 && left >= (counts[loud] ?? 0)) left -= counts[loud--] ?? 0;
  return Math.min(6, Math.max(1, 255 / Math.max(1, loud)));
}

/** Drops the oldest entries over a number, and gives them. */
function forget<T>(map: Map<string, T>, most: number): T[] {
  const old = [...map].slice(0, Math.max(0, map.size - most));
  for (const [key] of old) map.delete(key);
  return old.map(([, value]) => value);
}
