/** A desk without a kernel, for what only needs one to ask and to be told. */
import { kept } from "../src/time";
import type {
  Board,
  Change,
  Clip,
  Desk,
  Happening,
  Picked,
  Playhead,
  Question,
  Questions,
  Range,
  Reply,
  Saving,
  Status,
  Take,
  Trial,
  Words,
} from "../src/types";

export function take(name: string, more: Partial<Take> = {}): Take {
  const usual = {
    rate: [25, 1] as const,
    frames: 1000,
    picture: true,
    sound: true,
    size: [640, 360] as const,
  };
  return { name, words: 0, stamp: "s", ...usual, ...more };
}

export function range(
  id: string,
  name: string,
  first: number,
  end: number,
  more: Partial<Range> = {},
): Range {
  const texts = { beat: "", quote: "", reason: "", why: "", by: "", problem: "" };
  const usual = { words: null, status: "undecided" as Status, lead: 0, lag: 0, dissolve: 0 };
  return { id, take: name, frames: [first, end], ...texts, ...usual, ...more };
}

export function board(takes: readonly Take[], ranges: readonly Range[], more: Partial<Board> = {}): Board {
  return {
    version: 1,
    number: 1,
    title: "film",
    wanted: null,
    locked: "",
    takes: Object.fromEntries(takes.map((each) => [each.name, each])),
    ranges,
    undo: false,
    redo: false,
    film: "",
    ...more,
  };
}

/** Words of half a second each, with a tenth between them. */
export function words(name: string, texts: readonly string[], more: Partial<Words> = {}): Words {
  return {
    take: name,
    number: texts.map((_, at) => at + 1),
    text: texts,
    start: texts.map((_, at) => at * 600),
    end: texts.map((_, at) => at * 600 + 500),
    kind: texts.map(() => 0),
    joined: texts.map(() => 0),
    paragraphs: texts.length ? [0] : [],
    speakers: texts.length ? [""] : [],
    ...more,
  };
}

type Answers = { [Q in Question]?: (argument: Questions[Q]["ask"]) => Promise<Reply<Q>> };

export class FakeDesk implements Desk {
  playhead: Playhead;
  picked: Picked | null = null;
  trial: Trial | null = null;
  saving: Saving = { state: "saved" };
  shown: readonly string[] | null = null;
  visible = true;
  readonly done: Change[] = [];
  readonly said: string[] = [];
  readonly clips = new Map<string, Clip>();
  readonly spoken = new Map<string, Words>();
  readonly answers: Answers = {};
  private readonly heard = new Map<Happening, Set<() => void>>();

  constructor(
    public board: Board,
    readonly root: HTMLElement = document.createElement("div"),
  ) {
    const first = board.ranges[0];
    const at = { range: first?.id ?? "", take: first?.take ?? "", frame: first?.frames[0] ?? 0 };
    this.playhead = { ...at, playing: false, speed: 1 };
  }

  range(id: string): Range | undefined {
    return this.board.ranges.find((each) => each.id === id);
  }

  neighbour(id: string, step: 1 | -1, only: boolean): Range | undefined {
    const at = this.board.ranges.findIndex((each) => each.id === id);
    const list = step > 0 ? this.board.ranges.slice(at + 1) : this.board.ranges.slice(0, at).reverse();
    return list.find((each) => !only || kept(each));
  }

  words(name: string): Words | undefined {
    return this.spoken.get(name);
  }

  clip(name: string): Clip | undefined {
    return this.clips.get(name);
  }

  on(what: Happening, then: () => void): () => void {
    const all = this.heard.get(what) ?? new Set();
    this.heard.set(what, all.add(then));
    return () => all.delete(then);
  }

  tell(what: Happening): void {
    for (const then of [...(this.heard.get(what) ?? [])]) then();
  }

  go(to: { range?: string; take?: string; frame?: number }): void {
    const named = to.range === undefined ? undefined : this.range(to.range);
    const now = this.playhead;
    const name = to.take ?? named?.take ?? now.take;
    this.playhead = {
      ...now,
      range: named?.id ?? now.range,
      take: name,
      frame: to.frame ?? named?.frames[0] ?? now.frame,
    };
    this.tell("playhead");
  }

  play(playing: boolean, speed: number): void {
    this.playhead = { ...this.playhead, playing, speed };
    this.tell("playhead");
  }

  pick(picked: Picked | null): void {
    this.picked = picked;
    this.tell("picked");
  }

  show(next: Board): void {
    this.board = next;
    this.tell("board");
  }

  do(change: Change): void {
    this.done.push(change);
  }

  ask<Q extends Question>(what: Q, argument: Questions[Q]["ask"]): Promise<Reply<Q>> {
    const answer = this.answers[what] as ((argument: Questions[Q]["ask"]) => Promise<Reply<Q>>) | undefined;
    return answer ? answer(argument) : Promise.reject(new Error("nobody answers"));
  }

  say(text: string): void {
    this.said.push(text);
  }

  colour(name: string): string {
    const dark = { bg: "#fff", panel: "#f5f5f5", text: "#222", dim: "#777", border: "#ccc" };
    const bright = { accent: "#1976d2", green: "#388e3c", red: "#d32f2f" };
    return { ...dark, ...bright }[name] ?? "#000";
  }
}
