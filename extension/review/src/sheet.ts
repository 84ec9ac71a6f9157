/** The sheet: every act with its key, each a button. */
import type { Act, Group } from "./acts";
import type { Buttons } from "./buttons";
import type { Bench } from "./desk";
import { button, h, key } from "./dom";
import { createPanel, type Panel } from "./forms";
import { shownChord } from "./keys";

const HIDDEN = /^take-[2-9]$/;

export function createSheet(
  desk: Bench,
  box: HTMLElement,
  acts: readonly Act[],
  buttons: Buttons,
): Panel & { show(): void } {
  const panel = createPanel(desk, box, "Keys");
  panel.panel.classList.add("cb-sheet");
  const groups = new Map<Group, HTMLElement>();
  for (const act of acts) {
    if (HIDDEN.test(act.id)) continue;
    let place = groups.get(act.group);
    if (!place) {
      const heading = h("h3", "cb-sheet-title", {}, act.group);
      place = h("section", "cb-sheet-group", {}, heading);
      groups.set(act.group, place);
      panel.content.append(place);
    }
    const shown = act.id === "take-1" ? "1–9" : act.keys.map(shownChord).join("  ");
    const name = act.id === "take-1" ? "Try a take in place; again takes it" : act.name;
    place.append(
      button(
        "cb-sheet-row",
        name,
        () => {
          panel.close();
          buttons.press(act);
        },
        key(shown),
        h("span", "", {}, name),
      ),
    );
  }
  return {
    get open() {
      return panel.open;
    },
    show: () => panel.show(),
    close: panel.close,
    destroy: panel.destroy,
  };
}
