/**
 * The words of one take on the screen. Paragraphs get their words when they come near, are asked for, or when the
 * browser has time, so that three hours of talk are there as fast as a minute.
 */
import { markup, paragraphs, shells, wordClass } from "./prose";
import { states } from "./selection";
import type { Board, Take, Words } from "./types";
import { lastAt } from "./wordtimes";

export type Span = readonly [first: number, end: number];

/** Milliseconds that must be left of a browser's free time for one more paragraph. */
const SPARE = 3;

export class Column {
  readonly box = document.createElement("section");
  words: Words | undefined;
  private readonly head = document.createElement("h4");
  private readonly body = document.createElement("div");
  private readonly marks = new Map<string, Span>();
  private readonly sight: IntersectionObserver | null;
  private starts: number[] = [];
  private said: Element[] = [];
  private filled: boolean[] = [];
  private state: Uint8Array = new Uint8Array(0);
  private stamp = "";
  private idle = 0;

  constructor(
    readonly take: string,
    scroller: Element,
  ) {
    this.box.className = "cb-take";
    this.box.dataset.take = take;
    this.head.textContent = take;
    this.body.className = "cb-body";
    this.box.append(this.head, this.body);
    this.sight =
      typeof IntersectionObserver === "undefined"
        ? null
        : new IntersectionObserver((entries) => this.near(entries), { root: scroller, rootMargin: "600px" });
  }

  /** Shows the words, or only follows the cut list where they are shown already. */
  show(board: Board, words: Words | undefined): void {
    const take = board.takes[this.take];
    if (!take) return;
    if (!words) {
      if (!this.words) this.empty(take);
      return;
    }
    const state = states(board.ranges, words, take.rate);
    const was = this.state;
    this.state = state;
    if (this.words === words && this.stamp === take.stamp) {
      for (let place = 0; place < state.length; place++) if (state[place] !== was[place]) this.paint(place);
      return;
    }
    this.words = words;
    this.stamp = take.stamp;
    this.starts = paragraphs(words);
    this.body.style.minHeight = "";
    this.body.innerHTML = words.text.length ? shells(words, this.starts) : "Nothing is said in it";
    this.said = [...this.body.querySelectorAll(".cb-said")];
    this.filled = this.said.map(() => false);
    this.sight?.disconnect();
    for (const said of this.said) this.sight?.observe(said);
    this.later();
  }

  /** The element of the word at a place. */
  word(place: number): Element | undefined {
    const at = lastAt(this.starts, place);
    this.fill(at);
    return this.said[at]?.children[place - (this.starts[at] ?? 0)];
  }

  /** The place of the word that an element shows or lies in, −1 where it is none. */
  place(element: Element): number {
    const word = element.closest(".cb-said > span");
    const at = word?.parentElement ? this.said.indexOf(word.parentElement) : -1;
    if (!word || at < 0) return -1;
    return (this.starts[at] ?? 0) + [...(this.said[at]?.children ?? [])].indexOf(word);
  }

  /** The places of the paragraph that a place lies in, half-open. */
  paragraph(place: number): Span {
    const at = lastAt(this.starts, place);
    return [this.starts[at] ?? 0, this.end(at)];
  }

  inFilm(place: number): boolean {
    return this.state[place] === 1;
  }

  /** Gives a class to a stretch of words and to no others, or to none. */
  mark(name: string, span: Span | null): void {
    const was = this.marks.get(name);
    if (span) this.marks.set(name, span);
    else this.marks.delete(name);
    const [first, end] = span ?? [0, 0];
    for (let place = was?.[0] ?? 0; place < (was?.[1] ?? 0); place++) {
      if (place < first || place >= end) this.shown(place)?.classList.remove(name);
    }
    for (let place = first; place < end; place++) {
      if (!was || place < was[0] || place >= was[1]) this.shown(place)?.classList.add(name);
    }
  }

  destroy(): void {
    this.sight?.disconnect();
    if (typeof cancelIdleCallback === "function") cancelIdleCallback(this.idle);
    this.box.remove();
  }

  private end(at: number): number {
    return this.starts[at + 1] ?? this.words?.text.length ?? 0;
  }

  /** The element of a word where its paragraph has its words. */
  private shown(place: number): Element | undefined {
    const at = lastAt(this.starts, place);
    return this.filled[at] ? this.said[at]?.children[place - (this.starts[at] ?? 0)] : undefined;
  }

  private fill(at: number): void {
    const { words } = this;
    const said = this.said[at];
    const start = this.starts[at];
    if (!words || !said || start === undefined || this.filled[at]) return;
    this.filled[at] = true;
    this.sight?.unobserve(said);
    const end = this.end(at);
    said.innerHTML = markup(words, this.state, start, end);
    for (const [name, span] of this.marks) {
      for (let place = Math.max(start, span[0]); place < Math.min(end, span[1]); place++) {
        said.children[place - start]?.classList.add(name);
      }
    }
  }

  private near(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) this.fill(this.said.indexOf(target));
  }

  /** Fills what is left when the browser has time, so that its own search finds all of it. */
  private later(): void {
    if (typeof requestIdleCallback !== "function") {
      this.said.forEach((_, at) => {
        this.fill(at);
      });
      return;
    }
    let at = 0;
    const work = (time: IdleDeadline) => {
      while (at < this.said.length && time.timeRemaining() > SPARE) this.fill(at++);
      if (at < this.said.length) this.idle = requestIdleCallback(work);
    };
    cancelIdleCallback(this.idle);
    this.idle = requestIdleCallback(work);
  }

  private paint(place: number): void {
    const word = this.shown(place);
    if (!word) return;
    const held = [...this.marks]
      .filter(([, [first, end]]) => first <= place && place < end)
      .map(([name]) => name);
    word.className = [wordClass(this.state[place] ?? 0, this.words?.kind[place] ?? 0), ...held]
      .join(" ")
      .trim();
  }

  private empty(take: Take): void {
    const count = take.words;
    this.body.textContent = count ? "Reading the words…" : wordless(take);
    // About what the words will take, so that the scroll bar does not jump.
    this.body.style.minHeight = count ? `${Math.ceil(count / 9) * 1.5}em` : "";
  }
}

/** Says why a take has no words. */
function wordless({ name, sound, stamp }: Take): string {
  if (!stamp) return `The file of ${name} is not the one that was cut`;
  if (!sound) return `${name} has no sound`;
  return `No transcript yet: %transcribe ${argument(name)} makes one`;
}

/** A name as a line of magic takes it for one argument. */
export function argument(name: string): string {
  if (/^[\p{L}\p{N}\p{M}_.+@:,%=/-]+$/u.test(name)) return name;
  return name.includes('"') ? `'${name}'` : `"${name}"`;
}
