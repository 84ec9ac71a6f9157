/** A kernel that is none: it answers as the real one does, out of material, and can be slow, busy or dead. */
import { fold, isNew } from "../src/fold";
import type { Health, Model, Pulse } from "../src/link";
import type { Board, FromKernel, Other, Question, Questions, Range, ToKernel } from "../src/types";
import type { Material } from "./material";

type Heard = (content: unknown, buffers?: readonly unknown[]) => void;
type Answer = { answer: object; buffer?: Uint8Array };

export interface Pictures {
  /** A JPEG of frames of a take side by side. */
  jpeg(take: string, frames: readonly number[], width: number, height: number): Promise<Uint8Array>;
}

export class FakeKernel implements Model, Pulse {
  board: Board;
  health: Health = "idle";
  delay: number;
  /** Whether anybody is behind the comm; a restarted kernel knows of none. */
  listening = true;
  readonly heard: ToKernel[] = [];
  readonly #material: Material;
  readonly #pictures: Pictures | null;
  readonly #on = new Set<Heard>();
  readonly #beats = new Set<(health: Health) => void>();
  readonly #past: Board[] = [];
  #future: Board[] = [];
  #named = 0;

  constructor(material: Material, { delay = 25, pictures = null as Pictures | null } = {}) {
    this.#material = material;
    this.#pictures = pictures;
    this.board = material.board;
    this.delay = delay;
  }

  send(content: unknown): void {
    const message = content as ToKernel;
    this.heard.push(message);
    if (!this.listening) return;
    const answer = (): void => void this.#hear(message);
    if (this.delay < 0) answer();
    else setTimeout(answer, this.delay);
  }

  on(what: string | ((health: Health) => void), then?: Heard): () => void {
    if (typeof what === "function") {
      this.#beats.add(what);
      return () => this.#beats.delete(what);
    }
    if (then) this.#on.add(then);
    return () => then && this.#on.delete(then);
  }

  off(_name: string, then?: Heard): void {
    if (then) this.#on.delete(then);
    else this.#on.clear();
  }

