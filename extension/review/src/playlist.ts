/**
 * What is played, in which order, and when to go over to the next of it: all of it pure.
 *
 * A run is a stretch of one take that is played without a switch. Ranges that touch lie in one run.
 */
import { frameAt, kept as isKept, seconds } from "./time";
import type { Edge } from "./turn";
import type { Board, Frames, Range, Rate, Take } from "./types";

export interface Piece {
  /** The range that is current while it plays, empty where it belongs to none. */
  readonly range: string;
  readonly frames: Frames;
}

export interface Run {
  readonly take: string;
  readonly frames: Frames;
  readonly pieces: readonly Piece[];
}

export interface Place {
  readonly range: string;
  readonly take: string;
  readonly frame: number;
}

/** Frames before the end of a run at which the switch is armed. */
const ARMED = 1.5;

/** Where to seek for a frame: a little inside it, so that rounding gives no other. */
export const seekTime = (frame: number, rate: Rate): number => seconds(frame + 0.1, rate);

/** The frame whose time a browser tells of a picture it shows. */
export const frameOf = (mediaTime: number, rate: Rate): number => Math.round((mediaTime * rate[0]) / rate[1]);

/**
 * Gives the milliseconds until the switch, 0 where it is due, null while it is too early to arm it. `after` are the
 * milliseconds until the picture of `mediaTime` is on the screen.
 */
export function untilSwitch(
  mediaTime: number,
  end: number,
  rate: Rate,
  speed: number,
  after: number,
): number | null {
  const left = seconds(end, rate) - mediaTime;
  if (left > ARMED * Math.max(1, speed) * seconds(1, rate)) return null;
  return Math.max(0, after + (left * 1000) / speed);
}

export function inside(frames: Frames, frame: number): boolean {
  return frames[0] <= frame && frame < frames[1];
}

/** Puts pieces of takes together to runs. */
export function runs(parts: readonly { take: string; piece: Piece }[]): Run[] {
  const joined: { take: string; frames: Frames; pieces: Piece[] }[] = [];
  for (const { take, piece } of parts) {
    if (piece.frames[0] >= piece.frames[1]) continue;
    const last = joined.at(-1);
    if (last && last.take === take && last.frames[1] === piece.frames[0]) {
      last.frames = [last.frames[0], piece.frames[1]];
      last.pieces.push(piece);
    } else joined.push({ take, frames: piece.frames, pieces: [piece] });
  }
  return joined;
}

const whole = (range: Range) => ({ take: range.take, piece: { range: range.id, frames: range.frames } });

/**
 * Gives what plays from a place: the rest of its range, even of a rejected one, and the kept ranges behind it. From
 * outside of the range the take is played straight on, up to the next kept range that begins there, or to its end.
 */
export function editFrom(board: Board, from: Place): Run[] {
  const at = board.ranges.findIndex((range) => range.id === from.range);
  const here = board.ranges[at];
  const kept = (first: number) => board.ranges.slice(first).filter(isKept).map(whole);
  if (here && here.take === from.take && inside(here.frames, from.frame)) {
    const rest = {
      take: here.take,
      piece: { range: here.id, frames: [from.frame, here.frames[1]] as const },
    };
    return runs([rest, ...kept(at + 1)]);
  }
  const take = board.takes[from.take];
  if (!take) return runs(kept(Math.max(at, 0)));
  const ahead = board.ranges
    .map((range, place) => ({ range, place }))
    .filter(({ range }) => isKept(range) && range.take === from.take && range.frames[1] > from.frame)
    .sort((a, b) => a.range.frames[0] - b.range.frames[0] || a.place - b.place)[0];
  if (!ahead)
    return runs([{ take: from.take, piece: { range: from.range, frames: [from.frame, take.frames] } }]);
  const { range, place } = ahead;
  const start = Math.max(range.frames[0], from.frame);
  const before = { take: from.take, piece: { range: from.range, frames: [from.frame, start] as const } };
  const rest = { take: from.take, piece: { range: range.id, frames: [start, range.frames[1]] as const } };
  return runs([before, rest, ...kept(place + 1)]);
}

/** Gives what plays from a place; from the film's last frame on, the film again. */
export function ahead(board: Board, from: Place): Run[] {
  const list = editFrom(board, from);
  const only = list[0];
  const first = board.ranges.find(isKept);
  if (list.length > 1 || !only || only.frames[1] - only.frames[0] > 1 || !first) return list;
  return editFrom(board, { range: first.id, take: first.take, frame: first.frames[0] });
}

