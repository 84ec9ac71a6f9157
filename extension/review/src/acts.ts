/** Everything a person does, once: keys, buttons and the sheet are all made of this table. */
import type { Bench } from "./desk";
import type { Forms } from "./forms";
import type { Icon } from "./icons";
import { length } from "./time";
import type { Change, Player, Range } from "./types";

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
  readonly edits?: boolean;
  /** Whether a key that is held does it again. */
  readonly repeats?: boolean;
  readonly can?: () => boolean;
  readonly run: () => void;
}

export function actsOf(desk: Bench, player: Player, forms: Forms, leave: () => void): readonly Act[] {
  const here = (): Range | undefined => desk.here;
  const some = (): boolean => desk.board.ranges.length > 0;

  const onward = (
    from: Range,
    step: 1 | -1,
    fits: (range: Range) => boolean = () => true,
  ): Range | undefined => {
    const shown = desk.shown ? new Set(desk.shown) : null;
    let next = desk.neighbour(from.id, step, false);
    while (next && !(fits(next) && (!shown || shown.has(next.id))))
      next = desk.neighbour(next.id, step, false);
    return next;
  };

  const go = (step: 1 | -1, fits?: (range: Range) => boolean, none = ""): void => {
    const from = here();
    const next = from && onward(from, step, fits);
    if (next) desk.go({ range: next.id });
    else if (from && step < 0 && !fits && desk.playhead.frame !== from.frames[0]) desk.go({ range: from.id });
    else if (none) desk.say(none);
  };

  const decide = (verb: "accept" | "reject" | "undecided", why?: string): void => {
    const range = here();
    if (!range) return;
    const next = onward(range, 1);
    const change = { verb, ranges: [range.id] };
    desk.do(why ? { ...change, why } : change);
    if (next && !desk.playhead.playing && desk.range(next.id)) desk.go({ range: next.id });
  };

  const because = (verb: "accept" | "reject", title: string): void => {
    const range = here();
    if (range)
      forms.line({
        title: `${title} ${desk.place(range.id) + 1}, because`,
        done: (why) => decide(verb, why),
      });
  };

  const trim = (edge: "in" | "out", frame: number, exact: boolean): void => {
    const range = here();
    if (!range) return;
    if (desk.playhead.take !== range.take) {
      desk.say("the playhead stands in another take");
      return;
    }
    desk.do({ verb: "trim", range: range.id, edge, frame, exact });
  };

  /** Trims by a frame, and shows the frame that is now the edge. */
  const nudge = (edge: "in" | "out", by: number): void => {
    const range = here();
    if (!range) return;
    const frame = range.frames[edge === "in" ? 0 : 1] + by;
    if (frame < 0 || frame > (desk.board.takes[range.take]?.frames ?? frame)) return;
    desk.do({ verb: "trim", range: range.id, edge, frame, exact: true });
    if (!desk.playhead.playing) {
      desk.go({ range: range.id, take: range.take, frame: edge === "in" ? frame : frame - 1 });
    }
  };

  const words = (): void => {
    const picked = desk.picked;
    if (!picked) {
      desk.say("select words in the transcript first");
      return;
    }
    const { change, said } = cutOrRestore(desk, picked.take, picked.words);
    desk.pick(null);
    if (change.length === 0) desk.say(said);
    for (const each of change) desk.do(each);
  };

  const move = (step: 1 | -1): void => {
    const range = here();
    if (!range) return;
    const place = desk.place(range.id) + step;
    const { ranges } = desk.board;
    if (place < 0 || place >= ranges.length) return;
    const before = ranges[step > 0 ? place + 1 : place]?.id ?? null;
    desk.do({ verb: "move", ranges: [range.id], before });
  };

  const merge = (): void => {
    const range = here();
    const next = range && desk.board.ranges[desk.place(range.id) + 1];
    if (!range || !next) desk.say("there is no range after this one");
    else desk.do({ verb: "merge", range: range.id });
  };

  const others = Array.from({ length: 9 }, (_, place) => String(place + 1));

  return [
    act("play", "Play", "Play the edit, or stop", "Play", ["Space"], "play", () => player.toggle()),
    act("around", "Play", "Play around this cut", "Around", ["Enter"], "around", () =>
      player.around({ without: false }),
    ),
    act("without", "Play", "Play around it as if nothing were cut", "Uncut", ["shift+Enter"], "without", () =>
      player.around({ without: true }),
    ),
    act("back", "Play", "Backward; again is faster", "Back", ["j"], "rewind", () => player.shuttle(-1)),
    act("halt", "Play", "Stop", "Stop", ["k"], "halt", () => player.shuttle(0)),
    act("forth", "Play", "Forward; again is faster", "Forward", ["l"], "forward", () => player.shuttle(1)),

    again("previous", "Move", "Previous cut", "Previous", ["ArrowUp"], "previous", () => go(-1)),
    again("next", "Move", "Next cut", "Next", ["ArrowDown"], "next", () => go(1)),
    act("open", "Move", "Next undecided", "Undecided", ["e"], "open", () =>
      go(1, (range) => range.status === "undecided", "nothing undecided after this"),
    ),
    act("opened", "Move", "Previous undecided", "Undecided", ["shift+e"], "opened", () =>
      go(-1, (range) => range.status === "undecided", "nothing undecided before this"),
    ),
    again("frame-", "Move", "A frame back", "Frame", ["ArrowLeft"], "stepback", () =>
      player.step(-1, "frame"),
    ),
    again("frame+", "Move", "A frame on", "Frame", ["ArrowRight"], "step", () => player.step(1, "frame")),
    again("second-", "Move", "A second back", "Second", ["shift+ArrowLeft"], "stepback", () =>
      player.step(-1, "second"),
    ),
    again("second+", "Move", "A second on", "Second", ["shift+ArrowRight"], "step", () =>
      player.step(1, "second"),
    ),
    again("word-", "Move", "A word back", "Word", ["alt+ArrowLeft"], "stepback", () =>
      player.step(-1, "word"),
    ),
    again("word+", "Move", "A word on", "Word", ["alt+ArrowRight"], "step", () => player.step(1, "word")),
    act("first", "Move", "First cut", "First", ["Home"], "previous", () => end(desk, 0)),
    act("last", "Move", "Last cut", "Last", ["End"], "next", () => end(desk, -1)),

    edit(
      "accept",
      "Decide",
      "Accept, and on to the next",
      "Accept",
      ["a"],
      "accept",
      () => decide("accept"),
      some,
    ),
    edit(
      "reject",
      "Decide",
      "Reject, and on to the next",
      "Reject",
      ["r"],
      "reject",
      () => decide("reject"),
      some,
    ),
    edit(
      "undecide",
      "Decide",
      "Undecided again",
      "Undecided",
      ["u"],
      "undecided",
      () => decide("undecided"),
      some,
    ),
    edit(
      "accept-why",
      "Decide",
      "Accept, with a reason",
      "Accept…",
      ["shift+a"],
      "accept",
      () => because("accept", "Accept"),
      some,
    ),
    edit(
      "reject-why",
      "Decide",
      "Reject, with a reason",
      "Reject…",
      ["shift+r"],
      "reject",
      () => because("reject", "Reject"),
      some,
    ),

    edit(
      "in",
      "Trim",
      "Begin at the playhead",
      "In",
      ["i"],
      "in",
      () => trim("in", desk.playhead.frame, false),
      some,
    ),
    edit(
      "out",
      "Trim",
      "End at the playhead",
      "Out",
      ["o"],
      "out",
      () => trim("out", desk.playhead.frame + 1, false),
      some,
    ),
    edit(
      "in-exact",
      "Trim",
      "Begin on this very frame",
      "In",
      ["shift+i"],
      "in",
      () => trim("in", desk.playhead.frame, true),
      some,
    ),
    edit(
      "out-exact",
      "Trim",
      "End on this very frame",
      "Out",
      ["shift+o"],
      "out",
      () => trim("out", desk.playhead.frame + 1, true),
      some,
    ),
    hold("in-", "Trim", "Begin a frame earlier", "In −1", [","], "inless", () => nudge("in", -1), some),
    hold("in+", "Trim", "Begin a frame later", "In +1", ["."], "inmore", () => nudge("in", 1), some),
    hold(
      "out-",
      "Trim",
      "End a frame earlier",
      "Out −1",
      ["shift+,"],
      "outless",
      () => nudge("out", -1),
      some,
    ),
    hold("out+", "Trim", "End a frame later", "Out +1", ["shift+."], "outmore", () => nudge("out", 1), some),

    edit(
      "cut",
      "Words",
      "Cut the selected words; again puts them back",
      "Cut words",
      ["Delete", "Backspace"],
      "cut",
      words,
      () => desk.picked !== null,
    ),
    edit(
      "split",
      "Words",
      "Split at the playhead",
      "Split",
      ["s"],
      "split",
      () => {
        const range = here();
        if (!range) return;
        const { take, frame } = desk.playhead;
        if (take !== range.take || frame <= range.frames[0] || frame >= range.frames[1]) {
          desk.say("the playhead stands on no frame to split at");
        } else desk.do({ verb: "split", range: range.id, frame });
      },
      some,
    ),
    edit("merge", "Words", "Merge with the next", "Merge", ["m"], "merge", merge, some),
    act("takes", "Words", "Other takes of this sentence", "Takes", ["t"], "takes", () => forms.others()),
    ...others.map((digit, place) =>
      act(`take-${digit}`, "Words", `Try take ${digit} here; again takes it`, digit, [digit], "takes", () =>
        forms.others(place),
      ),
    ),

    hold(
      "up",
      "Order",
      "Move the range up",
      "Up",
      ["alt+ArrowUp", "mod+ArrowUp"],
      "up",
      () => move(-1),
      some,
    ),
    hold(
      "down",
      "Order",
      "Move the range down",
      "Down",
      ["alt+ArrowDown", "mod+ArrowDown"],
      "down",
      () => move(1),
      some,
    ),
    hold(
      "undo",
      "Order",
      "Undo",
      "Undo",
      ["mod+z"],
      "undo",
      () => desk.do({ verb: "undo" }),
      () => desk.board.undo,
    ),
    hold(
      "redo",
      "Order",
      "Redo",
      "Redo",
      ["shift+mod+z", "mod+y"],
      "redo",
      () => desk.do({ verb: "redo" }),
      () => desk.board.redo,
    ),

    edit(
      "why",
      "Say",
      "Why: a reason for this range",
      "Why",
      ["w"],
      "why",
      () => {
        const range = here();
        if (!range) return;
        forms.line({
          title: `Why is ${desk.place(range.id) + 1} ${range.status}?`,
          value: range.why,
          done: (why) => desk.do({ verb: "why", range: range.id, why }),
        });
      },
      some,
    ),
    edit("note", "Say", "A note for this session", "Note", ["n"], "note", () =>
      forms.line({ title: "Note", done: (text) => text && desk.do({ verb: "note", text }) }),
    ),

    act("filter", "View", "Filter the list", "Filter", ["f"], "filter", () => forms.filter()),
    act("compare", "View", "Compare with an earlier version", "Compare", ["v"], "compare", () =>
      forms.compare(),
    ),
    act("sheet", "View", "All keys", "Keys", ["?"], "keys", () => forms.sheet()),
    act("leave", "View", "Close what is open; back to the cell", "Back", ["Escape"], "leave", leave),
  ];
}

