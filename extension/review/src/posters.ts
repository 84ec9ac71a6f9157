/** Single pictures of takes, asked for one at a time, the last ones kept. */
import type { Desk } from "./types";

const KEPT = 60;
const HEIGHT = 360;

export class Posters {
  private readonly urls = new Map<string, string>();
  private wanted: { take: string; frame: number; then: (url: string) => void } | null = null;
  private asking = false;
  private gone = false;

  constructor(private readonly desk: Desk) {}

  /** Calls `then` with the picture's address; a wish that comes while another is asked for replaces the one before. */
  show(take: string, frame: number, then: (url: string) => void): void {
    const known = this.urls.get(this.key(take, frame));
    if (known) {
      this.wanted = null;
      then(known);
      return;
    }
    this.wanted = { take, frame, then };
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
    while (this.wanted && !this.gone) {
      const { take, frame, then } = this.wanted;
      this.wanted = null;
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
