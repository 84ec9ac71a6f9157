/** What the parts of one view share: the board, the playhead, what is picked and shown, and the way to the kernel. */
import { fold, isNew } from "./fold";
import { Link, type Model, type Pulse } from "./link";
import { type Colour, Theme } from "./theme";
import { kept } from "./time";
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
  Trial,
  Words,
} from "./types";

const NOTHING: Board = {
  version: 0,
  number: 0,
  title: "",
  wanted: null,
  locked: "",
  takes: {},
  ranges: [],
  undo: false,
  redo: false,
  film: "",
};

/** Changes after which the words that are picked stay so. */
const ABOUT_WORDS: ReadonlySet<Change["verb"]> = new Set(["cut", "restore", "why", "note"]);

/** Milliseconds after which a question that failed may be asked again. */
const AGAIN = 10_000;

function holds(range: Range, take: string, frame: number): boolean {
  return range.take === take && range.frames[0] <= frame && frame < range.frames[1];
}

export class Bench implements Desk {
  readonly root: HTMLElement;
  /** The last line said, for the head and for screen readers. */
  line = "";
  /** The last line for screen readers alone. */
  spoken = "";
  shown: readonly string[] | null = null;
  /** What is said where none are shown. */
  none = "";
  picked: Picked | null = null;
  trial: Trial | null = null;
  visible = true;
  playhead: Playhead = { range: "", take: "", frame: 0, playing: false, speed: 1 };
  readonly #link: Link;
  readonly #theme: Theme;
  readonly #then = new Map<Happening | "said" | "spoken", Set<() => void>>();
  readonly #words = new Map<string, { stamp: string; words: Words | undefined }>();
  readonly #clips = new Map<string, { stamp: string; clip: Clip | undefined }>();
  readonly #new = new Map<string, Range>();
  readonly #watch: IntersectionObserver | null;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #truth: Board = NOTHING;
  #board: Board = NOTHING;
  #places = new Map<string, number>();
  #pending = new Set<string>();