type Rest = [icon: Icon, run: () => void, can?: () => boolean];

function act(
  id: string,
  group: Group,
  name: string,
  label: string,
  keys: readonly string[],
  ...rest: Rest
): Act {
  const [icon, run, can] = rest;
  return { id, group, name, label, keys, icon, run, ...(can ? { can } : {}) };
}

function again(...given: Parameters<typeof act>): Act {
  return { ...act(...given), repeats: true };
}

function edit(...given: Parameters<typeof act>): Act {
  return { ...act(...given), edits: true };
}

function hold(...given: Parameters<typeof act>): Act {
  return { ...act(...given), edits: true, repeats: true };
}

function end(desk: Bench, at: 0 | -1): void {
  const ids = desk.shown ?? desk.board.ranges.map((range) => range.id);
  const id = ids.at(at);
  if (id) desk.go({ range: id });
}

/** The changes that take words out of the film where any of them is in it, and put them back where none is. */
export function cutOrRestore(
  desk: Bench,
  take: string,
  span: readonly [number, number],
): { change: Change[]; said: string } {
  const inside: Change[] = [];
  for (const range of desk.board.ranges) {
    if (range.take !== take || !range.words || range.status === "rejected") continue;
    const first = Math.max(span[0], range.words[0]);
    const last = Math.min(span[1], range.words[1]);
    if (first <= last) inside.push({ verb: "cut", range: range.id, words: [first, last] });
  }
  if (inside.length) return { change: inside, said: "" };
  return { change: [{ verb: "restore", take, words: [span[0], span[1]] }], said: "" };
}

/** What is said of a range to those who do not see the list. */
export function spoken(desk: Bench, range: Range): string {
  const place = `${desk.place(range.id) + 1} of ${desk.board.ranges.length}`;
  const time = `${length(range, desk.board.takes).toFixed(1)} seconds`;
  const all = [place, range.status, range.beat, range.take, time, range.quote, range.problem];
  return all.filter(Boolean).join(", ");
}
