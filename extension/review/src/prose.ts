/** A take's words as paragraphs, and those as markup: pure, and made in one go, since there may be 27,000 words. */
import { CUT, REJECTED } from "./selection";
import { clock } from "./time";
import type { Words } from "./types";

/** Words of a paragraph at most: a browser lays out only the paragraphs in sight, so none may be endless. */
const LONGEST = 160;

/** Places at which a paragraph begins, those that are too long cut up. */
export function paragraphs(words: Words, longest = LONGEST): number[] {
  const count = words.text.length;
  const starts = words.paragraphs.length ? [...words.paragraphs] : [0];
  return starts.flatMap((start, at) => {
    const end = starts[at + 1] ?? count;
    const found: number[] = [];
    for (let place = start; place < end; place += longest) found.push(place);
    return found;
  });
}

const MARKS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (mark) => MARKS[mark] ?? mark);

const KINDS = ["", "filler", "event"];

/** The class of a word. */
export function wordClass(state: number, kind: number): string {
  const done = state === CUT ? "cut" : state === REJECTED ? "cut no" : "";
  const what = KINDS[kind] ?? "";
  return done && what ? `${done} ${what}` : done || what;
}

/** Letters of a line, about, and pixels of its height: what a paragraph takes until it is laid out. */
const LINE = 66;
const TALL = 20;

/** The markup of a take's paragraphs, without their words. */
export function shells(words: Words, starts: readonly number[]): string {
  const speakers = new Map(words.paragraphs.map((place, at) => [place, words.speakers[at] ?? ""]));
  let before = "";
  const parts = starts.map((start, at) => {
    const end = starts[at + 1] ?? words.text.length;
    const speaker = speakers.get(start) ?? "";
    const name =
      speaker && speaker !== before ? `<b class="cb-speaker" dir="auto">${escaped(speaker)}</b>` : "";
    if (speaker) before = speaker;
    let letters = 0;
    for (let place = start; place < end; place++) letters += (words.text[place]?.length ?? 0) + 1;
    const tall = TALL * (Math.ceil(letters / LINE) + (name ? 1 : 0));
    const time = clock((words.start[start] ?? 0) / 1000);
    return `<div class="cb-para" style="contain-intrinsic-size:auto ${tall}px"><span class="cb-gutter">${time}</span>${name}<p class="cb-said" dir="auto"></p></div>`;
  });
  return parts.join("");
}

/** The markup of words: one element a word, nothing on it but its class. */
export function markup(words: Words, state: Uint8Array, first: number, end: number): string {
  let text = "";
  for (let place = first; place < end; place++) {
    const name = wordClass(state[place] ?? 0, words.kind[place] ?? 0);
    if (place > first && !words.joined[place]) text += " ";
    text += `${name ? `<span class="${name}">` : "<span>"}${escaped(words.text[place] ?? "")}</span>`;
  }
  return text;
}
