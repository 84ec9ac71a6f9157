/** Other takes of the current range's sentence: tried in place first, taken when chosen again. */
import type { Bench } from "./desk";
import { spoken } from "./doing";
import { button, h, key } from "./dom";
import { createPanel, type Panel } from "./forms";
import { seconds, timecode } from "./time";
import type { Other, Player, Range } from "./types";

export interface Others extends Panel {
  show(): void;
  /** Tries the one at a place, opening the list first; takes it when it is the one just tried. */
  choose(place: number): void;
}

export function createOthers(desk: Bench, player: Player, box: HTMLElement): Others {
  const panel = createPanel(desk, box, "Other takes", () => player.stop());
  const rows = h("ol", "cb-others");
  const hint = h("p", "cb-hint", { role: "status" });
  panel.content.append(hint, rows);
  let about = "";
  let was: Range | undefined;
  let found: readonly Other[] = [];
  let tried = -1;
  let turn = 0;

  const draw = (): void => {
    rows.replaceChildren(
      ...found.slice(0, 9).map((other, place) => {
        const name = `${place + 1}, ${other.take}, ${other.likeness} of 100 alike: ${other.quote}`;
        const row = button(
          "cb-other",
          name,
          () => pick(place),
          key(String(place + 1)),
          h("span", "cb-take", {}, other.take),
          h("span", "cb-at", {}, when(desk, other)),
          h("span", "cb-like", {
            role: "img",
            "aria-label": `${other.likeness} of 100 alike`,
            style: `--like: ${other.likeness}%`,
          }),
          h("span", "cb-other-quote", { dir: "auto" }, other.quote),
          h("span", "cb-used", {}, used(desk, other)),
        );
        if (place === tried) row.setAttribute("aria-current", "true");
        return h("li", "", {}, row);
      }),
    );
  };
  const pick = (place: number): void => {
    const other = found[place];
    if (!other) {
      desk.say(found.length ? `there is no take ${place + 1}` : "this sentence is said nowhere else");
      return;
    }
    if (place === tried) {
      panel.close();
      // What it was about is looked for anew as soon as the range is another.
      const range = about;
      desk.do({ verb: "swap", range, take: other.take, words: [other.words[0], other.words[1]] });
      const now = desk.range(range);
      if (now) desk.tell(spoken(desk, now));
      return;
    }
    tried = place;
    draw();
    hint.textContent = `${place + 1} plays in place; ${place + 1} again takes it, esc leaves it`;
    player.audition(other.take, other.frames);
  };
  /** Why nothing can be looked for, empty where something can. */
  const wordless = (): string => {
    const here = desk.here;
    return here && (here.words || here.quote) ? "" : "this range has no words to look for";
  };
  const load = async (): Promise<boolean> => {
    const { range } = desk.playhead;
    if (range === about && found.length) return true;
    const mine = ++turn;
    about = range;
    was = desk.range(range);
    found = [];
    tried = -1;
    draw();
    hint.textContent = wordless() || "looking…";
    if (wordless()) return false;
    try {
      const { others } = await desk.ask("others", { range });
      if (mine !== turn) return false;
      found = others;
      hint.textContent = others.length
        ? "a number plays it in place, again takes it"
        : "this sentence is said nowhere else";
    } catch (error) {
      if (mine !== turn) return false;
      hint.textContent = (error as Error).message;
    }
    draw();
    return true;
  };
  const show = (): Promise<boolean> => {
    if (!panel.open) panel.show();
    return load();
  };
  const quiet = [
    desk.on("playhead", () => {
      if (panel.open && desk.playhead.range !== about) void load();
    }),
    desk.on("board", () => {
      const now = desk.range(about);
      if (now?.take === was?.take && now?.quote === was?.quote) return;
      about = "";
      if (panel.open) void load();
    }),
  ];
  return {
    get open() {
      return panel.open;
    },
    show() {
      if (wordless()) desk.say(wordless());
      else void show();
    },
    choose(place) {
      if (wordless()) {
        desk.say(wordless());
        return;
      }
      void show().then((here) => here && pick(place));
    },
    close: panel.close,
    destroy() {
      for (const each of quiet) each();
      panel.destroy();
    },
  };
}

function when(desk: Bench, other: Other): string {
  const rate = desk.board.takes[other.take]?.rate;
  return rate ? timecode(seconds(other.frames[0], rate)) : "";
}

function used(desk: Bench, other: Other): string {
  const place = other.used ? desk.place(other.used) : -1;
  return place < 0 ? "" : `used as ${place + 1}`;
}
