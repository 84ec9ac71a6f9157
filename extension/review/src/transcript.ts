/** The transcript: what is said in the takes of the film, what of it is in the film, and a caret that goes by words. */
import { moves } from "./caret";
import { Column } from "./column";
import { offered } from "./offer";
import { inside } from "./playlist";
import { copyPicked, deletePicked, placesOf, rangeOf, spanOf, written } from "./selection";
import type { Desk, Part } from "./types";
import { placeOf, startFrame, wordAt } from "./wordtimes";

interface Spot {
  readonly take: string;
  readonly place: number;
}

/** A stretch of marked words, so that the mark can be taken away again. */
interface Marked {
  readonly take: string;
  readonly first: number;
  readonly end: number;
}

const ROLE = Object.entries({
  role: "textbox",
  "aria-multiline": "true",
  "aria-readonly": "true",
  "aria-label": "Transcript",
});

const same = (a: Marked | null, b: Marked | null): boolean =>
  a === b || (a !== null && b !== null && a.take === b.take && a.first === b.first && a.end === b.end);

export function createTranscript(desk: Desk, box: HTMLElement): Part {
  return new Transcript(desk, box);
}

class Transcript implements Part {
  private readonly scroller = document.createElement("div");
  private readonly page = document.createElement("div");
  private readonly others = document.createElement("div");
  private readonly said = document.createElement("div");
  private readonly back = document.createElement("button");
  private readonly columns = new Map<string, Column>();
  private readonly opened = new Set<string>();
  private readonly near = new Set<string>();
  private readonly sight: IntersectionObserver | null;
  private readonly marks = new Map<string, Marked | null>();
  private caret: Spot | null = null;
  private anchor: Spot | null = null;
  /** Whether the pointer is down, or the caret itself moves the playhead. */
  private pointed = false;
  private going = false;
  private pressed: { spot: Spot; moved: boolean } | null = null;
  private follows = true;
  private last = "";
  private readonly off: (() => void)[];

  constructor(
    private readonly desk: Desk,
    box: HTMLElement,
  ) {
    this.scroller.className = "cb-words";
    this.page.className = "cb-page";
    this.page.tabIndex = 0;
    for (const [name, value] of ROLE) this.page.setAttribute(name, value);
    this.others.className = "cb-more";
    this.said.className = "cb-unseen";
    this.said.setAttribute("aria-live", "polite");
    this.back.type = "button";
    this.back.className = "cb-follow";
    this.back.textContent = "Back to the word";
    this.back.hidden = true;
    this.scroller.append(this.page, this.others);
    box.append(this.scroller, this.back, this.said);
    this.sight =
      typeof IntersectionObserver === "undefined"
        ? null
        : new IntersectionObserver((entries) => this.seen(entries), {
            root: this.scroller,
            rootMargin: "800px",
          });

    this.listen();
    this.off = [
      desk.on("board", () => this.draw()),
      desk.on("words", () => this.draw()),
      desk.on("playhead", () => this.move()),
      desk.on("picked", () => this.paintPicked()),
    ];
    this.draw();
  }

  destroy(): void {
    for (const off of this.off) off();
    this.sight?.disconnect();
    for (const column of this.columns.values()) column.destroy();
    this.scroller.remove();
    this.back.remove();
    this.said.remove();
  }

