/** The words of one take on the screen. */
import { markup, paragraphs, wordClass } from "./prose";
import { states } from "./selection";
import type { Board, Words } from "./types";
import { lastAt } from "./wordtimes";

export class Column {
  readonly box = document.createElement("section");
  words: Words | undefined;
  private readonly head = document.createElement("h4");
  private readonly body = document.createElement("div");
  private starts: number[] = [];
  private said: Element[] = [];
  private state: Uint8Array = new Uint8Array(0);
  private stamp = "";

  constructor(readonly take: string) {
    this.box.className = "cb-take";
    this.box.dataset.take = take;
    this.head.textContent = take;
    this.body.className = "cb-body";
    this.box.append(this.head, this.body);
  }

  /** Shows the words, or only follows the cut list where they are shown already. */
  show(board: Board, words: Words | undefined): void {
    const take = board.takes[this.take];
    if (!take) return;
    if (!words) {
      if (!this.words) this.empty(take.words);
      return;
    }
    const state = states(board.ranges, words, take.rate);
    if (this.words === words && this.stamp === take.stamp) {
      for (let place = 0; place < state.length; place++) {
        if (state[place] !== this.state[place]) this.paint(place, state[place] ?? 0);
      }
    } else {
      this.words = words;
      this.stamp = take.stamp;
      this.starts = paragraphs(words);
      this.body.style.minHeight = "";
      this.body.innerHTML = markup(words, state, this.starts);
      this.said = [...this.body.querySelectorAll(".cb-said")];
    }
    this.state = state;
  }

  /** The element of the word at a place. */
  word(place: number): Element | undefined {
    const at = lastAt(this.starts, place);
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
  paragraph(place: number): readonly [first: number, end: number] {
    const at = lastAt(this.starts, place);
    return [this.starts[at] ?? 0, this.starts[at + 1] ?? this.words?.text.length ?? 0];
  }

  inFilm(place: number): boolean {
    return this.state[place] === 1;
  }

  /** Sets or takes a class of the words from one place to another, half-open. */
  mark(name: string, first: number, end: number, on: boolean): void {
    for (let place = Math.max(0, first); place < end; place++) this.word(place)?.classList.toggle(name, on);
  }

  private paint(place: number, state: number): void {
    const word = this.word(place);
    if (!word) return;
    const held = ["now", "here", "picked", "caret"].filter((name) => word.classList.contains(name));
    word.className = [wordClass(state, this.words?.kind[place] ?? 0), ...held].join(" ").trim();
  }

  private empty(count: number): void {
    this.body.className = "cb-body";
    this.body.textContent = count ? "Reading the words…" : "No transcript yet";
    // About what the words will take, so that the scroll bar does not jump.
    this.body.style.minHeight = count ? `${Math.ceil(count / 9) * 1.5}em` : "";
  }
}
