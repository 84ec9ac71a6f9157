/** What stays in sight as long as it holds: why nothing can be changed, and what was not saved. */
import type { Buttons } from "./buttons";
import type { Bench } from "./desk";
import { h, text } from "./dom";
import type { Part } from "./types";
import { listed } from "./unsaved";

export function createNotices(desk: Bench, box: HTMLElement, buttons: Buttons): Part {
  const line = (...acts: readonly string[]) => {
    const said = h("span", "cb-notice-text", { dir: "auto" });
    const made = acts.map((id) => buttons.of(id, "both"));
    const notice = h("div", "cb-notice", {}, said, h("span", "cb-group", {}, ...made));
    notice.hidden = true;
    box.append(notice);
    return { notice, said, made };
  };
  const locked = line("undo");
  const missed = line("again", "forget");
  const show = ({ notice, said }: ReturnType<typeof line>, value: string): void => {
    const news = value !== "" && value !== said.textContent;
    notice.hidden = !value;
    text(said, value);
    if (news) desk.tell(value);
  };
  const tell = (): void => {
    const { board, unsaved } = desk;
    show(locked, board.locked);
    for (const undo of locked.made) undo.hidden = !board.undo;
    const lost = unsaved.length > 0;
    for (const each of missed.made) each.hidden = lost;
    if (lost) show(missed, `Not saved: ${listed(unsaved)}. Run %review again: it offers to do them.`);
    else show(missed, desk.missed.length ? `${desk.missedWhy}: ${listed(desk.missed)}.` : "");
  };
  const quiet = [desk.on("board", tell), desk.on("saving", tell), desk.on("missed", tell)];
  return {
    destroy() {
      for (const each of quiet) each();
    },
  };
}
