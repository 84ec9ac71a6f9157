/** Two wordings side by side: what both have, what only the one or the other has. Pure. */

export interface Piece {
  readonly kind: "same" | "was" | "now";
  readonly text: string;
}

/** Words with the spaces behind them; a sign of Chinese or Japanese writing is a word of its own. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]\s*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s*|^\s+/gu;
/** So many pairs of words are compared; longer wordings are told as one replaced by the other. */
const MOST = 250_000;

export function compared(was: string, now: string): readonly Piece[] {
  const [old, young] = [was.match(WORD) ?? [], now.match(WORD) ?? []];
  const same = (one: number, other: number): boolean => old[one]?.trim() === young[other]?.trim();
  let head = 0;
  while (head < old.length && head < young.length && same(head, head)) head++;
  let tail = 0;
  const left = (): number => Math.min(old.length, young.length) - head - tail;
  while (left() > 0 && same(old.length - 1 - tail, young.length - 1 - tail)) tail++;

  const pieces: Piece[] = [];
  const say = (kind: Piece["kind"], words: readonly string[]): void => {
    const last = pieces.at(-1);
    if (!words.length) return;
    if (last?.kind === kind) pieces[pieces.length - 1] = { kind, text: last.text + words.join("") };
    else pieces.push({ kind, text: words.join("") });
  };
  say("same", young.slice(0, head));
  for (const [kind, words] of middle(
    old.slice(head, old.length - tail),
    young.slice(head, young.length - tail),
  )) {
    say(kind, words);
  }
  say("same", young.slice(young.length - tail));
  return pieces;
}

type Step = readonly [kind: Piece["kind"], words: readonly string[]];

/** The longest common words of two lists, told from the front. */
function middle(old: readonly string[], young: readonly string[]): readonly Step[] {
  const [rows, columns] = [old.length, young.length];
  if (!rows || !columns || rows * columns > MOST) {
    return [
      ["was", old],
      ["now", young],
    ];
  }
  const wide = columns + 1;
  const common = new Uint16Array((rows + 1) * wide);
  const at = (row: number, column: number): number => common[row * wide + column] ?? 0;
  const same = (row: number, column: number): boolean => old[row]?.trim() === young[column]?.trim();
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      common[row * wide + column] = same(row, column)
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const steps: Step[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    if (row < rows && column < columns && same(row, column)) {
      steps.push(["same", young.slice(column, column + 1)]);
      row++;
      column++;
    } else if (row < rows && (column === columns || at(row + 1, column) >= at(row, column + 1))) {
      steps.push(["was", old.slice(row, ++row)]);
    } else steps.push(["now", young.slice(column, ++column)]);
  }
  return steps;
}