  private listen(): void {
    const { page, scroller } = this;
    page.addEventListener("pointerdown", (event) => this.down(event));
    page.addEventListener("pointermove", (event) => this.drag(event));
    page.addEventListener("pointerup", (event) => this.up(event));
    page.addEventListener("pointercancel", () => {
      this.pressed = null;
      this.pointed = false;
    });
    page.addEventListener("focus", () => this.enter());
    page.addEventListener("dblclick", (event) => {
      const spot = this.spotAt(event.target);
      if (spot) this.pick(spot, spot);
    });
    page.addEventListener("keydown", (event) => this.key(event));
    page.addEventListener("copy", (event) => copyPicked(this.desk, event));
    page.addEventListener("blur", () => {
      this.pointed = false;
      this.mark("caret", null);
    });
    const own = () => {
      this.follows = false;
    };
    for (const what of ["wheel", "touchmove"]) scroller.addEventListener(what, own, { passive: true });
    // The scroll bar is the scroller itself, not what is in it.
    scroller.addEventListener("pointerdown", (event) => {
      if (event.target === scroller) own();
    });
    // A press on a button must not take the focus from where the keys are.
    this.back.addEventListener("mousedown", (event) => event.preventDefault());
    this.back.addEventListener("click", () => {
      this.follows = true;
      this.reveal();
    });
  }

  /** Shows the takes of the cut list in its order, then those that were asked for. */
  private draw(): void {
    const { board } = this.desk;
    const wanted = [...new Set([...board.ranges.map((range) => range.take), ...this.opened])].filter(
      (take) => board.takes[take],
    );
    for (const [take, column] of this.columns) {
      if (wanted.includes(take)) continue;
      this.sight?.unobserve(column.box);
      column.destroy();
      this.columns.delete(take);
    }
    wanted.forEach((take, at) => {
      let column = this.columns.get(take);
      if (!column) {
        column = new Column(take, this.scroller);
        for (const [name, marked] of this.marks) {
          if (marked?.take === take) column.mark(name, [marked.first, marked.end]);
        }
        this.columns.set(take, column);
      }
      if (this.page.children[at] !== column.box)
        this.page.insertBefore(column.box, this.page.children[at] ?? null);
      const close =
        !this.sight || this.near.has(take) || take === this.desk.playhead.take || this.opened.has(take);
      const had = column.words;
      column.show(board, close ? this.desk.words(take) : column.words);
      if (had !== column.words) this.paintPicked();
      this.sight?.observe(column.box);
    });
    this.offer(wanted);
    this.move();
  }

  /** Offers the takes that are not in the film. */
  private offer(shown: readonly string[]): void {
    const rest = Object.values(this.desk.board.takes).filter(
      ({ words, name }) => words && !shown.includes(name),
    );
    offered(
      this.others,
      rest.map(({ name }) => name),
      (take) => {
        this.opened.add(take);
        this.draw();
        const top = this.columns.get(take)?.box.getBoundingClientRect().top ?? 0;
        this.scroller.scrollBy({ top: top - this.scroller.getBoundingClientRect().top });
      },
    );
  }

  private seen(entries: readonly IntersectionObserverEntry[]): void {
    let more = false;
    for (const { target, isIntersecting } of entries) {
      const take = (target as HTMLElement).dataset.take ?? "";
      if (!isIntersecting || this.near.has(take)) continue;
      this.near.add(take);
      more = true;
    }
    if (more) this.draw();
  }

  /** Follows the playhead: the word that is said, and the range that is current. */
  private move(): void {
    const { board, playhead } = this.desk;
    const column = this.columns.get(playhead.take);
    if (column && !column.words) column.show(board, this.desk.words(playhead.take));
    const words = column?.words;
    const rate = board.takes[playhead.take]?.rate;
    const range = this.desk.range(playhead.range);
    const home = range && this.columns.get(range.take);
    const homeRate = range && board.takes[range.take]?.rate;
    const places = range && home?.words && homeRate ? placesOf(range, home.words, homeRate) : null;
    this.mark("here", range && places ? { take: range.take, first: places[0], end: places[1] } : null);
    let place = words && rate ? wordAt(words, rate, playhead.frame) : -1;
    // In the air before its first word a range does not show the last one that was cut.
    const within = range && range.take === playhead.take && inside(range.frames, playhead.frame);
    if (within && places && places[0] < places[1]) place = Math.max(place, places[0]);
    const moved = this.mark("now", place < 0 ? null : { take: playhead.take, first: place, end: place + 1 });
    // A caret that was left behind begins anew where the playhead is; while words are picked it holds their end.
    if (moved && !this.going && !this.desk.picked) this.drop();
    // Whoever moves it by hand wants to see where it went.
    if (!playhead.playing && moved) this.follows = true;
    const spot = `${playhead.take}\n${place}\n${playhead.playing}`;
    if (spot !== this.last) {
      this.last = spot;
      this.reveal();
    }
  }

