/** What opens for an answer: a line to write in, and the panels. Nothing else moves when one does. */
import { createCompare } from "./compare";
import type { Bench } from "./desk";
import { attribute, button, h, key } from "./dom";
import type { Filter } from "./filter";
import { icon } from "./icons";
import { createOthers } from "./others";
import type { Player } from "./types";

export interface Line {
  readonly title: string;
  readonly value?: string;
  readonly done: (text: string) => void;
}

export interface Forms {
  /** Asks for one line of text, over the bar of buttons. */
  line(line: Line): void;
  /** Shows the other takes of the current range, and tries one. */
  others(place?: number): void;
  compare(): void;
  filter(): void;
  sheet(): void;
  /** Closes what is on top; tells whether there was anything. */
  close(): boolean;
  destroy(): void;
}

/** What lies over another part until it is closed. */
export interface Panel {
  readonly open: boolean;
  close(): void;
  destroy(): void;
}

export interface Places {
  /** Where the line lies, over the bar. */
  readonly bar: HTMLElement;
  /** Where panels lie, over the transcript. */
  readonly side: HTMLElement;
}

export function createForms(
  desk: Bench,
  player: Player,
  places: Places,
  filter: Filter,
  sheet: Panel & { show(): void },
): Forms {
  const line = createLine(desk, places.bar);
  const others = createOthers(desk, player, places.side);
  const compare = createCompare(desk, places.side);
  const panels = [line, others, compare];
  const toggle = (panel: Panel & { show(): void }, instead: readonly Panel[]): void => {
    if (panel.open) panel.close();
    else {
      for (const each of instead) each.close();
      panel.show();
    }
  };
  return {
    line: (asked) => line.ask(asked),
    others(place) {
      if (place === undefined) toggle(others, [compare]);
      else {
        compare.close();
        others.choose(place);
      }
    },
    compare: () => toggle(compare, [others]),
    filter: () => filter.focus(),
    sheet: () => toggle(sheet, [line]),
    close() {
      const top = [sheet, ...panels].find((each) => each.open);
      top?.close();
      return top !== undefined || filter.close();
    },
    destroy() {
      for (const each of [sheet, ...panels]) each.destroy();
    },
  };
}

function createLine(desk: Bench, box: HTMLElement): Panel & { ask(line: Line): void } {
  const label = h("label", "cb-line-title", { for: `cb-${desk.view}-line` });
  const input = h("input", "cb-input", {
    id: `cb-${desk.view}-line`,
    type: "text",
    autocomplete: "off",
    spellcheck: "true",
  });
  const form = h("form", "cb-line", {}, label, input);
  let asked: Line | null = null;
  const close = (): void => {
    if (!asked) return;
    asked = null;
    form.hidden = true;
    for (const each of box.children) if (each !== form) attribute(each, "inert", null);
    desk.root.focus({ preventScroll: true });
  };
  const done = (): void => {
    const answered = asked?.done;
    const written = input.value.trim();
    close();
    answered?.(written);
  };
  const yes = button("cb-button cb-look-both", "Save (enter)", done, "Save", key("↵"));
  const no = button("cb-button cb-look-icon", "Leave it (esc)", close, icon("close"));
  form.append(yes, no);
  form.hidden = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    done();
  });
  box.append(form);
  return {
    get open() {
      return asked !== null;
    },
    ask(line) {
      asked = line;
      label.textContent = line.title;
      input.value = line.value ?? "";
      form.hidden = false;
      for (const each of box.children) if (each !== form) attribute(each, "inert", "");
      input.focus({ preventScroll: true });
      form.scrollIntoView({ block: "nearest" });
      input.select();
    },
    close,
    destroy: () => form.remove(),
  };
}

/** A panel with a title and a way to close it, over the part it lies in. */
export function createPanel(desk: Bench, box: HTMLElement, title: string, closed: () => void = () => {}) {
  const content = h("div", "cb-panel-content");
  const heading = h("h2", "cb-panel-title", { id: `cb-${desk.view}-${title.replace(/\W+/g, "-")}` }, title);
  const more = h("span", "cb-panel-more");
  const panel = h("section", "cb-panel", { role: "dialog", tabindex: "-1", "aria-labelledby": heading.id });
  const close = (): void => {
    if (panel.hidden) return;
    panel.hidden = true;
    for (const each of box.children) if (!each.matches(".cb-panel")) attribute(each, "inert", null);
    if (panel.contains(document.activeElement) || document.activeElement === document.body) {
      desk.root.focus({ preventScroll: true });
    }
    closed();
  };
  panel.append(
    h(
      "header",
      "cb-panel-head",
      {},
      heading,
      more,
      button("cb-button cb-look-icon", "Close (esc)", close, icon("close")),
    ),
    content,
  );
  panel.hidden = true;
  box.append(panel);
  return {
    panel,
    content,
    heading,
    more,
    get open() {
      return !panel.hidden;
    },
    show(focus = true) {
      panel.hidden = false;
      for (const each of box.children) if (!each.matches(".cb-panel")) attribute(each, "inert", "");
      if (focus) panel.focus({ preventScroll: true });
      panel.scrollIntoView({ block: "nearest" });
    },
    close,
    destroy: () => panel.remove(),
  };
}