  beat(health: Health): void {
    this.health = health;
    for (const then of this.#beats) then(health);
  }

  /** Somebody else changes the cut list. */
  elsewhere(change: (board: Board) => Board): void {
    this.#past.push(this.board);
    const next = change(this.board);
    const undo = next.locked === "" || next.undo;
    this.board = { ...next, version: this.board.version + 1, undo };
    this.tell({ type: "changed", board: this.board, by: "python" });
  }

  tell(message: FromKernel, buffers: readonly Uint8Array[] = []): void {
    const copies = buffers.map((each) => new DataView(each.buffer, each.byteOffset, each.byteLength));
    for (const then of [...this.#on]) then(structuredClone(message), copies);
  }

  async #hear(message: ToKernel): Promise<void> {
    const { view } = message;
    if (message.type === "hello") this.tell({ type: "board", view, board: this.board });
    if (message.type === "do") {
      const { id } = message;
      const unknown =
        "range" in message.change &&
        !this.board.ranges.some((r) => r.id === (message.change as { range: string }).range);
      const error = unknown ? "there is no such range" : "";
      if (!error) this.#do(message);
      const said = message.change.verb === "note" ? "noted" : "";
      this.tell({ type: "ack", view, id, ok: !error, error, stale: false, board: this.board, said });
    }
    if (message.type === "ask") {
      const { id, what } = message;
      try {
        const { answer, buffer } = await this.#answer(what, message as never);
        this.tell({ type: "answer", view, id, ok: true, error: "", ...answer }, buffer ? [buffer] : []);
      } catch (error) {
        this.tell({ type: "answer", view, id, ok: false, error: (error as Error).message });
      }
    }
  }

  #do({ change }: Extract<ToKernel, { type: "do" }>): void {
    const { version } = this.board;
    if (change.verb === "undo" || change.verb === "redo") {
      const [from, to] = change.verb === "undo" ? [this.#past, this.#future] : [this.#future, this.#past];
      const back = from.pop();
      if (back) {
        to.push(this.board);
        this.board = {
          ...back,
          version: version + 1,
          undo: this.#past.length > 0,
          redo: this.#future.length > 0,
        };
      }
      return;
    }
    if (change.verb === "note") return;
    const next = fold(this.board, change, (take) => this.#material.words[take]);
    const named = (range: Range): Range => (isNew(range.id) ? { ...range, id: `n${++this.#named}` } : range);
    this.#past.push(this.board);
    this.#future = [];
    this.board = { ...next, ranges: next.ranges.map(named), version: version + 1, undo: true, redo: false };
  }

  async #answer(
    what: Question,
    asked: Questions[Question]["ask"] & { [key: string]: never },
  ): Promise<Answer> {
    const { take } = asked as { take: string };
    switch (what) {
      case "words": {
        const words = this.#material.words[take];
        if (!words) throw new Error(`no transcript of ${take}`);
        return { answer: { words } };
      }
      case "peaks":
        return { answer: { take }, buffer: this.#peaks(take) };
      case "sprite": {
        const { frames, columns, height } = asked as Questions["sprite"]["ask"];
        const width = Math.round((height * 16) / 9) * columns;
        const step = (frames[1] - frames[0]) / columns;
        const at = Array.from({ length: columns }, (_, column) =>
          Math.floor(frames[0] + (column + 0.5) * step),
        );
        return {
          answer: { take, frames, columns, width, height },
          buffer: await this.#jpeg(take, at, width, height),
        };
      }
      case "poster": {
        const { frame, height } = asked as Questions["poster"]["ask"];
        return {
          answer: { take, frame },
          buffer: await this.#jpeg(take, [frame], Math.round((height * 16) / 9), height),
        };
      }
      case "clip": {
        const clip = {
          take,
          state: "none",
          progress: 0,
          problem: "a made-up take",
          url: "",
          size: 0,
          seconds: 0,
          parts: [],
        };
        return { answer: { clip } };
      }
      case "others":
        return { answer: { others: this.#others((asked as Questions["others"]["ask"]).range) } };
      case "versions": {
        const versions = ["cut", "accept 1-3", "tighten", "reject 5"].map((why, place) => ({
          number: place + 1,
          by: "you",
          why,
          when: new Date(Date.UTC(2026, 10, 28, 9 + place)).toISOString(),
          current: place === 3,
        }));
        return { answer: { versions } };
      }
      case "compare": {
        const kinds = ["kept", "trimmed", "added", "dropped", "moved", "decided"] as const;
        const rows = this.board.ranges.slice(0, 40).map((range, place) => {
          const kind = kinds[place % kinds.length] ?? "kept";
          const was = kind === "added" ? "" : kind === "trimmed" ? `um ${range.quote}` : range.quote;
          return { what: kind, range: range.id, was, now: kind === "dropped" ? "" : range.quote };
        });
        return { answer: { text: "", rows } };
      }
      case "slips": {
        const slips = this.board.ranges.flatMap((range, place) =>
          place % 3
            ? []
            : [{ range: range.id, kind: place % 2 ? "pause" : "filler", frames: range.frames, text: "um" }],
        );
        return { answer: { slips } };
      }
      default:
        throw new Error(`nothing is known of ${what}`);
    }
  }

  #others(id: string): Other[] {
    const range = this.board.ranges.find((each) => each.id === id);
    return this.board.ranges
      .filter((each) => each.words && each.id !== id)
      .slice(0, range ? 6 : 0)
      .map((each, place) => ({
        take: each.take,
        words: each.words ?? [1, 1],
        frames: each.frames,
        quote: each.quote,
        likeness: 97 - place * 9,
        used: place === 1 ? each.id : "",
      }));
  }

  #peaks(take: string): Uint8Array {
    const words = this.#material.words[take];
    const known = this.board.takes[take];
    const peaks = new Uint8Array(known ? Math.ceil((known.frames / 29.97) * 100) : 0);
    for (let place = 0; place < peaks.length; place++) peaks[place] = 3 + ((place * 7919) % 5);
    for (const [word, start] of (words?.start ?? []).entries()) {
      const end = words?.end[word] ?? start;
      for (let at = Math.floor(start / 10); at < end / 10; at++) {
        const share = (at * 10 - start) / Math.max(1, end - start);
        peaks[at] = Math.round(40 + 150 * Math.sin(Math.PI * share) * (0.5 + ((at * 2654435761) % 97) / 194));
      }
    }
    return peaks;
  }

  async #jpeg(take: string, frames: readonly number[], width: number, height: number): Promise<Uint8Array> {
    if (!this.#pictures) throw new Error("no pictures here");
    return this.#pictures.jpeg(take, frames, width, height);
  }
}
