/** Buttons that show more or less of a take. */

const BUTTONS = [
  ["Show less of the take", "+", 0.5],
  ["Show more of the take", "−", 2],
  ["Show the range", "⤢", 0],
] as const;

/** Makes them; `zoom` is told how many times as much is to be shown, 0 for the range as it was. */
export function zoomButtons(zoom: (factor: number) => void): HTMLElement {
  const box = document.createElement("div");
  box.className = "cb-zoom";
  for (const [name, sign, factor] of BUTTONS) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.title = name;
    button.setAttribute("aria-label", name);
    // A press must not take the focus from where the keys are.
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => zoom(factor));
    box.append(button);
  }
  return box;
}