  /** Marks a stretch with a class, and nothing else any longer; whether that changed something. */
  private mark(name: string, now: Marked | null): boolean {
    const was = this.marks.get(name) ?? null;
    if (same(was, now)) return false;
    this.marks.set(name, now);
    if (was && was.take !== now?.take) this.columns.get(was.take)?.mark(name, null);
    if (now) this.columns.get(now.take)?.mark(name, [now.first, now.end]);
    return true;
  }

  private paintPicked(): void {
    const { picked } = this.desk;
    const words = picked && this.columns.get(picked.take)?.words;
    const [first, last] = words && picked ? picked.words.map((number) => placeOf(words, number)) : [-1, -1];
    const known = picked && first !== undefined && last !== undefined && first >= 0 && last >= 0;
    this.mark("picked", known ? { take: picked.take, first, end: last + 1 } : null);
    if (picked) return;
    this.anchor = null;
    this.said.textContent = "";
  }

  private drop(): void {
    this.caret = null;
    this.anchor = null;
    this.mark("caret", null);
  }

  /** Begins at the playhead when the focus comes by key. */
  private enter(): void {
    if (this.pointed) return;
    this.drop();
    const column = this.caretColumn();
    if (column) this.showCaret(column);
  }

  /** Scrolls to the word that is said, unless the reader has scrolled away from it. */
  private reveal(): void {
    const now = this.marks.get("now");
    const word = now && this.columns.get(now.take)?.word(now.first);
    if (!word) {
      this.back.hidden = true;
      return;
    }
    const { top, bottom } = this.scroller.getBoundingClientRect();
    const at = word.getBoundingClientRect();
    const seen = at.bottom > top + 4 && at.top < bottom - 4;
    if (seen) this.follows = true;
    this.back.hidden = this.follows;
    if (!this.follows || (at.top > top + 20 && at.bottom < bottom - 20)) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches || !seen;
    this.scroller.scrollBy({
      top: at.top - top - (bottom - top) * 0.3,
      behavior: calm ? "instant" : "smooth",
    });
  }

  private spotAt(target: EventTarget | null): Spot | null {
    if (!(target instanceof Element)) return null;
    const take = target.closest<HTMLElement>(".cb-take")?.dataset.take;
    const place = take === undefined ? -1 : (this.columns.get(take)?.place(target) ?? -1);
    return take === undefined || place < 0 ? null : { take, place };
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.pointed = true;
    const spot = this.spotAt(event.target);
    if (!spot) return;
    if (event.shiftKey) {
      const from = this.anchor?.take === spot.take ? this.anchor : this.nowIn(spot.take);
      this.pick(from ?? spot, spot);
      event.preventDefault();
      return;
    }
    this.pressed = { spot, moved: false };
  }

  private drag(event: PointerEvent): void {
    if (!this.pressed || event.buttons === 0) return;
    const { top, bottom } = this.scroller.getBoundingClientRect();
    if (event.clientY < top + 12) this.scroller.scrollBy({ top: -16 });
    if (event.clientY > bottom - 12) this.scroller.scrollBy({ top: 16 });
    const spot = this.spotAt(document.elementFromPoint(event.clientX, event.clientY));
    if (!spot || spot.take !== this.pressed.spot.take) return;
    if (!this.pressed.moved) {
      if (spot.place === this.pressed.spot.place) return;
      this.pressed.moved = true;
      this.page.setPointerCapture(event.pointerId);
    }
    this.follows = false;
    this.pick(this.pressed.spot, spot);
  }