/** The takes that are needed from a place on, in order, `most` of them. */
export function needed(board: Board, from: Place, most: number): string[] {
  const takes = [from.take, ...editFrom(board, from).map(({ take }) => take)];
  return [...new Set(takes)].filter(Boolean).slice(0, most);
}

/**
 * Gives what plays on when the range that plays was made to end before the playhead, or was taken out of the film, as it
 * was not `before`: what there is from the next kept range on. Null where it plays on as it does.
 */
export function overtaken(board: Board, from: Place, before: Board): Run[] | null {
  const at = board.ranges.findIndex((range) => range.id === from.range);
  const here = board.ranges[at];
  if (!here) return null;
  const was = before.ranges.find((range) => range.id === here.id);
  const out = !isKept(here) && was !== undefined && isKept(was);
  const past = here.take === from.take && from.frame >= here.frames[1];
  const next = out || past ? board.ranges.slice(at + 1).find(isKept) : undefined;
  if (next) return editFrom(board, { range: next.id, take: next.take, frame: next.frames[0] });
  return out ? [] : null;
}

/** Gives what lies before a place, in order: what is played backwards. */
export function editBefore(board: Board, from: Place): Run[] {
  const at = board.ranges.findIndex((range) => range.id === from.range);
  const here = board.ranges[at];
  const before = board.ranges.slice(0, Math.max(at, 0)).filter(isKept).map(whole);
  const within = here?.take === from.take && inside(here.frames, from.frame);
  const first = within ? here.frames[0] : 0;
  const rest = { take: from.take, piece: { range: from.range, frames: [first, from.frame + 1] as const } };
  return runs(within ? [...before, rest] : [rest]);
}

/** Cuts runs where a take's file goes over into another: at seconds of take time. */
export function broken(
  list: readonly Run[],
  breaks: (take: string) => readonly number[],
  takes: Board["takes"],
): Run[] {
  return list.flatMap((run) => {
    const rate = takes[run.take]?.rate;
    const inner = rate
      ? breaks(run.take)
          .map((time) => frameOf(time, rate))
          .filter((frame) => run.frames[0] < frame && frame < run.frames[1])
      : [];
    const marks = [run.frames[0], ...inner, run.frames[1]];
    return marks.slice(1).map((end, at) => {
      const first = marks[at] ?? end;
      const pieces = run.pieces
        .map((piece) => ({
          range: piece.range,
          frames: [Math.max(first, piece.frames[0]), Math.min(end, piece.frames[1])] as const,
        }))
        .filter((piece) => piece.frames[0] < piece.frames[1]);
      return { take: run.take, frames: [first, end] as const, pieces };
    });
  });
}

/** Keeps the first (or, `last`, the last) seconds of runs. */
export function within(list: readonly Run[], length: number, takes: Board["takes"], last = false): Run[] {
  const found: { take: string; piece: Piece }[] = [];
  let left = length;
  const all = list.flatMap((run) => run.pieces.map((piece) => ({ take: run.take, piece })));
  for (const { take, piece } of last ? all.reverse() : all) {
    const rate = takes[take]?.rate;
    if (!rate || left <= 1e-9) continue;
    const [first, end] = piece.frames;
    const most = Math.min(end - first, Math.max(1, Math.round((left * rate[0]) / rate[1])));
    found.push({
      take,
      piece: { range: piece.range, frames: last ? [end - most, end] : [first, first + most] },
    });
    left -= seconds(most, rate);
  }
  return runs(last ? found.reverse() : found);
}

/** The cut that is played around: at a range's in point, or its out point. */
export interface Around {
  readonly without: boolean;
  readonly out?: boolean;
  /** Seconds on each side. */
  readonly length?: number;
}

/** Gives what plays around a cut, with it as the edit goes, or without it straight through the take. */
export function around(board: Board, id: string, { without, out = false, length = 2 }: Around): Run[] {
  const at = board.ranges.findIndex((range) => range.id === id);
  const range = board.ranges[at];
  const take = range && board.takes[range.take];
  if (!range || !take) return [];
  const cut = out ? range.frames[1] : range.frames[0];
  if (without) {
    const side = Math.round((length * take.rate[0]) / take.rate[1]);
    const frames = [Math.max(0, cut - side), Math.min(take.frames, cut + side)] as const;
    const marks = [
      frames[0],
      ...range.frames.filter((mark) => frames[0] < mark && mark < frames[1]),
      frames[1],
    ];
    return runs(
      marks.slice(1).map((end, place) => ({
        take: range.take,
        piece: { range: id, frames: [marks[place] ?? end, end] as const },
      })),
    );
  }
  const list = board.ranges.filter((each) => isKept(each) || each.id === id);
  const place = list.indexOf(range) + (out ? 1 : 0);
  const before = within(runs(list.slice(0, place).map(whole)), length, board.takes, true);
  const after = within(runs(list.slice(place).map(whole)), length, board.takes);
  return runs([...before, ...after].flatMap((run) => run.pieces.map((piece) => ({ take: run.take, piece }))));
}

