// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import type { Act } from "../src/acts";
import { chord, listen, shownChord } from "../src/keys";

const press = (key: string, more: KeyboardEventInit = {}): KeyboardEvent =>
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });

describe("a chord", () => {
  it.each([
    ["a", {}, "a"],
    ["A", { shiftKey: true }, "shift+a"],
    ["A", {}, "a"],
    [" ", { code: "Space" }, "Space"],
    ["Enter", { shiftKey: true }, "shift+Enter"],
    ["Z", { shiftKey: true, ctrlKey: true }, "shift+mod+z"],
    ["z", { metaKey: true }, "mod+z"],
    ["ArrowLeft", { altKey: true }, "alt+ArrowLeft"],
    ["?", { shiftKey: true, code: "Slash" }, "?"],
    ["?", { shiftKey: true, code: "Minus" }, "?"],
  ] as const)("%s with %o is %s", (key, more, expected) => {
    expect(chord(press(key, more))).toBe(expected);
  });
  it("of comma and full stop with shift is the same on every keyboard", () => {
    expect(chord(press("<", { shiftKey: true, code: "Comma" }))).toBe("shift+,");
    expect(chord(press(";", { shiftKey: true, code: "Comma" }))).toBe("shift+,");
    expect(chord(press(":", { shiftKey: true, code: "Period" }))).toBe("shift+.");
    expect(chord(press(",", { code: "KeyM" }))).toBe(",");
  });
  it("of another alphabet is that of the place on the keyboard", () => {
    expect(chord(press("ф", { code: "KeyA" }))).toBe("a");
    expect(chord(press("ς", { code: "KeyW" }))).toBe("w");
  });
  it("of a digit is the digit, also where it needs shift", () => {
    expect(chord(press("3", { code: "Digit3" }))).toBe("3");
    expect(chord(press("é", { code: "Digit2" }))).toBe("2");
    expect(chord(press("5", { code: "Numpad5" }))).toBe("5");
  });
  it("is shown short", () => {
    expect(["shift+Enter", "mod+z", "alt+ArrowUp", "Space"].map(shownChord)).toEqual([
      "⇧↵",
      "^z",
      "alt ↑",
      "space",
    ]);
  });
});

describe("keys in the view", () => {
  const act = (
    keys: string[],
    more: Partial<Act> = {},
  ): Act & { run: ReturnType<typeof vi.fn<() => void>> } => ({
    id: keys[0] ?? "",
    group: "Play",
    name: "",
    label: "",
    keys,
    icon: "play",
    edits: false,
    repeats: false,
    hindered: () => "",
    ...more,
    run: vi.fn<() => void>(),
  });
  const open = () => {
    const root = document.createElement("div");
    root.tabIndex = 0;
    root.innerHTML = '<button type="button">b</button><input type="text"><input type="checkbox">';
    document.body.replaceChildren(root);
    const acts = [act(["a"]), act(["Space"]), act(["ArrowDown"], { repeats: true }), act(["Escape"])];
    const close = listen(root, acts, (each) => each.run());
    const outside = vi.fn<(event: Event) => void>();
    document.body.addEventListener("keydown", outside);
    const [button, input] = [root.querySelector("button"), root.querySelector("input")];
    if (!button || !input) throw new Error("nothing there");
    return { root, acts, outside, button, input, close };
  };

  it("do what they are for, and come to nobody else", () => {
    const { root, acts, outside } = open();
    const event = press("a");
    root.dispatchEvent(event);
    expect(acts[0]?.run).toHaveBeenCalledOnce();
    expect(event.defaultPrevented).toBe(true);
    root.dispatchEvent(press("q"));
    expect(outside).not.toHaveBeenCalled();
  });
  it("that are held do it once, but for those that may be held", () => {
    const { root, acts } = open();
    root.dispatchEvent(press("a", { repeat: true }));
    root.dispatchEvent(press("ArrowDown", { repeat: true }));
    expect(acts[0]?.run).not.toHaveBeenCalled();
    expect(acts[2]?.run).toHaveBeenCalledOnce();
  });
  it("are letters in a line of text, but for Escape", () => {
    const { input, acts, outside } = open();
    const event = press("a");
    input.dispatchEvent(event);
    input.dispatchEvent(press("Escape"));
    expect(acts[0]?.run).not.toHaveBeenCalled();
    expect(event.defaultPrevented).toBe(false);
    expect(acts[3]?.run).toHaveBeenCalledOnce();
    expect(outside).not.toHaveBeenCalled();
  });
  it("press a button that has the focus with space, and are keys otherwise", () => {
    const { button, acts } = open();
    const space = press(" ");
    button.dispatchEvent(space);
    button.dispatchEvent(press("a"));
    expect(acts[1]?.run).not.toHaveBeenCalled();
    expect(space.defaultPrevented).toBe(false);
    expect(acts[0]?.run).toHaveBeenCalledOnce();
  });
  it("select nothing of the page, but all of a line of text", () => {
    const { root, input, acts } = open();
    const [page, line] = [press("a", { ctrlKey: true }), press("a", { ctrlKey: true })];
    root.dispatchEvent(page);
    input.dispatchEvent(line);
    expect([page.defaultPrevented, line.defaultPrevented]).toEqual([true, false]);
    expect(acts[0]?.run).not.toHaveBeenCalled();
  });
  it("leave what is composed alone", () => {
    const { root, acts } = open();
    root.dispatchEvent(press("a", { isComposing: true }));
    expect(acts[0]?.run).not.toHaveBeenCalled();
  });
  it("mark what gets the focus, so that Jupyter leaves it alone", () => {
    const { button, root } = open();
    button.focus();
    root.focus();
    expect(button.dataset.lmSuppressShortcuts).toBe("true");
    expect(root.dataset.lmSuppressShortcuts).toBe("true");
  });
  it("are nobody's after the view was closed", () => {
    const { root, acts, close, outside } = open();
    close();
    root.dispatchEvent(press("a"));
    expect(acts[0]?.run).not.toHaveBeenCalled();
    expect(outside).toHaveBeenCalledOnce();
  });
});
