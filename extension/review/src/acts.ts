/** Everything a person does, once: keys, buttons and the sheet are all made of this table. */
import type { Bench } from "./desk";
import { Doing } from "./doing";
import type { Forms } from "./forms";
import type { Icon } from "./icons";
import { deletePicked } from "./selection";
import type { Player } from "./types";

export type Group = "Play" | "Move" | "Decide" | "Trim" | "Words" | "Order" | "Say" | "View";

export interface Act {
  readonly id: string;
  readonly group: Group;
  /** What it does, as the sheet and the tooltip say it. */
  readonly name: string;
  /** One or two words for a button. */
  readonly label: string;
  /** Chords as `chord` writes them, the first is shown: `shift+Enter`. */
  readonly keys: readonly string[];
  readonly icon: Icon;
  /** Whether it changes the cut list. */
  readonly edits: boolean;
  /** Whether a key that is held does it again. */
  readonly repeats: boolean;
  /** Why it cannot be done now, empty where it can. */
  readonly hindered: () => string;
  readonly run: () => void;
}

/** `e` edits, `h` may be held. */
type Kind = "" | "e" | "h" | "eh";
type Line = readonly [
  id: string,
  keys: string,
  icon: Icon,
  kind: Kind,
  label: string,
  name: string,
  run: () => void,
];

/** What may cure a cut list in which nothing can be changed. */
const BACK: ReadonlySet<string> = new Set(["undo", "redo"]);

