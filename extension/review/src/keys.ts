/** Keys: from an event to an act, and none of them to Jupyter. */
import type { Act } from "./acts";

const MAC = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

/** The key with its modifiers, in one way of writing: `shift+mod+z`. `mod` is ctrl, or command. */
export function chord(event: KeyboardEvent): string {
  const key = named(event);
  const shift = event.shiftKey && (key.length > 1 || /[a-z,.]/.test(key)) ? "shift+" : "";
  const mod = event.ctrlKey || event.metaKey ? "mod+" : "";
  return `${shift}${mod}${event.altKey ? "alt+" : ""}${key}`;
}

function named(event: KeyboardEvent): string {
  const { key, code } = event;
  if (key === " ") return "Space";
  if (event.shiftKey && (key === "<" || code === "Comma")) return ",";
  if (event.shiftKey && (key === ">" || code === "Period")) return ".";
  if (key.length > 1) return key;
  if (/^Digit[1-9]$/.test(code) && !event.shiftKey) return code.slice(5);
  // Another alphabet, or what alt makes of a letter on a Mac: the place on the keyboard tells.
  if (/^Key[A-Z]$/.test(code) && !/[a-z,.?]/i.test(key)) return code.slice(3).toLowerCase();
  return key.toLowerCase();
}

const SHOWN: Readonly<Record<string, string>> = {
  Space: "space",
  Enter: "↵",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "esc",
  Delete: "del",
  Backspace: "⌫",
  Home: "home",
  End: "end",
};

/** A chord as people read it: `⇧↵`, `^z`. */
export function shownChord(keys: string): string {
  const parts = keys.split("+");
  const key = parts.at(-1) ?? "";
  const before = parts.slice(0, -1).map((each) => {
    if (each === "shift") return "⇧";
    if (each === "mod") return MAC ? "⌘" : "^";
    return MAC ? "⌥" : "alt ";
  });
  return before.join("") + (SHOWN[key] ?? key);
}

/** A chord as `aria-keyshortcuts` has it. */
export function ariaChord(keys: string): string {
  const names: Readonly<Record<string, string>> = {
    shift: "Shift",
    mod: MAC ? "Meta" : "Control",
    alt: "Alt",
  };
  return keys
    .split("+")
    .map((each) => names[each] ?? each)
    .join("+");
}

const writes = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !/^(checkbox|radio|button|range)$/.test(target.type)) ||
  (target instanceof HTMLElement && target.isContentEditable);
const presses = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("button, a[href], summary, select, input") !== null;

export function listen(root: HTMLElement, acts: readonly Act[], press: (act: Act) => void): () => void {
  const map = new Map(acts.flatMap((act) => act.keys.map((key) => [key, act] as const)));

  // Lumino asks the focused element itself; Notebook asks before the event comes down to it.
  const shield = (event: FocusEvent): void => {
    if (event.target instanceof HTMLElement) event.target.dataset.lmSuppressShortcuts = "true";
  };

  const pressed = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.isComposing || event.keyCode === 229) return;
    const keys = chord(event);
    if (keys === "mod+s") {
      event.preventDefault();
      forward(root, event);
      return;
    }
    const { target } = event;
    if (writes(target) && keys !== "Escape") return;
    // All of the page is not what a person means here.
    if (keys === "mod+a") event.preventDefault();
    if (presses(target) && (keys === "Space" || keys === "Enter" || keys === "shift+Enter")) return;
    if (event.defaultPrevented) return;
    const act = map.get(keys);
    if (!act) return;
    event.preventDefault();
    if (event.repeat && !act.repeats) return;
    press(act);
  };

  const quiet = (event: KeyboardEvent): void => event.stopPropagation();
  root.addEventListener("focusin", shield);
  root.addEventListener("keydown", pressed);
  root.addEventListener("keypress", quiet);
  root.addEventListener("keyup", quiet);
  return () => {
    root.removeEventListener("focusin", shield);
    root.removeEventListener("keydown", pressed);
    root.removeEventListener("keypress", quiet);
    root.removeEventListener("keyup", quiet);
  };
}

/** Saving is Jupyter's: the key is sent on to the cell, as if it had been pressed there. */
function forward(root: HTMLElement, event: KeyboardEvent): void {
  const { key, code, keyCode, ctrlKey, metaKey } = event;
  const cell = root.closest(".jp-Cell") ?? root.parentElement;
  cell?.dispatchEvent(
    new KeyboardEvent("keydown", {
      key,
      code,
      keyCode,
      ctrlKey,
      metaKey,
      bubbles: true,
      cancelable: true,
      composed: true,
    }),
  );
}

/** Goes back to the cell, where Jupyter's own keys are. */
export function leave(root: HTMLElement): void {
  const cell = root.closest<HTMLElement>(".jp-Cell");
  const active = root.ownerDocument.activeElement;
  if (active instanceof HTMLElement) active.blur();
  if (!cell) return;
  if (!cell.hasAttribute("tabindex")) cell.tabIndex = -1;
  cell.focus({ preventScroll: true });
}
