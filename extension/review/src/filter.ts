/** Which ranges the list shows, and what is done to all of them. */
import type { Bench } from "./desk";
import { attribute, button, doubled, h, text } from "./dom";
import { filmOf } from "./film";
import type { Part, Range } from "./types";

type Mode = "all" | "undecided" | "accepted" | "rejected" | "filler" | "pause";

const MODES: readonly (readonly [Mode, string])[] = [
  ["all", "All"],
  ["undecided", "Undecided"],
  ["accepted", "Accepted"],
  ["rejected", "Rejected"],
  ["filler", "Fillers"],
  ["pause", "Pauses"],
];

/** Seconds of a pause that may be asked for, as the settings have them. */
const [SHORTEST, LONGEST] = [0.1, 60];
/** Milliseconds after the last letter at which pauses are looked for. */
const SETTLE = 250;
const WANTED = `pauses are counted over ${SHORTEST} to ${LONGEST} seconds, such as 0.6`;

/** Reads seconds as they are typed, with a point or a comma; null where they are no length of a pause. */
export function pauseOf(typed: string): number | null {
  const plain = typed.trim().replace(",", ".");
  const seconds = /^(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN;
  return seconds >= SHORTEST && seconds <= LONGEST ? seconds : null;
}

export interface Filter extends Part {
  /** Goes to the filter; where the focus is there already, to its next choice. */
  focus(): void;
  /** Shows all again; tells whether anything was hidden. */
  close(): boolean;
}

export function createFilter(desk: Bench, box: HTMLElement): Filter {
  let mode: Mode = "all";
  let slips: readonly { range: string; kind: string }[] = [];
  let asked = 0;
  let looking = false;
  /** The seconds that pauses were looked for over. */
  let looked = 0.6;
  let due: ReturnType<typeof setTimeout> | undefined;
  const modes = h("span", "cb-modes", { role: "group", "aria-label": "Show" });
  const made = new Map<Mode, { pressed: HTMLButtonElement; count: HTMLElement }>();
  for (const [each, name] of MODES) {
    const count = h("span", "cb-count");
    const pressed = button("cb-mode", `Show: ${name}`, () => choose(each), name, " ", count);
    made.set(each, { pressed, count });
    modes.append(pressed);
  }
  const over = h("input", "cb-input cb-over", {
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    value: "0.6",
    "aria-label": "Pauses longer than, in seconds",
    title: "Pauses longer than, in seconds",
  });
  const unit = h("span", "cb-unit cb-dim", {}, "over", over, "s");
  const why = h("input", "cb-input cb-batch-why", {
    type: "text",
    autocomplete: "off",
    placeholder: "why",
    "aria-label": "Why, for all shown",
  });
  const batch = h("span", "cb-batch", { role: "group", "aria-label": "All shown" });
  const all: [HTMLButtonElement, string, () => void][] = [];
  const verb = (name: string, then: () => void): HTMLButtonElement => {
    const pressed = button("cb-button cb-look-word", `${name} all shown`, (event) => {
      if (doubled(event)) return;
      if (desk.shown?.length) then();
      why.value = "";
    });
    all.push([pressed, name, then]);
    return pressed;
  };
  const because = (): { why?: string } => (why.value.trim() ? { why: why.value.trim() } : {});
  const decide = (each: "accept" | "reject" | "undecided") => (): void =>
    desk.do({ verb: each, ranges: [...(desk.shown ?? [])], ...because() });
  const out = verb("Take out", () => {
    const fillers = mode === "filler";
    const pauses = mode === "pause" ? looked : null;
    desk.do({ verb: "tighten", ranges: [...(desk.shown ?? [])], fillers, pauses, keep: null, ...because() });
  });
  batch.append(why, out, verb("Accept", decide("accept")), verb("Reject", decide("reject")));
  box.append(modes, unit, batch);

  const none = (): string => {
    if (mode === "filler") return "no fillers are left";
    if (mode !== "pause") return `nothing ${mode}`;
    return pauseOf(over.value) === null ? WANTED : `no pause over ${looked} s is left`;
  };
  const fits = (range: Range): boolean => mode === "all" || range.status === mode;
  const settle = (): void => {
    if (mode === "all") desk.show(null);
    else if (mode === "filler" || mode === "pause") {
      const having = new Set(slips.filter((slip) => slip.kind === mode).map((slip) => slip.range));
      const ids = desk.board.ranges.filter((range) => having.has(range.id)).map((range) => range.id);
      desk.show(ids, looking ? "looking…" : none());
    } else
      desk.show(
        desk.board.ranges.filter(fits).map((range) => range.id),
        none(),
      );
    tell();
  };
  const tell = (): void => {
    const { counts } = filmOf(desk.board);
    const numbers: Partial<Record<Mode, number>> = { all: desk.board.ranges.length, ...counts };
    for (const [each, { pressed, count }] of made) {
      attribute(pressed, "aria-pressed", String(each === mode));
      const slipping = each === "filler" || each === "pause";
      text(
        count,
        slipping
          ? each === mode
            ? String(slips.filter((s) => s.kind === each).length)
            : ""
          : `${numbers[each] ?? ""}`,
      );
    }
    const shown = desk.shown?.length ?? 0;
    batch.hidden = mode === "all" || desk.board.locked !== "";
    unit.hidden = mode !== "pause";
    out.hidden = mode !== "filler" && mode !== "pause";
    for (const [pressed, name] of all) {
      text(pressed, `${name} ${shown}`);
      attribute(pressed, "aria-disabled", shown ? null : "true");
    }
  };
  const look = async (): Promise<void> => {
    const mine = ++asked;
    const pauses = pauseOf(over.value);
    attribute(over, "aria-invalid", pauses === null ? "true" : null);
    if (mode === "pause" && pauses === null) {
      slips = [];
      looking = false;
      settle();
      desk.tell(WANTED);
      return;
    }
    looked = pauses ?? looked;
    try {
      const answer = await desk.ask("slips", { pauses: looked });
      if (mine !== asked) return;
      looking = false;
      slips = answer.slips;
      settle();
    } catch (error) {
      if (mine === asked) looking = false;
      settle();
      desk.say((error as Error).message);
    }
  };
  const choose = (next: Mode): void => {
    mode = next;
    slips = [];
    looking = mode === "filler" || mode === "pause";
    settle();
    if (mode === "filler" || mode === "pause") void look();
    const { shown } = desk;
    if (shown?.length && !shown.includes(desk.playhead.range)) desk.visit(shown[0] ?? "");
  };
  // What is listed follows what is typed, so that a press takes out what is seen.
  const soon = (delay: number) => (): void => {
    clearTimeout(due);
    due = setTimeout(() => void look(), delay);
  };
  over.addEventListener("input", soon(SETTLE));
  over.addEventListener("change", soon(0));
  let version = 0;
  const quiet = desk.on("board", () => {
    const newer = desk.board.version !== version;
    version = desk.board.version;
    if (newer && (mode === "filler" || mode === "pause")) void look();
    settle();
  });
  tell();
  return {
    focus() {
      if (modes.contains(document.activeElement)) {
        const place = MODES.findIndex(([each]) => each === mode);
        choose(MODES[(place + 1) % MODES.length]?.[0] ?? "all");
      }
      made.get(mode)?.pressed.focus({ preventScroll: true });
    },
    close() {
      if (mode === "all") return false;
      choose("all");
      return true;
    },
    destroy() {
      clearTimeout(due);
      quiet();
    },
  };
}
