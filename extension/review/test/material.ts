/** Footage that nobody shot: takes with words in three languages, and a cut list of them. */
import { quoted } from "../src/fold";
import type { Board, Range, Rate, Status, Take, Words } from "../src/types";

export type Language = "en" | "de" | "zh";

const SENTENCES: Readonly<Record<Language, readonly string[]>> = {
  en: [
    "So the thing about a good cut is that nobody sees it",
    "you know what um people remember is the sentence not the edit",
    "We keep the second take because it says why this matters",
    "and uh the first one stumbles before the slip",
    "What surprised me was how little of it we needed",
    "Let me show you the three places where it went wrong",
    "A pause of half a second is long on a screen",
    "If you only take one thing from this take the ending",
  ],
  de: [
    "Ein guter Schnitt ist einer, den niemand bemerkt",
    "und ähm das liegt an der Atempause davor",
    "Donaudampfschifffahrtsgesellschaftskapitän ist als Wort schwer zu schneiden",
    "Wir behalten die zweite Aufnahme, weil sie den Grund nennt",
    "Am Ende bleibt die Geschwindigkeitsbegrenzung unausgesprochen",
    "Das erste Mal hat er sich versprochen, das sieht man",
  ],
  zh: [
    "好的剪辑是没有人会注意到的",
    "嗯第二遍说得更清楚所以我们留下它",
    "停顿半秒钟在屏幕上就显得很长",
    "其实观众记住的是那句话而不是画面",
    "开头的口误可以直接剪掉",
  ],
};
const FILLERS = new Set(["um", "uh", "ähm", "嗯"]);
const BEATS = ["HOOK", "PROBLEM", "SOLUTION", "PROOF", "CALL"];
const REASONS = ["cleanest delivery", "", "only take without the false start", "", "", "says why it matters"];
export const RATE: Rate = [30000, 1001];

/** Numbers that look random and are the same each time. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface Material {
  readonly board: Board;
  readonly words: Readonly<Record<string, Words>>;
}

export function wordsOf(take: string, language: Language, count: number, roll: () => number): Words {
  const sentences = SENTENCES[language];
  const number: number[] = [];
  const text: string[] = [];
  const start: number[] = [];
  const end: number[] = [];
  const kind: number[] = [];
  const joined: number[] = [];
  const paragraphs: number[] = [];
  const speakers: string[] = [];
  let now = 900;
  let said = 0;
  while (text.length < count) {
    const sentence = sentences[Math.floor(roll() * sentences.length)] ?? "";
    if (said++ % 4 === 0) {
      paragraphs.push(text.length);
      speakers.push(said % 8 === 1 ? "" : "Mia");
    }
    const parts = language === "zh" ? (sentence.match(/.{1,2}/gu) ?? []) : sentence.split(" ");
    for (const [place, part] of parts.entries()) {
      number.push(text.length + 1);
      text.push(part);
      start.push(Math.round(now));
      now += 120 + part.length * (language === "zh" ? 130 : 38);
      end.push(Math.round(now));
      now += roll() < 0.06 ? 900 : 40;
      kind.push(FILLERS.has(part) ? 1 : 0);
      joined.push(language === "zh" && place > 0 ? 1 : 0);
    }
    now += 500;
    if (roll() < 0.03) {
      number.push(text.length + 1);
      text.push("(laughter)");
      start.push(Math.round(now));
      now += 800;
      end.push(Math.round(now));
      kind.push(2);
      joined.push(0);
    }
  }
  return { take, number, text, start, end, kind, joined, paragraphs, speakers };
}

/** A cut list of so many cuts, with words enough for them or so many. */
export function material(cuts: number, language: Language, count = cuts * 14 + 60): Material {
  const roll = dice(cuts * 7 + language.length);
  const names = cuts < 20 ? ["C0103", "C0108"] : ["C0103", "C0104", "C0108", "C0112-interview"];
  const words: Record<string, Words> = {};
  const takes: Record<string, Take> = {};
  for (const name of names) {
    const made = wordsOf(name, language, Math.ceil(count / names.length), roll);
    words[name] = made;
    takes[name] = {
      name,
      rate: RATE,
      frames: frame((made.end.at(-1) ?? 0) + 1500),
      picture: true,
      sound: true,
      size: [1920, 1080],
      words: made.text.length,
      stamp: "1",
    };
  }
  const ranges: Range[] = [];
  const each = Math.ceil(cuts / names.length);
  for (let n = 0; n < cuts; n++) {
    const take = names[Math.floor(n / each)] ?? "C0103";
    const made = words[take];
    if (!made) continue;
    const share = Math.floor(made.text.length / each);
    const first = (n % each) * share + 1 + Math.floor(roll() * Math.max(1, share * 0.2));
    const last = Math.min(made.text.length, first + Math.max(2, Math.floor(share * (0.4 + roll() * 0.4))));
    const luck = roll();
    const status: Status = cuts > 3 && n < cuts * 0.3 ? (luck < 0.75 ? "accepted" : "rejected") : "undecided";
    ranges.push({
      id: `r${n + 1}`,
      take,
      frames: [frame((made.start[first - 1] ?? 0) - 50), frame((made.end[last - 1] ?? 0) + 80)],
      words: [first, last],
      beat: BEATS[Math.floor((n / cuts) * BEATS.length)] ?? "",
      quote: quoted(made, first, last),
      reason: REASONS[n % REASONS.length] ?? "",
      why: status === "rejected" ? "filler" : "",
      status,
      by: "",
      problem: n === 5 ? "the take was edited since it was cut" : "",
      lead: n === 2 ? 0.4 : 0,
      lag: 0,
      dissolve: 0,
    });
  }
  const board: Board = {
    version: 7,
    number: 4,
    title: "launch",
    wanted: 90,
    locked: "",
    takes,
    ranges,
    undo: true,
    redo: false,
    film: "",
  };
  return { board, words };
}

export const frame = (milliseconds: number): number =>
  Math.max(0, Math.floor((milliseconds / 1000) * (RATE[0] / RATE[1])));
