// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createTranscript } from "../src/transcript";
import type { Part } from "../src/types";
import { board, FakeDesk, range, take, words } from "./fakedesk";

const SAID = ["one", "two", "<three>", "four", "five", "six", "seven", "eight"];
let desk: FakeDesk;
let part: Part;

const spans = (name = "A") => [...desk.root.querySelectorAll(`[data-take="${name}"] .cb-said > span`)];
const texts = (selector: string) => [...desk.root.querySelectorAll(selector)].map((each) => each.textContent);
const page = () => desk.root.querySelector(".cb-page") as HTMLElement;
const press = (key: string, more: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  page().dispatchEvent(event);
  return event;
};
const mouse = (type: string, element: Element | undefined, more: PointerEventInit = {}) =>
  element?.dispatchEvent(
    new PointerEvent(type, { bubbles: true, button: 0, buttons: 1, pointerId: 1, ...more }),
  );
const click = (element: Element | undefined, more: PointerEventInit = {}) => {
  mouse("pointerdown", element, more);
  mouse("pointerup", element, more);
};

beforeEach(() => {
  // There is no layout here, so nothing ever comes into sight.
  vi.stubGlobal("IntersectionObserver", undefined);
  const takes = [take("A", { words: 8 }), take("B", { words: 2 }), take("C", { words: 1 })];
  const list = [
    range("b", "B", 0, 30, { words: [1, 2] }),
    range("a", "A", 0, 45, { words: [1, 3] }),
    range("r", "A", 60, 90, { words: [5, 6], status: "rejected" }),
  ];
  desk = new FakeDesk(board(takes, list));
  document.body.replaceChildren(desk.root);
  desk.spoken.set(
    "A",
    words("A", SAID, { paragraphs: [0, 4], speakers: ["Mia", "Theo"], kind: [0, 0, 0, 1, 0, 0, 0, 2] }),
  );
  desk.spoken.set("B", words("B", ["剪", "辑"], { joined: [0, 1] }));
  desk.spoken.set("C", words("C", ["left"]));
  part = createTranscript(desk, desk.root);
});

describe("the transcript", () => {
  it("shows the takes of the cut list in its order, each paragraph with its time and who speaks", () => {
    expect(texts("h4")).toEqual(["B", "A"]);
    expect(texts(".cb-more summary")).toEqual(["1 take that is not in the film"]);
    expect(texts(".cb-gutter")).toEqual(["00:00", "00:00", "00:02"]);
    expect(texts(".cb-speaker")).toEqual(["Mia", "Theo"]);
    expect(texts(".cb-said")).toEqual(["剪辑", "one two <three> four", "five six seven eight"]);
  });

  it("strikes what is not in the film, and what was rejected in another colour", () => {
    expect(spans().map((span) => span.className)).toEqual([
      "",
      "",
      "",
      "cut filler",
      "cut no",
      "cut no",
      "cut",
      "cut event",
    ]);
  });

  it("touches only the words that a change is about", () => {
    const changed: string[] = [];
    const watch = new MutationObserver((all) => {
      for (const { target } of all) changed.push((target as Element).textContent ?? "");
    });
    watch.observe(page(), { subtree: true, childList: true, attributes: true, characterData: true });
    const list = desk.board.ranges.map((each) =>
      each.id === "a" ? { ...each, words: [1, 2] as const } : each,
    );
    desk.show({ ...desk.board, ranges: list });
    for (const { target } of watch.takeRecords()) changed.push((target as Element).textContent ?? "");
    expect(changed).toEqual(["<three>"]);
    expect(spans()[2]?.className).toBe("cut");
  });

  it("lights the word that is said, and the range that is current", () => {
    desk.go({ range: "a", take: "A", frame: 16 });
    expect(texts(".now")).toEqual(["two"]);
    expect(texts(".here")).toEqual(["one", "two", "<three>"]);
    desk.go({ take: "A", frame: 31 });
    expect(texts(".now")).toEqual(["<three>"]);
  });

  it("shows a take that is not in the film on demand", () => {
    (desk.root.querySelector(".cb-more button") as HTMLElement).click();
    expect(texts(".cb-take h4")).toEqual(["B", "A", "C"]);
    expect(spans("C").map((span) => span.className)).toEqual(["cut"]);
    expect(desk.root.querySelector(".cb-more summary")).toBe(null);
  });

  it("folds takes that are not in the film where they are many, and asks for no words of theirs", () => {
    const asked: string[] = [];
    const words = desk.words.bind(desk);
    desk.words = (name) => {
      asked.push(name);
      return words(name);
    };
    const more = ["D", "E", "F", "G"].map((name) => take(name, { words: 3 }));
    const takes = { ...desk.board.takes, ...Object.fromEntries(more.map((each) => [each.name, each])) };
    const fold = () => desk.root.querySelector<HTMLDetailsElement>(".cb-more details");
    expect(fold()?.open).toBe(true);
    part.destroy();
    desk.board = { ...desk.board, takes };
    part = createTranscript(desk, desk.root);
    expect(texts(".cb-more summary")).toEqual(["5 takes that are not in the film"]);
    expect(fold()?.open).toBe(false);
    expect(asked).not.toContain("C");
  });

  it("shows words that come later", () => {
    part.destroy();
    desk.spoken.delete("A");
    part = createTranscript(desk, desk.root);
    expect(texts('[data-take="A"] .cb-body')).toEqual(["Reading the words…"]);
    desk.spoken.set("A", words("A", ["late"]));
    desk.tell("words");
    expect(texts('[data-take="A"] .cb-said')).toEqual(["late"]);
  });

  it("leaves nothing behind", () => {
    part.destroy();
    expect(desk.root.childElementCount).toBe(0);
    desk.show(desk.board);
  });
});

