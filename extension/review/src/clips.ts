/**
 * How a take comes to be played: from the server where it has the file, else from the kernel in pieces, else not at
 * all, and pictures stand for it.
 */
import { assemble, pageShelf, type Shelf } from "./pieces";
import type { Clip, Desk } from "./types";

/** A file that a video element can play. */
export interface Source {
  readonly url: string;
  /** Seconds of take time at which the file begins, and ends. */
  readonly from: number;
  readonly to: number;
}

/** What is known of a take's source: it, why there is none, or how far it is. */
export type Found =
  | { readonly state: "ready"; readonly source: Source }
  /** `long` tells that it takes longer than a person waits. */
  | { readonly state: "wait"; readonly said: string; readonly long?: true }
  | { readonly state: "none"; readonly said: string };

/** The place of the part in which a time lies. */
export function partAt(parts: readonly number[], time: number): number {
  let low = 0;
  for (let at = 0; at < parts.length && (parts[at] ?? 0) <= time + 1e-6; at++) low = at;
  return low;
}

/** Seconds in which the server has to answer before the kernel is asked. */
const PATIENCE = 5;
/** Parts of long files that one view holds at a time. */
const HELD = 6;

interface Way {
  clip: Clip;
  /** Whether the server has it: null while it is asked. */
  served: boolean | null;
  broken: string;
}

interface Load {
  url: string;
  share: number;
  error: string;
  used: number;
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** Whether an answer to a request for two bytes shows that a browser can play and seek in the file. */
export function plays(status: number, type: string | null): boolean {
  return status === 206 && /^video\//i.test(type ?? "");
}

export class Clips {
  private readonly ways = new Map<string, Way>();
  private readonly loads = new Map<string, Load>();
  private readonly off: () => void;
  private gone = false;
  private clock = 0;
  private first = "";

  constructor(
    private readonly desk: Desk,
    /** Called when more is known than before. */
    private readonly changed: () => void,
    private readonly shelf: Shelf = pageShelf(),
  ) {
    this.off = desk.on("clip", () => {
      // What failed may have failed with the kernel: it is tried again when there is news.
      for (const [key, load] of this.loads) if (load.error) this.loads.delete(key);
      this.changed();
    });
  }

  /** Gives what there is for a time of a take, and sees to it that there will be. */
  find(take: string, time: number): Found {
    const clip = this.desk.clip(take);
    if (!clip) return { state: "wait", said: "" };
    if (clip.state === "making") {
      const said = `Making a small copy of ${take} to play: ${percent(clip.progress)}`;
      return { state: "wait", said, long: true };
    }
    if (clip.state === "none") return { state: "none", said: clip.problem };
    const way = this.way(take, clip);
    if (way.broken) return { state: "none", said: way.broken };
    if (way.served === null) return { state: "wait", said: "" };
    if (way.served) return { state: "ready", source: { url: clip.url, from: 0, to: clip.seconds } };
    const part = clip.parts.length ? partAt(clip.parts, time) : null;
    const load = this.load(take, clip, part);
    if (load.error) return { state: "none", said: load.error };
    if (!load.url) return { state: "wait", said: `Loading ${take}: ${percent(load.share)}` };
    const from = part === null ? 0 : (clip.parts[part] ?? 0);
    const to = part === null ? clip.seconds : (clip.parts[part + 1] ?? clip.seconds);
    return { state: "ready", source: { url: load.url, from, to } };
  }

  /** Asks for clips of takes in the order in which they will be needed; the first goes before what waits already. */
  need(takes: readonly string[]): void {
    const [first] = takes;
    for (const take of takes) this.desk.clip(take);
    const clip = first === undefined ? undefined : this.desk.clip(first);
    if (!clip || first === undefined || first === this.first) return;
    this.first = first;
    // What waits is made in the order in which it was asked for.
    if (clip.state === "making") this.desk.ask("clip", { take: first, first: true }).catch(() => {});
  }

  /** Gives the times at which a take's picture goes over into another file. */
  breaks(take: string): readonly number[] {
    const way = this.ways.get(take);
    return way?.served === false ? way.clip.parts : [];
  }

  /** Tells that a source that was given does not play: the next way is gone. */
  failed(take: string, source: Source): void {
    const way = this.ways.get(take);
    if (!way || way.broken) return;
    if (way.served && source.url === way.clip.url) way.served = false;
    else way.broken = `This browser cannot play the copy of ${take}`;
    this.changed();
  }

  destroy(): void {
    this.gone = true;
    this.off();
    for (const key of this.loads.keys()) this.shelf.give(key);
    this.loads.clear();
  }

  private way(take: string, clip: Clip): Way {
    const known = this.ways.get(take);
    if (known && known.clip.url === clip.url && known.clip.size === clip.size) return known;
    const way: Way = { clip, served: clip.url ? null : false, broken: "" };
    this.ways.set(take, way);
    if (clip.url) {
      void this.probe(clip.url).then((served) => {
        way.served = served;
        if (!this.gone) this.changed();
      });
    }
    return way;
  }

  private async probe(url: string): Promise<boolean> {
    try {
      const answer = await fetch(url, {
        headers: { Range: "bytes=0-1" },
        credentials: "same-origin",
        signal: AbortSignal.timeout(PATIENCE * 1000),
      });
      void answer.body?.cancel();
      return plays(answer.status, answer.headers.get("content-type"));
    } catch {
      return false;
    }
  }

  private load(take: string, clip: Clip, part: number | null): Load {
    const key = [
      this.desk.board.title,
      take,
      this.desk.board.takes[take]?.stamp,
      clip.size,
      part ?? "whole",
    ].join("\n");
    const known = this.loads.get(key);
    if (known) {
      known.used = ++this.clock;
      return known;
    }
    const load: Load = { url: "", share: 0, error: "", used: ++this.clock };
    this.loads.set(key, load);
    const ask = (start: number, end: number) => this.desk.ask("piece", { take, part, start, end });
    const told = (share: number) => {
      load.share = share;
      if (!this.gone) this.changed();
    };
    const make = async () => new Blob((await assemble(ask, told)) as BlobPart[], { type: "video/mp4" });
    this.shelf.take(key, make).then(
      (url) => {
        load.url = url;
        if (!this.gone) this.changed();
      },
      (error: unknown) => {
        load.error = error instanceof Error ? error.message : String(error);
        if (!this.gone) this.changed();
      },
    );
    this.drop();
    return load;
  }

  /** Lets go of the parts that were used longest ago. */
  private drop(): void {
    const parts = [...this.loads]
      .filter(([key]) => !key.endsWith("\nwhole"))
      .sort((a, b) => a[1].used - b[1].used);
    for (const [key] of parts.slice(0, Math.max(0, parts.length - HELD))) {
      this.loads.delete(key);
      this.shelf.give(key);
    }
  }
}
