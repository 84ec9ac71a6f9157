/** The sheet: every act with its key, each a button. */
import type { Act, Group } from "./acts";
import type { Bench } from "./desk";
import { button, h, key } from "./dom";
import { createPanel, type Panel } from "./forms";
import { shownChord } from "./keys";

const HIDDEN = /^take-[2-9]$/;

export function createSheet(
  desk: Bench,
  box: HTMLElement,
  acts: () => readonly Act[],
  press: (act: Act) => void,
): Panel & { show(): void } {
  const panel = createPanel(desk, box, "Keys");
  panel.panel.classList.add("cb-sheet");
  const fill = (): void => {
    const groups = new Map<Group, HTMLElement>();
    for (const act of acts()) {
      if (HIDDEN.test(act.id)) continue;
      let place = groups.get(act.group);
      if (!place) {
        place = h("section", "cb-sheet-group", {}, h("h3", "cb-sheet-title", {}, act.group));
        groups.set(act.group, place);
        panel.content.append(place);
      }
      const digits = act.id === "take-1";
      const shown = digits ? "1–9" : act.keys.map(shownChord).join("  ");
      const name = digits ? "Try a take in place; again takes it" : act.name;
      const chosen = (): void => {
        panel.close();
        press(act);
      };
      place.append(button("cb-sheet-row", name, chosen, key(shown), h("span", "", {}, name)));
    }
  };
  return {
    get open() {
      return panel.open;
    },
    show() {
      if (!panel.content.childElementCount) fill();
      panel.show();
    },
    close: panel.close,
    destroy: panel.destroy,
  };
}
