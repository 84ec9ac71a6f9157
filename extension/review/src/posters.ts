/** Single pictures of takes, asked for one at a time, the last ones kept. Each who wishes has one wish open. */
import type { Desk } from "./types";

const KEPT = 60;
const HEIGHT = 360;

interface Wish {
  readonly take: string;
  readonly frame: number;
  readonly then: (url: string) => void;
}

export class Posters {
  private readonly urls = new Map<string, string>();
  private readonly wanted = new Map<object, Wish>();
  private asking = false;
  private gone = false;

  constructor(private readonly desk: Desk) {}

  /** Calls `then` with the picture's address; a wish replaces the one before of `who` wishes. */
  show(who: object, take: string, frame: number, then: (url: string) => void): void {
    const known = this.urls.get(this.key(take, frame));
    if (known) {
      this.wanted.delete(who);
      then(known);
      return;
    }
    this.wanted.set(who, { take, frame, then });
    void this.work();
  }

  destroy(): void {
    this.gone = true;
    for (const url of this.urls.values()) URL.revokeObjectURL(url);
    this.urls.clear();
  }

  private key(take: string, frame: number): string {
    return `${take}\n${this.desk.board.takes[take]?.stamp}\n${frame}`;
  }

  private async work(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    while (!this.gone) {
      const [next] = this.wanted;
      if (!next) break;
      const [who, { take, frame, then }] = next;
      this.wanted.delete(who);
      try {
        const { buffer } = await this.desk.ask("poster", { take, frame, height: HEIGHT });
        if (this.gone) break;
        const url = URL.createObjectURL(new Blob([buffer.slice()], { type: "image/jpeg" }));
        this.urls.set(this.key(take, frame), url);
        for (const [key, old] of [...this.urls].slice(0, Math.max(0, this.urls.size - KEPT))) {
          URL.revokeObjectURL(old);
          this.urls.delete(key);
        }
        then(url);
      } catch {
        // The screen keeps what it shows; the next wish asks again.
      }
    }
    this.asking = false;
  }
}
