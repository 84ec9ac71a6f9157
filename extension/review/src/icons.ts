/** Line drawings of 16 by 16, in the colour of the text around them. */

const PATHS = {
  play: "M5 3.2v9.6l8-4.8z",
  pause: "M5 3v10M11 3v10",
  halt: "M4 4h8v8H4z",
  rewind: "M8 4v8L2.5 8zM13.5 4v8L8 8z",
  forward: "M8 4v8l5.5-4zM2.5 4v8L8 8z",
  previous: "M4 3.5v9M12.5 4v8L6.5 8z",
  next: "M12 3.5v9M3.5 4v8l6-4z",
  stepback: "M10 4 6 8l4 4",
  step: "m6 4 4 4-4 4",
  open: "M8 2.5v8M4.7 7.5 8 10.8l3.3-3.3M3.5 13.5h9",
  opened: "M8 13.5v-8M4.7 8.5 8 5.2l3.3 3.3M3.5 2.5h9",
  around: "M8 2v12M2 8h3.5M10.5 8H14M4.2 6 6 8 4.2 10M11.8 6 10 8l1.8 2",
  without: "M2 8h12M5.5 5.5v5M10.5 5.5v5",
  accept: "m3 8.5 3.2 3.2L13 4.8",
  reject: "m4 4 8 8M12 4l-8 8",
  undecided: "M8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  in: "M4 3v10M13 8H7M9.5 5.5 7 8l2.5 2.5",
  out: "M12 3v10M3 8h6M6.5 5.5 9 8l-2.5 2.5",
  cut: "M4.5 6.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM4.5 13.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM6 5.5l8 5.5M6 10.5 14 5",
  split: "M8 2v12M5.5 4.5H2.5v7h3M10.5 4.5h3v7h-3",
  merge: "M2.5 4.5h4v7h-4M13.5 4.5h-4v7h4M6.5 8h3",
  takes: "M5 5h8.5v6.5H5zM2.5 9V2.5H11",
  up: "M8 13V3.5M4.5 7 8 3.5 11.5 7",
  down: "M8 3v9.5M4.5 9 8 12.5 11.5 9",
  undo: "M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6",
  redo: "m10.5 3 3 3-3 3M13.5 6H6a3.5 3.5 0 0 0 0 7h4",
  why: "M5.5 6a2.5 2.5 0 1 1 3.8 2.1c-.8.5-1.3 1-1.3 1.9M8 12.8h.01",
  note: "M3 3h10v7l-3 3H3zM10 13v-3h3",
  filter: "M2.5 4h11M4.5 8h7M6.5 12h3",
  compare: "M2.5 3.5h4.5v9H2.5zM9 3.5h4.5v9H9z",
  keys: "M2 4.5h12v7.5H2zM4.5 7h.01M7 7h.01M9.5 7h.01M11.7 7h.01M5 9.7h6",
  leave: "M6.5 3.5H3v9h3.5M6.5 8H14M11 5l3 3-3 3",
  close: "m4.5 4.5 7 7M11.5 4.5l-7 7",
} as const;

export type Icon = keyof typeof PATHS;

const SPACE = "http://www.w3.org/2000/svg";
const FILLED = new Set<Icon>(["undecided", "play", "halt", "rewind", "forward"]);

export function icon(name: Icon): SVGSVGElement {
  const drawing = document.createElementNS(SPACE, "svg");
  drawing.setAttribute("viewBox", "0 0 16 16");
  drawing.setAttribute("aria-hidden", "true");
  drawing.setAttribute("class", FILLED.has(name) ? "cb-icon cb-filled" : "cb-icon");
  const path = document.createElementNS(SPACE, "path");
  path.setAttribute("d", PATHS[name]);
  drawing.append(path);
  return drawing;
}