/**
 * Gives the seconds by which the sound changes over before the picture (`lead`, a J cut), or after it (`lag`, an L cut),
 * between two runs that are played one after the other. Only where a range really ends or begins there.
 */
export function soundEdge(board: Board, before: Run, after: Run): Edge {
  const [last, first] = [before.pieces.at(-1), after.pieces[0]];
  const from = board.ranges.find(({ id }) => id === last?.range);
  const to = board.ranges.find(({ id }) => id === first?.range);
  const lead = to && first && first.frames[0] === to.frames[0] ? to.lead : 0;
  const lag = from && last && last.frames[1] === from.frames[1] ? from.lag : 0;
  return lead > 0 ? { lead, lag: 0 } : { lead: 0, lag: Math.max(0, lag) };
}

/** The piece of a run in which a frame lies; the last one behind its end. */
export function pieceAt(run: Run, frame: number): Piece | undefined {
  return run.pieces.find((piece) => frame < piece.frames[1]) ?? run.pieces.at(-1);
}

/** Where the playhead is at a frame of a run. */
export function placeAt(run: Run, frame: number): Place {
  const shown = Math.min(Math.max(frame, run.frames[0]), run.frames[1] - 1);
  return { range: pieceAt(run, shown)?.range ?? "", take: run.take, frame: shown };
}

/**
 * Gives where playing backwards stands: `back` seconds before the end of runs. Null before their beginning.
 */
export function backwards(
  list: readonly Run[],
  back: number,
  takes: Board["takes"],
): { run: number; place: Place } | null {
  let left = back;
  for (let at = list.length - 1; at >= 0; at--) {
    const run = list[at];
    const rate = run && takes[run.take]?.rate;
    if (!run || !rate) continue;
    const long = seconds(run.frames[1] - run.frames[0], rate);
    if (left < long - 1e-9) return { run: at, place: placeAt(run, run.frames[1] - 1 - frameAt(left, rate)) };
    left -= long;
  }
  return null;
}

/** The speed after a press of J (−1), K (0) or L (1). */
export function shuttled(speed: number, step: -1 | 0 | 1): number {
  if (step === 0) return 0;
  return Math.sign(speed) === step ? step * Math.min(8, Math.abs(speed) * 2) : step;
}

/**
 * Gives where a step of frames leads: in the take, on or off the range, so that a range can be made longer from there.
 * Where it comes into another kept range that touches, that one is current from there on.
 */
export function stepped(board: Board, from: Place, by: number): Place {
  const take: Take | undefined = board.takes[from.take];
  const frame = Math.min(Math.max(from.frame + by, 0), Math.max(0, (take?.frames ?? 1) - 1));
  const at = board.ranges.findIndex((range) => range.id === from.range);
  const here = board.ranges[at];
  if (here && here.take === from.take && inside(here.frames, from.frame) && !inside(here.frames, frame)) {
    const next = board.ranges[by > 0 ? at + 1 : at - 1];
    const touches = next && (by > 0 ? next.frames[0] === here.frames[1] : next.frames[1] === here.frames[0]);
    if (next && touches && next.take === from.take && isKept(next) && inside(next.frames, frame)) {
      return { range: next.id, take: from.take, frame };
    }
  }
  return { range: from.range, take: from.take, frame };
}

/** Says that a step led out of its range into what is not in the film, empty where it did not. */
export function strayed(board: Board, from: Place, to: Place): string {
  const here = board.ranges.find((range) => range.id === from.range);
  if (!here || here.take !== from.take || to.range !== from.range || !inside(here.frames, from.frame))
    return "";
  if (inside(here.frames, to.frame)) return "";
  return to.frame < here.frames[0]
    ? "before the range: this is not in the film; ↑ is the cut before"
    : "past the range: this is not in the film; ↓ is the next cut";
}
