/** A file that comes from the kernel in pieces, put together once and shared by all views of a page. */

/** Bytes asked for at a time. */
export const PIECE = 4 * 1024 * 1024;

export type Fetch = (start: number, end: number) => Promise<{ size: number; buffer: Uint8Array }>;

/** Asks for a file piece by piece; the first answer tells its size. */
export async function assemble(
  fetch: Fetch,
  told?: (share: number) => void,
  step = PIECE,
): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let have = 0;
  let size = 1;
  while (have < size) {
    const answer = await fetch(have, have + step);
    size = answer.size;
    if (size === 0) return [];
    if (answer.buffer.byteLength === 0) throw new Error("a piece of the video came empty");
    // A copy of its own, since a message's buffer may be a window on a larger one.
    pieces.push(answer.buffer.slice());
    have += answer.buffer.byteLength;
    told?.(Math.min(1, have / size));
  }
  return pieces;
}

interface Held {
  url: Promise<string>;
  made: string;
  users: number;
  used: number;
}

/**
 * Object URLs by key. Each is made once, however many ask for it at the same time; of those that nobody uses only the
 * last few are kept.
 */
export class Shelf {
  private readonly held = new Map<string, Held>();
  private clock = 0;

  constructor(
    private readonly spare: number,
    private readonly urls: Pick<typeof URL, "createObjectURL" | "revokeObjectURL"> = URL,
  ) {}

  /** Takes a file, made by `make` where it is not there; each take needs a `give`. */
  take(key: string, make: () => Promise<Blob>): Promise<string> {
    let held = this.held.get(key);
    if (!held) {
      const fresh: Held = { url: Promise.resolve(""), made: "", users: 0, used: 0 };
      fresh.url = make().then(
        (blob) => {
          fresh.made = this.urls.createObjectURL(blob);
          if (this.held.get(key) !== fresh) this.urls.revokeObjectURL(fresh.made);
          return fresh.made;
        },
        (error: unknown) => {
          if (this.held.get(key) === fresh) this.held.delete(key);
          throw error;
        },
      );
      this.held.set(key, fresh);
      held = fresh;
    }
    held.users += 1;
    held.used = ++this.clock;
    return held.url;
  }

  give(key: string): void {
    const held = this.held.get(key);
    if (!held) return;
    held.users = Math.max(0, held.users - 1);
    this.tidy();
  }

  get size(): number {
    return this.held.size;
  }

  private tidy(): void {
    const idle = [...this.held].filter(([, each]) => each.users === 0).sort((a, b) => a[1].used - b[1].used);
    for (const [key, each] of idle.slice(0, Math.max(0, idle.length - this.spare))) {
      this.held.delete(key);
      if (each.made) this.urls.revokeObjectURL(each.made);
    }
  }
}

const NAME = Symbol.for("cutbook.review.files");
/** Files that nobody shows at the moment and that are kept all the same. */
const SPARE = 8;

/** The page's own shelf, one for all views on it, whichever copy of this script they run. */
export function pageShelf(): Shelf {
  const page = globalThis as { [NAME]?: Shelf };
  page[NAME] ??= new Shelf(SPARE);
  return page[NAME];
}