  constructor(root: HTMLElement, model: Model, pulse: Pulse) {
    this.root = root;
    this.#theme = new Theme(root, () => this.#tell("theme"));
    this.#link = new Link(model, pulse, {
      board: (board) => this.#take(board),
      clip: (clip) => this.#clip(clip),
      saving: () => this.#tell("saving"),
      said: (text) => this.say(text),
      resolve: (id) => this.#resolve(id),
    });
    this.#watch =
      typeof IntersectionObserver === "undefined"
        ? null
        : new IntersectionObserver((entries) => {
            const visible = entries.at(-1)?.isIntersecting ?? true;
            if (visible === this.visible) return;
            this.visible = visible;
            this.#tell("visible");
          });
    this.#watch?.observe(root);
  }

  open(): void {
    this.#theme.settle();
    this.#link.hello();
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#link.bye();
    this.#theme.destroy();
    this.#watch?.disconnect();
    this.#then.clear();
  }

  get view(): string {
    return this.#link.view;
  }

  get board(): Board {
    return this.#board;
  }

  get saving(): Saving {
    return this.#link.saving;
  }

  /** Whether the kernel has answered since the view was opened. */
  get known(): boolean {
    return this.#link.known;
  }

  /** Whether a change of the range waits for the kernel. */
  waits(id: string): boolean {
    return this.#pending.has(id);
  }

  range(id: string): Range | undefined {
    return this.#board.ranges[this.place(id)];
  }

  /** The range's place in the list from 0, −1 where it is not in it. */
  place(id: string): number {
    return this.#places.get(id) ?? -1;
  }

  /** The current range. */
  get here(): Range | undefined {
    return this.range(this.playhead.range);
  }

  neighbour(id: string, step: 1 | -1, keptOnly: boolean): Range | undefined {
    const { ranges } = this.#board;
    for (let place = this.place(id) + step; place >= 0 && place < ranges.length; place += step) {
      const range = ranges[place];
      if (range && (!keptOnly || kept(range))) return range;
    }
    return undefined;
  }

  words(take: string): Words | undefined {
    const known = this.#board.takes[take];
    if (!known?.words) return undefined;
    let here = this.#words.get(take);
    if (!here || here.stamp !== known.stamp) {
      const asked = { stamp: known.stamp, words: here?.words };
      here = asked;
      this.#words.set(take, asked);
      this.ask("words", { take }).then(
        ({ words }) => {
          if (this.#words.get(take) !== asked) return;
          asked.words = words;
          this.#tell("words");
        },
        () => this.#later(() => this.#words.get(take) === asked && this.#words.delete(take), "words"),
      );
    }
    return here.words;
  }

  clip(take: string): Clip | undefined {
    const known = this.#board.takes[take];
    if (!known) return undefined;
    let here = this.#clips.get(take);
    if (!here || here.stamp !== known.stamp) {
      const asked = { stamp: known.stamp, clip: undefined as Clip | undefined };
      here = asked;
      this.#clips.set(take, asked);
      this.ask("clip", { take }).then(
        ({ clip }) => {
          if (this.#clips.get(take) !== asked || asked.clip) return;
          asked.clip = clip;
          this.#tell("clip");
        },
        () => this.#later(() => this.#clips.get(take) === asked && this.#clips.delete(take), "clip"),
      );
    }
    return here.clip;
  }

  on(what: Happening | "said" | "spoken", then: () => void): () => void {
    const all = this.#then.get(what) ?? new Set();
    this.#then.set(what, all.add(then));
    return () => all.delete(then);
  }

  go(to: { range?: string; take?: string; frame?: number }): void {
    const now = this.playhead;
    const named = to.range === undefined ? undefined : this.range(to.range);
    if (to.range !== undefined && !named) return;
    const take = to.take ?? named?.take ?? now.take;
    const end = this.#board.takes[take]?.frames ?? Number.POSITIVE_INFINITY;
    const frame = Math.max(0, Math.min(end - 1, Math.round(to.frame ?? named?.frames[0] ?? now.frame)));
    const range = named?.id ?? this.#at(take, frame) ?? now.range;
    if (range === now.range && take === now.take && frame === now.frame) return;
    this.playhead = { ...now, range, take, frame };
    if (!now.playing) this.hush();
    if (range !== now.range) this.#leave(now.range);
    this.#tell("playhead");
  }

  /** Goes to a range as a person does, who leaves behind what was picked and said. */
  visit(id: string): void {
    if (id !== this.playhead.range) this.pick(null);
    this.hush();
    this.go({ range: id });
  }

  /** Drops a selection that was left behind; while the edit plays, a person may be a range late. */
  #leave(id: string): void {
    const { picked } = this;
    const beside = [this.range(id), this.here].some(
      (range) =>
        picked &&
        range?.words &&
        range.take === picked.take &&
        range.words[0] <= picked.words[1] &&
        range.words[1] >= picked.words[0],
    );
    if (!this.playhead.playing || !beside) this.pick(null);
  }

  play(playing: boolean, speed: number): void {
    const now = this.playhead;
    if (playing === now.playing && speed === now.speed) return;
    this.playhead = { ...now, playing, speed };
    this.#tell("playhead");
  }

  pick(picked: Picked | null): void {
    if (!picked && !this.picked) return;
    this.picked = picked;
    this.#tell("picked");
  }

  /** Shows these ranges alone, or all; `none` is said where there are none. */
  show(ids: readonly string[] | null, none = ""): void {
    if (!ids && !this.shown) return;
    this.shown = ids;
    this.none = none;
    this.#tell("shown");
  }

  do(change: Change): void {
    if (this.#board.locked) {
      this.say(this.#board.locked);
      return;
    }
    this.hush();
    if (!ABOUT_WORDS.has(change.verb)) this.pick(null);
    this.#link.do(change);
    this.#refold();
  }

  ask<Q extends Question>(what: Q, argument: Questions[Q]["ask"]): Promise<Reply<Q>> {
    return this.#link.ask(what, argument);
  }

  say(text: string): void {
    this.line = text;
    this.#tell("said");
  }

  /** Takes back what was said: what comes next is about something else. */
  hush(): void {
    if (this.line) this.say("");
  }

  /** Says a line for screen readers alone. */
  tell(text: string): void {
    this.spoken = text;
    this.#tell("spoken");
  }

  colour(name: Colour): string {
    return this.#theme.colour(name);
  }

  #tell(what: Happening | "said" | "spoken"): void {
    for (const then of [...(this.#then.get(what) ?? [])]) {
      try {
        then();
      } catch (error) {
        console.error(error);
      }
    }
  }

  /** Forgets after a while that a question failed, so that it is asked again where the answer is still wanted. */
  #later(forget: () => void, what: Happening): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      forget();
      this.#tell(what);
    }, AGAIN);
    this.#timers.add(timer);
  }

  #take(board: Board): void {
    this.#anew(this.#truth, board);
    this.#truth = board;
    this.#refold();
  }

  /** Forgets that there is no clip of a take that has come into the cut list: one is made of it from now on. */
  #anew(before: Board, board: Board): void {
    const had = new Set(before.ranges.map((range) => range.take));
    for (const { take } of board.ranges) {
      if (!had.has(take) && this.#clips.get(take)?.clip?.state !== "ready") this.#clips.delete(take);
    }
  }

  #clip(clip: Clip): void {
    const stamp = this.#board.takes[clip.take]?.stamp ?? "";
    this.#clips.set(clip.take, { stamp, clip });
    this.#tell("clip");
  }

  #refold(): void {
    const waiting = this.#link.waiting;
    const before = this.#board;
    this.#board = waiting.reduce(
      (board, change) => fold(board, change, (take) => this.words(take)),
      this.#truth,
    );
    const places = this.#places;
    this.#places = new Map(this.#board.ranges.map((range, place) => [range.id, place]));
    this.#pending = new Set();
    if (waiting.length) {
      const sure = new Map(this.#truth.ranges.map((range) => [range.id, range]));
      for (const range of this.#board.ranges) {
        if (sure.get(range.id) !== range) this.#pending.add(range.id);
        if (isNew(range.id)) this.#new.set(range.id, range);
      }
    }
    this.#settle(before, places);
    this.#tell("board");
  }

  /** Keeps a current range when the one that was is gone: the one under the playhead, else the one in its place. */
  #settle(before: Board, places: ReadonlyMap<string, number>): void {
    const now = this.playhead;
    if (this.#places.has(now.range)) {
      this.#keep(before.ranges[places.get(now.range) ?? -1], places);
      return;
    }
    const { ranges } = this.#board;
    const first = ranges.find(kept) ?? ranges[0];
    const was = before.ranges[places.get(now.range) ?? -1];
    const under = was && this.#at(now.take, now.frame);
    const beside = ranges[Math.min(places.get(now.range) ?? 0, ranges.length - 1)];
    const next = under ? this.range(under) : was ? beside : first;
    this.playhead = under
      ? { ...now, range: under }
      : { ...now, range: next?.id ?? "", take: next?.take ?? "", frame: next?.frames[0] ?? 0 };
    this.#tell("playhead");
  }

  /**
   * Keeps the playhead in its range when that is of another take or has other frames than it had: it goes to the in
   * point where it stood on that, or would be outside. Where words were picked, or another range begins, it stays.
   */
  #keep(was: Range | undefined, places: ReadonlyMap<string, number>): void {
    const now = this.playhead;
    const { here } = this;
    if (!here || !was || here === was) return;
    const other = here.take !== was.take;
    if (other ? now.take !== was.take : now.take !== here.take || !holds(was, here.take, now.frame)) return;
    if (!other) {
      const stood = now.frame === was.frames[0] && here.frames[0] !== was.frames[0] && !now.playing;
      const begun = (range: Range) => !places.has(range.id) && holds(range, here.take, now.frame);
      if (holds(here, here.take, now.frame) ? !stood : this.picked || this.#board.ranges.some(begun)) return;
    }
    this.playhead = { ...now, take: here.take, frame: here.frames[0] };
    this.#tell("playhead");
  }

  /** The range that shows a frame of a take: the current one where it does, else the first kept one. */
  #at(take: string, frame: number): string | undefined {
    if (this.here && holds(this.here, take, frame)) return this.playhead.range;
    const all = this.#board.ranges.filter((range) => holds(range, take, frame));
    return (all.find(kept) ?? all[0])?.id;
  }

  #resolve(id: string): string | null {
    const meant = this.#new.get(id);
    if (!meant) return null;
    let best: string | null = null;
    let most = 0;
    for (const range of this.#truth.ranges) {
      if (range.take !== meant.take) continue;
      const shared = Math.min(range.frames[1], meant.frames[1]) - Math.max(range.frames[0], meant.frames[0]);
      if (shared > most) {
        most = shared;
        best = range.id;
      }
    }
    return best;
  }
}
