/** What acts do to the current range, where that takes more than a line. */
import type { Bench } from "./desk";
import type { Forms } from "./forms";
import { length } from "./time";
import type { Range } from "./types";

type Fits = (range: Range) => boolean;
const any: Fits = () => true;
export const undecided: Fits = (range) => range.status === "undecided";

export class Doing {
  readonly #desk: Bench;
  readonly #forms: Forms;

  constructor(desk: Bench, forms: Forms) {
    this.#desk = desk;
    this.#forms = forms;
  }

  /** The next range that fits among those shown. */
  #onward(from: Range, step: 1 | -1, fits: Fits): Range | undefined {
    const shown = this.#desk.shown ? new Set(this.#desk.shown) : null;
    let next = this.#desk.neighbour(from.id, step, false);
    while (next && !(fits(next) && (!shown || shown.has(next.id)))) {
      next = this.#desk.neighbour(next.id, step, false);
    }
    return next;
  }

  /** Goes to the next cut; back, first to the beginning of the current one. */
  go(step: 1 | -1): void {
    const { here, playhead } = this.#desk;
    const next = here && this.#onward(here, step, any);
    if (next) this.#desk.visit(next.id);
    else if (here && step < 0 && playhead.frame !== here.frames[0]) this.#desk.go({ range: here.id });
    else if (here) this.#desk.say(this.stuck(step));
  }

  /** Says why there is no way on from here, empty where there is. */
  stuck(step: 1 | -1): string {
    const { here, playhead } = this.#desk;
    if (!here || this.#onward(here, step, any)) return "";
    return step < 0 && playhead.frame !== here.frames[0]
      ? ""
      : `this is the ${step > 0 ? "last" : "first"} cut`;
  }

  open(step: 1 | -1): void {
    const { here } = this.#desk;
    const next = here && this.#onward(here, step, undecided);
    if (next) this.#desk.visit(next.id);
    else this.#desk.say(`nothing undecided ${step > 0 ? "after" : "before"} this`);
  }

  end(at: 0 | -1): void {
    const ids = this.#desk.shown ?? this.#desk.board.ranges.map((range) => range.id);
    const id = ids.at(at);
    if (id) this.#desk.visit(id);
  }

  /** Decides, and goes on to the next range; while the edit plays it gets there by itself. */
  decide(verb: "accept" | "reject" | "undecided", why = ""): void {
    const { here } = this.#desk;
    if (!here) return;
    // What is known to be refused must not lead away from the range that it is said of.
    if (verb === "accept" && here.problem && here.status !== "accepted") {
      this.#desk.say(`range ${this.#number(here)} cannot be accepted: ${here.problem}`);
      return;
    }
    const next = this.#onward(here, 1, any);
    const change = { verb, ranges: [here.id] };
    this.#desk.do(why ? { ...change, why } : change);
    if (!next || this.#desk.playhead.playing || !this.#desk.range(next.id)) return;
    this.#desk.go({ range: next.id });
    this.#desk.decided = { from: here.id, to: next.id };
  }

  /** Asks for the reason first. */
  because(verb: "accept" | "reject"): void {
    const { here } = this.#desk;
    if (!here) return;
    const title = `${verb === "accept" ? "Accept" : "Reject"} ${this.#number(here)}, because`;
    this.#forms.line({ title, done: (why) => this.decide(verb, why) });
  }

  why(): void {
    const { here } = this.#desk;
    if (!here) return;
    this.#forms.line({
      title: `Why is ${this.#number(here)} ${here.status}?`,
      value: here.why,
      done: (why) => why !== here.why && this.#desk.do({ verb: "why", range: here.id, why }),
    });
  }

  note(): void {
    this.#forms.line({ title: "Note", done: (text) => text && this.#desk.do({ verb: "note", text }) });
  }

  /** Puts an edge where the playhead stands. */
  trim(edge: "in" | "out", exact: boolean): void {
    const { here, playhead } = this.#desk;
    if (!here) return;
    if (playhead.take !== here.take) this.#desk.say("the playhead stands in another take");
    else {
      const frame = playhead.frame + (edge === "in" ? 0 : 1);
      this.#desk.do({ verb: "trim", range: here.id, edge, frame, exact });
    }
  }

  /** Moves an edge by a frame, and shows the frame that is the edge then. */
  nudge(edge: "in" | "out", by: 1 | -1): void {
    const { here, board } = this.#desk;
    if (!here) return;
    const frame = here.frames[edge === "in" ? 0 : 1] + by;
    const least = edge === "in" ? 0 : here.frames[0] + 1;
    const most = edge === "in" ? here.frames[1] - 1 : (board.takes[here.take]?.frames ?? frame);
    if (frame < least || frame > most) {
      const short = here.frames[1] - here.frames[0] <= 1 && (edge === "in") === by > 0;
      this.#desk.say(short ? "one frame at least stays of a range" : "there is no more of the take");
      return;
    }
    this.#desk.do({ verb: "trim", range: here.id, edge, frame, exact: true });
    if (!this.#desk.playhead.playing) {
      this.#desk.go({ range: here.id, take: here.take, frame: edge === "in" ? frame : frame - 1 });
    }
    if (here.words && this.#desk.here?.words === null) this.#desk.say("no word is left in the range");
  }

  split(): void {
    const { here, playhead } = this.#desk;
    if (!here) return;
    const { take, frame } = playhead;
    const [first, end] = here.frames;
    if (take !== here.take || frame < first || frame >= end) {
      this.#desk.say("the playhead stands outside the range; move it into the range to split");
    } else if (frame === first) {
      this.#desk.say("the playhead stands at the edge; move it into the range to split");
    } else this.#desk.do({ verb: "split", range: here.id, frame });
  }

  /** Says why the range cannot be merged with the next, empty where it can. */
  apart(): string {
    const { here } = this.#desk;
    const next = here && this.#desk.neighbour(here.id, 1, false);
    if (!here || !next) return "there is no range after this one";
    return next.take === here.take ? "" : "the next range is of another take";
  }

  merge(): void {
    const { here } = this.#desk;
    if (here) this.#desk.do({ verb: "merge", range: here.id });
  }

  /** Says why the range cannot be moved that way, empty where it can. */
  still(step: 1 | -1): string {
    const { here } = this.#desk;
    if (!here || this.#desk.neighbour(here.id, step, false)) return "";
    return `this is the ${step > 0 ? "last" : "first"} range`;
  }

  /** Says why nothing can be done to the current range: the filter hides it. Empty where it is shown. */
  hidden(): string {
    const { here, shown, none } = this.#desk;
    if (!here || this.#desk.lists(here.id)) return "";
    return shown?.length
      ? `range ${this.#number(here)} is not among those shown; esc shows all`
      : `${none}; esc shows all`;
  }

  move(step: 1 | -1): void {
    const { here, board } = this.#desk;
    if (!here) return;
    const place = this.#desk.place(here.id) + step;
    const before = board.ranges[step > 0 ? place + 1 : place]?.id ?? null;
    this.#desk.do({ verb: "move", ranges: [here.id], before });
  }

  #number(range: Range): number {
    return this.#desk.place(range.id) + 1;
  }
}

/** What is said of a range to those who do not see the list. */
export function spoken(desk: Bench, range: Range): string {
  const place = `${desk.place(range.id) + 1} of ${desk.board.ranges.length}`;
  const time = `${length(range, desk.board.takes).toFixed(1)} seconds`;
  const all = [place, range.status, range.beat, range.take, time, range.quote, range.problem];
  return all.filter(Boolean).join(", ");
}