describe("a word that is clicked", () => {
  it("moves the playhead to its first frame, in the range that shows it", () => {
    click(spans()[2]);
    expect(desk.playhead).toMatchObject({ range: "a", take: "A", frame: 30 });
    click(spans()[6]);
    expect(desk.playhead).toMatchObject({ range: "r", take: "A", frame: 90 });
  });

  it("with shift is the end of a selection from the word that is said", () => {
    click(spans()[1]);
    click(spans()[3], { shiftKey: true });
    expect(desk.picked).toEqual({ take: "A", words: [2, 4] });
    expect(texts(".picked")).toEqual(["two", "<three>", "four"]);
  });
});

describe("the caret", () => {
  it("goes by words, and takes the playhead along", () => {
    click(spans()[0]);
    expect(press("ArrowRight").defaultPrevented).toBe(true);
    expect(texts(".caret")).toEqual(["two"]);
    expect(desk.playhead.frame).toBe(15);
    press("End");
    expect(texts(".caret")).toEqual(["four"]);
    press("Home");
    expect(texts(".caret")).toEqual(["one"]);
    press("ArrowLeft");
    expect(texts(".caret")).toEqual(["one"]);
  });

  it("selects with shift, back and forth", () => {
    click(spans()[1]);
    press("ArrowRight", { shiftKey: true });
    press("ArrowRight", { shiftKey: true });
    press("ArrowLeft", { shiftKey: true });
    expect(desk.picked).toEqual({ take: "A", words: [2, 3] });
    expect(press("Escape").defaultPrevented).toBe(true);
    expect(desk.picked).toBe(null);
    expect(press("Escape").defaultPrevented).toBe(false);
  });

  it("cuts with Delete, and puts back what is cut", () => {
    click(spans()[1]);
    press("ArrowRight", { shiftKey: true });
    press("ArrowRight", { shiftKey: true });
    press("Delete");
    expect(desk.done).toEqual([{ verb: "cut", range: "a", words: [2, 3] }]);
    desk.pick(null);
    click(spans()[6]);
    press("Backspace");
    expect(desk.done.at(-1)).toEqual({ verb: "restore", take: "A", words: [7, 7] });
  });

  it("leaves other keys to the view", () => {
    click(spans()[1]);
    expect(["a", " ", "Enter", "j"].map((key) => press(key).defaultPrevented)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(press("ArrowRight", { altKey: true }).defaultPrevented).toBe(false);
  });

  it("says what it is on", () => {
    click(spans()[2]);
    press("ArrowRight");
    expect(texts(".cb-unseen")).toEqual(["four, cut"]);
  });
});

describe("the focus", () => {
  const focus = () => page().dispatchEvent(new FocusEvent("focus"));
  it("that comes by key begins at the playhead, not at what was selected once", () => {
    click(spans()[1]);
    press("ArrowRight", { shiftKey: true });
    desk.pick(null);
    desk.go({ range: "r", take: "A", frame: 60 });
    focus();
    expect(texts(".caret")).toEqual(["five"]);
    press("ArrowRight", { shiftKey: true });
    expect(desk.picked).toEqual({ take: "A", words: [5, 6] });
  });

  it("follows a playhead that is moved while the caret stands elsewhere", () => {
    click(spans()[1]);
    desk.go({ range: "r", take: "A", frame: 60 });
    press("ArrowRight");
    expect(texts(".caret")).toEqual(["six"]);
  });

  it("says no longer that words are picked when they are not", () => {
    click(spans()[1]);
    press("ArrowRight", { shiftKey: true });
    expect(texts(".cb-unseen")).toEqual(["two <three>, picked"]);
    desk.pick(null);
    expect(texts(".cb-unseen")).toEqual([""]);
  });
});

it("what was cut, and from where, is said", () => {
  click(spans()[1]);
  press("ArrowRight", { shiftKey: true });
  press("Delete");
  expect(desk.said).toEqual(["cut “two <three>” out of 2"]);
  desk.pick({ take: "A", words: [7, 7] });
  press("Delete");
  expect(desk.said.at(-1)).toBe("put “seven” back");
});

it.each([
  ["clip", {}, "No transcript yet: %transcribe clip makes one"],
  ["clip one", {}, 'No transcript yet: %transcribe "clip one" makes one'],
  ['the "one"', {}, "No transcript yet: %transcribe 'the \"one\"' makes one"],
  ["C0110", { sound: false }, "C0110 has no sound"],
  ["gone", { sound: false, stamp: "" }, "The file of gone is not the one that was cut"],
])("a take without words says why: %s", (name, more, said) => {
  part.destroy();
  desk.board = board([take(name, more)], [range("x", name, 0, 10)]);
  part = createTranscript(desk, desk.root);
  expect(texts(".cb-body")).toEqual([said]);
});