export function actsOf(desk: Bench, player: Player, forms: Forms, leave: () => void): readonly Act[] {
  const doing = new Doing(desk, forms);
  const step = (by: 1 | -1, unit: "frame" | "second" | "word") => () => player.step(by, unit);
  const around = (without: boolean) => () => player.around({ without });
  const words = (): void => void deletePicked(desk);
  const listed = (): string => {
    if (desk.board.ranges.length) return doing.hidden();
    return desk.known ? "nothing is cut yet" : "the kernel has not answered yet";
  };
  const hindrances: Readonly<Record<string, () => string>> = {
    cut: () => (desk.picked ? "" : "select words in the transcript first"),
    undo: () => (desk.board.undo ? "" : desk.board.locked || "nothing to undo"),
    redo: () => (desk.board.redo ? "" : desk.board.locked || "nothing to do again"),
    note: () => "",
    next: () => doing.stuck(1),
    previous: () => doing.stuck(-1),
    merge: () => listed() || doing.apart(),
    up: () => listed() || doing.still(-1),
    down: () => listed() || doing.still(1),
    again: () => (desk.missed.length ? "" : "nothing was left unsaved"),
    forget: () => (desk.missed.length ? "" : "nothing was left unsaved"),
  };

  const table: Readonly<Record<Group, readonly Line[]>> = {
    Play: [
      ["play", "Space", "play", "", "Play", "Play the edit, or stop", () => player.toggle()],
      ["around", "Enter", "around", "", "Around", "Play around this cut", around(false)],
      ["without", "shift+Enter", "without", "", "Uncut", "Play around it, uncut", around(true)],
      ["back", "j", "rewind", "", "Back", "Backward; again is faster", () => player.shuttle(-1)],
      ["halt", "k", "halt", "", "Stop", "Stop", () => player.shuttle(0)],
      ["forth", "l", "forward", "", "Forward", "Forward; again is faster", () => player.shuttle(1)],
    ],
    Move: [
      ["previous", "ArrowUp", "previous", "h", "Previous", "Previous cut", () => doing.go(-1)],
      ["next", "ArrowDown", "next", "h", "Next", "Next cut", () => doing.go(1)],
      ["open", "e", "open", "", "Undecided", "Next undecided", () => doing.open(1)],
      ["opened", "shift+e", "opened", "", "Undecided", "Previous undecided", () => doing.open(-1)],
      ["frame-", "ArrowLeft", "stepback", "h", "Frame", "A frame back", step(-1, "frame")],
      ["frame+", "ArrowRight", "step", "h", "Frame", "A frame on", step(1, "frame")],
      ["second-", "shift+ArrowLeft", "stepback", "h", "Second", "A second back", step(-1, "second")],
      ["second+", "shift+ArrowRight", "step", "h", "Second", "A second on", step(1, "second")],
      ["word-", "alt+ArrowLeft", "stepback", "h", "Word", "A word back", step(-1, "word")],
      ["word+", "alt+ArrowRight", "step", "h", "Word", "A word on", step(1, "word")],
      ["first", "Home", "previous", "", "First", "First cut", () => doing.end(0)],
      ["last", "End", "next", "", "Last", "Last cut", () => doing.end(-1)],
    ],
    Decide: [
      ["accept", "a", "accept", "e", "Accept", "Accept, and on to the next", () => doing.decide("accept")],
      ["reject", "r", "reject", "e", "Reject", "Reject, and on to the next", () => doing.decide("reject")],
      ["undecide", "u", "undecided", "e", "Undecided", "Undecided again", () => doing.decide("undecided")],
      [
        "accept-why",
        "shift+a",
        "accept",
        "e",
        "Accept…",
        "Accept, with a reason",
        () => doing.because("accept"),
      ],
      [
        "reject-why",
        "shift+r",
        "reject",
        "e",
        "Reject…",
        "Reject, with a reason",
        () => doing.because("reject"),
      ],
    ],
    Trim: [
      ["in", "i", "in", "e", "In", "Begin at the playhead", () => doing.trim("in", false)],
      ["out", "o", "out", "e", "Out", "End at the playhead", () => doing.trim("out", false)],
      ["in-exact", "shift+i", "in", "e", "In", "Begin on this very frame", () => doing.trim("in", true)],
      ["out-exact", "shift+o", "out", "e", "Out", "End on this very frame", () => doing.trim("out", true)],
      ["in-", ",", "stepback", "eh", "In −1", "Begin a frame earlier", () => doing.nudge("in", -1)],
      ["in+", ".", "step", "eh", "In +1", "Begin a frame later", () => doing.nudge("in", 1)],
      ["out-", "shift+,", "stepback", "eh", "Out −1", "End a frame earlier", () => doing.nudge("out", -1)],
      ["out+", "shift+.", "step", "eh", "Out +1", "End a frame later", () => doing.nudge("out", 1)],
    ],
    Words: [
      ["cut", "Delete Backspace", "cut", "e", "Cut words", "Cut the selected words, or put them back", words],
      ["split", "s", "split", "e", "Split", "Split at the playhead", () => doing.split()],
      ["merge", "m", "merge", "e", "Merge", "Merge with the next", () => doing.merge()],
      ["takes", "t", "takes", "", "Takes", "Other takes of this sentence", () => forms.others()],
      ...Array.from({ length: 9 }, (_, place): Line => {
        const digit = String(place + 1);
        return [
          `take-${digit}`,
          digit,
          "takes",
          "",
          digit,
          `Try take ${digit} in place`,
          () => forms.others(place),
        ];
      }),
    ],
    Order: [
      ["up", "alt+ArrowUp mod+ArrowUp", "up", "eh", "Up", "Move the range up", () => doing.move(-1)],
      [
        "down",
        "alt+ArrowDown mod+ArrowDown",
        "down",
        "eh",
        "Down",
        "Move the range down",
        () => doing.move(1),
      ],
      ["undo", "mod+z", "undo", "eh", "Undo", "Undo", () => desk.do({ verb: "undo" })],
      ["redo", "shift+mod+z mod+y", "redo", "eh", "Redo", "Redo", () => desk.do({ verb: "redo" })],
      ["again", "g", "redo", "e", "Do again", "Do again what was not saved", () => desk.again()],
      ["forget", "shift+g", "close", "", "Forget", "Forget what was not saved", () => desk.forget()],
    ],
    Say: [
      ["why", "w", "why", "e", "Why", "Why: a reason for this range", () => doing.why()],
      ["note", "n", "note", "e", "Note", "A note for this session", () => doing.note()],
    ],
    View: [
      ["filter", "f", "filter", "", "Filter", "Filter the list; again for the next", () => forms.filter()],
      ["compare", "v", "compare", "", "Compare", "Compare with an earlier version", () => forms.compare()],
      ["sheet", "?", "keys", "", "Keys", "All keys", () => forms.sheet()],
      ["leave", "Escape", "leave", "", "Back", "Close what is open; back to the cell", leave],
    ],
  };

  return Object.entries(table).flatMap(([group, lines]) =>
    lines.map(([id, keys, icon, kind, label, name, run]) => {
      const edits = kind.includes("e");
      return {
        id,
        group: group as Group,
        name,
        label,
        keys: keys.split(" "),
        icon,
        edits,
        repeats: kind.includes("h"),
        hindered: () =>
          (edits && !BACK.has(id) && desk.board.locked) || (hindrances[id] ?? (edits ? listed : () => ""))(),
        run,
      };
    }),
  );
}
