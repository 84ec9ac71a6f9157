/** Buttons for acts: under the picture those that play, under the strip those that change. */
import type { Act } from "./acts";
import type { Bench } from "./desk";
import { attribute, button, doubled, h, key, text } from "./dom";
import { filmOf, filmTime, inFilm } from "./film";
import { icon } from "./icons";
import { ariaChord, shownChord } from "./keys";
import { seconds, timecode } from "./time";
import type { Part } from "./types";

export type Look = "icon" | "word" | "both";

export class Buttons {
  readonly #acts: ReadonlyMap<string, Act>;
  readonly #desk: Bench;
  readonly #made: { act: Act; made: HTMLButtonElement }[] = [];

  constructor(desk: Bench, acts: readonly Act[]) {
    this.#acts = new Map(acts.map((act) => [act.id, act]));
    this.#desk = desk;
  }

  /** A button for an act; it says its key, and is dimmed where the act cannot be done. */
  of(id: string, look: Look = "icon", classes = ""): HTMLButtonElement {
    const act = this.#acts.get(id);
    if (!act) throw new Error(`no act ${id}`);
    const [first] = act.keys;
    const name = first ? `${act.name} (${shownChord(first)})` : act.name;
    const pressed = (event: MouseEvent): void => {
      if (act.group !== "Decide" || !doubled(event)) this.press(act);
    };
    const made = button(`cb-button cb-look-${look} ${classes}`.trim(), name, pressed);
    made.dataset.act = id;
    // What is written on it names it; its title says the rest.
    if (look === "icon") made.setAttribute("aria-label", act.name);
    else made.removeAttribute("aria-label");
    if (first) made.setAttribute("aria-keyshortcuts", act.keys.map(ariaChord).join(" "));
    if (look !== "word") made.append(icon(act.icon));
    if (look !== "icon") made.append(h("span", "cb-label", {}, act.label));
    if (look !== "icon" && first) made.append(key(shownChord(first)));
    this.#made.push({ act, made });
    return made;
  }

  /** Does it, or says why not. */
  press(act: Act): void {
    const why = act.hindered();
    this.#desk.hush();
    if (why) this.#desk.say(why);
    else act.run();
  }

  settle(): void {
    for (const { act, made } of this.#made) attribute(made, "aria-disabled", act.hindered() ? "true" : null);
  }
}

const group = (...children: HTMLElement[]): HTMLElement => h("span", "cb-group", {}, ...children);

export function createTransport(desk: Bench, box: HTMLElement, buttons: Buttons): Part {
  const play = buttons.of("play", "icon", "cb-play");
  const time = h("span", "cb-time");
  const whole = h("span", "cb-whole");
  const speed = h("span", "cb-speed");
  const place = h("span", "cb-clock", {}, time, whole, speed);
  box.append(
    group(buttons.of("previous"), buttons.of("back"), play, buttons.of("forth"), buttons.of("next")),
    place,
    group(buttons.of("frame-"), buttons.of("frame+")),
    group(buttons.of("around", "both"), buttons.of("without", "both")),
  );
  let playing = false;
  let stood = "";
  const tell = (): void => {
    const { board, playhead, here } = desk;
    const at = desk.place(playhead.range);
    // What is not in the film has no time in it.
    const rate = board.takes[playhead.take]?.rate;
    const away = rate !== undefined && !inFilm(board, at, playhead, desk.trial);
    place.classList.toggle("cb-away", away);
    attribute(place, "title", away ? `time of ${playhead.take}, not in the film` : null);
    text(time, timecode(away ? seconds(playhead.frame, rate) : filmTime(board, at, playhead, desk.trial)));
    text(whole, away ? "in the take" : timecode(filmOf(board).seconds));
    const stands = `${playhead.range} ${playhead.frame === here?.frames[0]}`;
    if (stands !== stood) buttons.settle();
    stood = stands;
    text(speed, playhead.playing && playhead.speed !== 1 ? `${playhead.speed}×` : "");
    if (playing !== playhead.playing) {
      playing = playhead.playing;
      play.replaceChildren(icon(playing ? "pause" : "play"));
      attribute(play, "aria-pressed", String(playing));
    }
  };
  const quiet = [desk.on("playhead", tell), desk.on("board", tell)];
  return {
    destroy() {
      for (const each of quiet) each();
    },
  };
}

export function createBar(desk: Bench, box: HTMLElement, buttons: Buttons): Part {
  box.append(
    group(
      buttons.of("accept", "both", "cb-accept"),
      buttons.of("reject", "both", "cb-reject"),
      buttons.of("undecide", "both"),
    ),
    h(
      "span",
      "cb-group cb-trims",
      {},
      h("span", "cb-trim", {}, buttons.of("in-"), buttons.of("in", "word"), buttons.of("in+")),
      h("span", "cb-trim", {}, buttons.of("out-"), buttons.of("out", "word"), buttons.of("out+")),
    ),
    group(buttons.of("split"), buttons.of("merge"), buttons.of("cut"), buttons.of("up"), buttons.of("down")),
    group(buttons.of("takes", "both"), buttons.of("why", "both"), buttons.of("note", "both")),
  );
  const settle = (): void => buttons.settle();
  const marked = (): void => {
    box.dataset.status = desk.here?.status ?? "";
  };
  let range = "";
  const quiet = [
    desk.on("board", () => {
      settle();
      marked();
    }),
    desk.on("picked", settle),
    desk.on("shown", settle),
    desk.on("missed", settle),
    desk.on("playhead", () => {
      if (desk.playhead.range === range) return;
      range = desk.playhead.range;
      marked();
    }),
  ];
  settle();
  return {
    destroy() {
      for (const each of quiet) each();
    },
  };
}
