/** What the parts of one view share: the board, the playhead, what is picked and shown, and the way to the kernel. */
import { Asked } from "./asked";
import { fold, isNew } from "./fold";
import { Link, type Model, type Pulse } from "./link";
import { settled, under } from "./stand";
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
import { labelled, leave, type Missed, repeatable, taken } from "./unsaved";

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

/** What the view's own parts hear of besides. */
type Told = Happening | "said" | "spoken" | "missed";

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
  /** Changes that were not saved, until they are done again or forgotten; and why they were not. */
  missed: readonly Missed[] = [];
  missedWhy = "";
  /** The last decision that went on to another range. */
  decided = { from: "", to: "" };
  readonly #link: Link;
  readonly #theme: Theme;
  readonly #then = new Map<Told, Set<() => void>>();
  readonly #words: Asked<Words>;
  readonly #clips: Asked<Clip>;
  readonly #new = new Map<string, Range>();
  readonly #watch: IntersectionObserver | null;
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
      saving: () => this.#saved(),
      refused: (missed, stale) => this.#refused(missed, stale),
      said: (text) => this.say(text),
      resolve: (id) => this.#resolve(id),
    });
    const told = (what: "words" | "clip") => () => this.#tell(what);
    this.#words = new Asked(async (take) => (await this.ask("words", { take })).words, told("words"), true);
    this.#clips = new Asked(async (take) => (await this.ask("clip", { take })).clip, told("clip"), false);
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
    this.#words.close();
    this.#clips.close();
    leave(this.view, this.#truth, [...this.missed, ...this.#link.unsaved]);
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

  /** Changes that are not saved and will not be, since nobody listens. */
  get unsaved(): readonly Missed[] {
    const { state } = this.saving;
    return state === "lost" || state === "dead" ? this.#link.unsaved : [];
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

  /** Whether the list shows a range, or the filter hides it. */
  lists(id: string): boolean {
    return this.shown === null || this.shown.includes(id);
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
    return known?.words ? this.#words.of(take, known.stamp) : undefined;
  }

  clip(take: string): Clip | undefined {
    const known = this.#board.takes[take];
    return known && this.#clips.of(take, known.stamp);
  }

  on(what: Told, then: () => void): () => void {
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
    const list = { ranges: this.#board.ranges, places: this.#places };
    const range = named?.id ?? under(list, now.range, take, frame) ?? now.range;
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
    // What locks the cut list may be cured by undo.
    const cured = change.verb === "undo" ? this.#board.undo : change.verb === "redo" && this.#board.redo;
    if (this.#board.locked && !cured) {
      this.say(this.#board.locked);
      return;
    }
    this.hush();
    if (!ABOUT_WORDS.has(change.verb)) this.pick(null);
    this.#link.do(
      change,
      labelled(change, (id) => this.place(id)),
    );
    this.#refold();
  }

  /** Does again what was not saved. */
  again(): void {
    const { missed } = this;
    this.forget();
    const left = missed.filter(({ change }) => !repeatable(change, this.#board));
    for (const { change } of missed) if (repeatable(change, this.#board)) this.do(change);
    if (left.length) this.say(`cannot be done again: ${left.map(({ label }) => label).join(", ")}`);
  }

  forget(): void {
    this.missed = [];
    this.#tell("missed");
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

  #tell(what: Told): void {
    for (const then of [...(this.#then.get(what) ?? [])]) {
      try {
        then();
      } catch (error) {
        console.error(error);
      }
    }
  }

  #take(board: Board): void {
    const first = this.#truth === NOTHING;
    // What was said of a cut list that cannot be changed is over with that.
    if (this.#truth.locked && this.#truth.locked !== board.locked) this.hush();
    this.#anew(this.#truth, board);
    this.#truth = board;
    if (first) this.#miss("Not saved before", taken(board));
    this.#refold();
  }

  #miss(why: string, missed: readonly Missed[]): void {
    if (!missed.length) return;
    this.missed = [...this.missed, ...missed];
    this.missedWhy = why;
    this.#tell("missed");
  }

  /** Names what was refused for another's change; else goes back to the range that a decision was refused of. */
  #refused(missed: Missed, stale: boolean): void {
    if (stale) this.#miss("Not done, since the cut list was changed elsewhere", [missed]);
    const { from, to } = this.decided;
    const named = "ranges" in missed.change && missed.change.ranges[0] === from;
    if (!stale && named && to === this.playhead.range && !this.#link.waiting.length) this.go({ range: from });
  }

  #saved(): void {
    leave(this.view, this.#truth, this.unsaved);
    this.#tell("saving");
  }

  /** Forgets that there is no clip of a take that has come into the cut list: one is made of it from now on. */
  #anew(before: Board, board: Board): void {
    const had = new Set(before.ranges.map((range) => range.take));
    for (const { take } of board.ranges) {
      if (!had.has(take) && this.#clips.known(take)?.state !== "ready") this.#clips.forget(take);
    }
  }

  #clip(clip: Clip): void {
    this.#clips.set(clip.take, this.#board.takes[clip.take]?.stamp ?? "", clip);
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
    const [was, now] = [
      { ranges: before.ranges, places },
      { ranges: this.#board.ranges, places: this.#places },
    ];
    const stands = settled(this.playhead, was, now, this.picked !== null);
    if (stands !== this.playhead) {
      this.playhead = stands;
      this.#tell("playhead");
    }
    this.#tell("board");
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