  private up(event: PointerEvent): void {
    const { pressed } = this;
    this.pressed = null;
    this.pointed = false;
    if (this.page.hasPointerCapture(event.pointerId)) this.page.releasePointerCapture(event.pointerId);
    if (!pressed || pressed.moved) return;
    this.desk.pick(null);
    this.anchor = pressed.spot;
    this.caret = pressed.spot;
    this.goTo(pressed.spot);
  }

  private nowIn(take: string): Spot | null {
    const now = this.marks.get("now");
    return now && now.take === take ? { take, place: now.first } : null;
  }

  /** Moves the playhead to a word. */
  private goTo({ take, place }: Spot): void {
    const { board, playhead } = this.desk;
    const words = this.columns.get(take)?.words;
    const rate = board.takes[take]?.rate;
    if (!words || !rate) return;
    const range = rangeOf(board, words, place, playhead.range);
    let frame = startFrame(words, rate, place);
    if (range) {
      const [first, end] = placesOf(range, words, rate);
      if (first <= place && place < end)
        frame = Math.min(Math.max(frame, range.frames[0]), range.frames[1] - 1);
    }
    this.follows = true;
    this.going = true;
    this.desk.go({ ...(range && { range: range.id }), take, frame });
    this.going = false;
  }

  private pick(from: Spot, to: Spot): void {
    const words = this.columns.get(to.take)?.words;
    if (!words) return;
    this.desk.pick({ take: to.take, words: spanOf(words, from.place, to.place) });
    this.anchor = from;
    this.caret = to;
  }

  private key(event: KeyboardEvent): void {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const column = this.caretColumn();
    if (!column || !this.caret) return;
    const { place } = this.caret;
    const count = column.words?.text.length ?? 0;
    const move = moves(column, place)[event.key];
    if (move) {
      const to = { take: column.take, place: Math.min(Math.max(move(), 0), count - 1) };
      const from = this.anchor?.take === to.take ? this.anchor : this.caret;
      if (event.shiftKey) this.pick(from, to);
      else {
        this.desk.pick(null);
        this.anchor = to;
        this.caret = to;
        this.goTo(to);
      }
      this.showCaret(column);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      if (event.repeat) return;
      if (!this.desk.picked) this.pick(this.caret, this.caret);
      deletePicked(this.desk);
      this.tell(column);
    } else if (event.key === "Escape" && this.desk.picked) this.desk.pick(null);
    else return;
    // Whoever listens further out sees that it is done.
    event.preventDefault();
  }

  /** The take the caret is in; it begins at the word that is said. */
  private caretColumn(): Column | undefined {
    const now = this.marks.get("now");
    if (!this.caret || !this.columns.get(this.caret.take)?.words) {
      this.caret = now ? { take: now.take, place: now.first } : null;
    }
    const first = [...this.columns.values()].find((column) => column.words?.text.length);
    if (!this.caret && first) this.caret = { take: first.take, place: 0 };
    return this.caret ? this.columns.get(this.caret.take) : undefined;
  }

  private showCaret(column: Column): void {
    if (!this.caret) return;
    const { place } = this.caret;
    this.mark("caret", { take: column.take, first: place, end: place + 1 });
    const word = column.word(place)?.getBoundingClientRect();
    const { top, bottom } = this.scroller.getBoundingClientRect();
    if (word && word.top < top + 8) this.scroller.scrollBy({ top: word.top - top - 40 });
    if (word && word.bottom > bottom - 8) this.scroller.scrollBy({ top: word.bottom - bottom + 40 });
    this.tell(column);
  }

  /** Says for screen readers what the caret is on, or what is picked. */
  private tell(column: Column): void {
    const { words } = column;
    const { picked } = this.desk;
    if (!words || !this.caret) return;
    const { place } = this.caret;
    const text = picked
      ? `${written(words, placeOf(words, picked.words[0]), placeOf(words, picked.words[1]))}, picked`
      : `${words.text[place] ?? ""}${column.inFilm(place) ? "" : ", cut"}`;
    this.said.textContent = text;
  }
}
