/** An earlier version of the cut list beside the one in force, in words. */
import type { Bench } from "./desk";
import { button, h } from "./dom";
import { createPanel, type Panel } from "./forms";
import type { ComparedRow, VersionRow } from "./types";
import { compared } from "./words";

export function createCompare(desk: Bench, box: HTMLElement): Panel & { show(): void } {
  const panel = createPanel(desk, box, "Compare");
  const list = h("ol", "cb-versions", { "aria-label": "Versions" });
  const rows = h("div", "cb-compared", { role: "region", "aria-label": "What is different", tabindex: "0" });
  panel.content.classList.add("cb-compare");
  panel.content.append(list, rows);
  let turn = 0;
  let chosen = 0;
  let seen = 0;

  const compare = async (version: VersionRow): Promise<void> => {
    const mine = ++turn;
    chosen = version.number;
    for (const each of list.querySelectorAll("button")) {
      each.toggleAttribute("aria-current", each.dataset.number === String(version.number));
      if (each.hasAttribute("aria-current")) each.setAttribute("aria-current", "true");
    }
    rows.setAttribute("aria-busy", "true");
    try {
      const answer = await desk.ask("compare", { version: version.number });
      if (mine !== turn) return;
      const changed = answer.rows.filter((row) => row.what !== "kept");
      const same = answer.rows.length - changed.length;
      panel.more.textContent = `${changed.length} different, ${same} the same`;
      rows.replaceChildren(...changed.map((row) => line(desk, row)));
      if (!changed.length) rows.replaceChildren(h("p", "cb-hint", {}, answer.text || "nothing is different"));
    } catch (error) {
      if (mine === turn) rows.replaceChildren(h("p", "cb-hint", {}, (error as Error).message));
    } finally {
      rows.removeAttribute("aria-busy");
    }
  };

  const load = async (): Promise<void> => {
    try {
      const { versions } = await desk.ask("versions", {});
      const newest = [...versions].sort((one, other) => other.number - one.number);
      list.replaceChildren(
        ...newest.map((version) => {
          const what = described(version);
          const name = `Version ${version.number}, ${what}`;
          const made = button(
            "cb-version",
            name,
            () => void compare(version),
            h("span", "cb-number", {}, String(version.number)),
            h("span", "cb-version-why", {}, what),
            h("span", "cb-dim", {}, version.current ? "now" : hour(version.when)),
          );
          made.dataset.number = String(version.number);
          return h("li", "", {}, made);
        }),
      );
      seen = desk.board.version;
      const before = newest.find(({ number }) => number === chosen) ?? previous(newest);
      if (before) await compare(before);
      else rows.replaceChildren(h("p", "cb-hint", {}, "there is no earlier version"));
    } catch (error) {
      rows.replaceChildren(h("p", "cb-hint", {}, (error as Error).message));
    }
  };
  const quiet = desk.on("board", () => {
    if (panel.open && desk.board.version !== seen) void load();
  });
  return {
    get open() {
      return panel.open;
    },
    show() {
      panel.show();
      chosen = 0;
      rows.replaceChildren(h("p", "cb-hint", {}, "looking…"));
      panel.more.textContent = "";
      void load();
    },
    close: panel.close,
    destroy() {
      quiet();
      panel.destroy();
    },
  };
}

/** What a version did, to which ranges and why; where that is not known, who made it. */
export function described({ what = "", why, by }: VersionRow): string {
  if (what && why && why !== what && !what.startsWith(`${why} `)) return `${what}: ${why}`;
  return what || why || by;
}

/** The version before the one in force, of versions from the newest; after an undo the later ones are no base. */
export function previous(newest: readonly VersionRow[]): VersionRow | undefined {
  const now = newest.find((version) => version.current)?.number ?? Number.POSITIVE_INFINITY;
  return newest.find((version) => version.number < now) ?? newest.find((version) => !version.current);
}

function line(desk: Bench, row: ComparedRow): HTMLElement {
  const words = h("span", "cb-compared-words", { dir: "auto" });
  for (const { kind, text } of compared(row.was, row.now)) {
    const word = text.trimEnd();
    words.append(kind === "same" ? text : h(kind === "was" ? "del" : "ins", "", {}, word));
    if (kind !== "same") words.append(text.slice(word.length));
  }
  const place = desk.place(row.range);
  const made = button(
    "cb-compared-row",
    `${row.what}: ${row.was || "nothing"}, now ${row.now || "nothing"}`,
    () => desk.visit(row.range),
    h("span", "cb-what", {}, row.what),
    h("span", "cb-number", {}, place < 0 ? "" : String(place + 1)),
    words,
  );
  made.dataset.what = row.what;
  return made;
}

function hour(when: string): string {
  const time = new Date(when);
  if (Number.isNaN(time.getTime())) return "";
  const today = new Date().toDateString() === time.toDateString();
  return today
    ? time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : time.toLocaleDateString([], { month: "short", day: "numeric" });
}
