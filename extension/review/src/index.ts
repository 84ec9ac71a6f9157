/** The cut review's view, as anywidget loads it. */
import { actsOf } from "./acts";
import { keepAloft } from "./aloft";
import { Buttons, createBar, createTransport } from "./buttons";
import { Bench } from "./desk";
import { spoken } from "./doing";
import { h, text } from "./dom";
import { createFilter } from "./filter";
import { createForms } from "./forms";
import { createHead, createTape } from "./head";
import { leave, listen } from "./keys";
import type { Model } from "./link";
import { createList } from "./list";
import { createNotices } from "./notices";
import { createPlayer } from "./player";
import { pulseOf } from "./pulse";
import { createSheet } from "./sheet";
import { createStrip } from "./strip";
import { createTranscript } from "./transcript";

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const root = h("div", "cb-root", { tabindex: "0", role: "application", "aria-label": "Cut review" });
  const frame = h("div", "cb-frame");
  root.append(frame);
  el.append(root);
  const desk = new Bench(root, model, pulseOf(model));

  const head = h("header", "cb-head");
  const tape = h("div", "cb-tape");
  const notices = h("div", "cb-notices", { role: "group", "aria-label": "To know" });
  const stage = h("div", "cb-player");
  const transport = h("div", "cb-transport", { role: "group", "aria-label": "Play" });
  const transcript = h("div", "cb-transcript");
  const side = h("div", "cb-side", {}, transcript);
  const strip = h("div", "cb-strip");
  const bar = h("div", "cb-bar", { role: "group", "aria-label": "Change" });
  const sieve = h("div", "cb-filter");
  const rows = h("div", "cb-list");
  const foot = h("footer", "cb-foot");
  const top = h("div", "cb-top", {}, h("div", "cb-stage", {}, stage, transport), side);
  frame.append(head, tape, notices, top, strip, bar, sieve, rows, foot);

  const player = createPlayer(desk, stage);
  const filter = createFilter(desk, sieve);
  const sheet = createSheet(
    desk,
    frame,
    () => acts,
    (act) => buttons.press(act),
  );
  const forms = createForms(desk, player, { bar, side }, filter, sheet);
  const list = createList(desk, rows, () => desk.playhead.playing || player.toggle());
  const back = (): void => {
    const { activeElement } = root.ownerDocument;
    if (list.cancel() || reel.cancel()) return;
    if (sieve.contains(activeElement) && activeElement instanceof HTMLInputElement) {
      root.focus({ preventScroll: true });
      return;
    }
    const { picked } = desk;
    desk.pick(null);
    if (forms.close() || picked) return;
    player.stop();
    leave(root);
  };
  const acts = actsOf(desk, player, forms, back);
  const buttons = new Buttons(desk, acts);
  const reel = createStrip(desk, strip);
  const parts = [
    createTranscript(desk, transcript),
    reel,
    createNotices(desk, notices, buttons),
    createHead(
      desk,
      head,
      ["undo", "redo", "compare", "sheet"].map((id) => buttons.of(id)),
    ),
    createTape(desk, tape),
    createTransport(desk, transport, buttons),
    createBar(desk, bar, buttons),
    { destroy: keepAloft(root, head) },
    filter,
    list,
    player,
    forms,
  ];
  // What is clicked within the view gives it the focus, so that the next key is its own; a button takes none.
  const clicked = (): void => {
    if (!root.contains(root.ownerDocument.activeElement)) root.focus({ preventScroll: true });
  };
  root.addEventListener("pointerdown", clicked, true);
  root.addEventListener("mousedown", (event) => {
    clicked();
    if ((event.target as Element).closest("button")) event.preventDefault();
  });
  const deaf = listen(root, acts, (act) => buttons.press(act));

  let last = "";
  const read = (): void => {
    const here = desk.here;
    const now = here ? [here.id, here.status, here.take].join("\n") : "";
    if (now === last) return;
    last = now;
    if (here && !desk.playhead.playing) desk.tell(spoken(desk, here));
  };
  const quiet = [
    desk.on("board", () => {
      text(foot, desk.board.film);
      read();
    }),
    desk.on("playhead", read),
  ];
  desk.open();
  return () => {
    deaf();
    for (const each of quiet) each();
    for (const part of parts) part.destroy();
    desk.close();
    root.remove();
  };
}

export default { render };
