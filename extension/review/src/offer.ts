/** Takes that could be shown as well, as buttons beneath the transcript: folded where they are many. */

const KNOWN = new WeakMap<Element, string>();
/** So many are shown without a press. */
const OPEN = 4;

/** Offers takes in a box, unless it offers these already. */
export function offered(box: HTMLElement, takes: readonly string[], open: (take: string) => void): void {
  const names = takes.join("\n");
  if (KNOWN.get(box) === names) return;
  const was = box.querySelector("details")?.open;
  KNOWN.set(box, names);
  box.replaceChildren();
  if (!takes.length) return;
  const fold = document.createElement("details");
  fold.open = was ?? takes.length <= OPEN;
  const title = document.createElement("summary");
  title.textContent =
    takes.length === 1 ? "1 take that is not in the film" : `${takes.length} takes that are not in the film`;
  // A press must not take the focus from where the keys are.
  title.addEventListener("mousedown", (event) => event.preventDefault());
  fold.append(title);
  for (const take of takes) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = take;
    button.setAttribute("aria-label", `Show the words of ${take}`);
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => open(take));
    fold.append(button);
  }
  box.append(fold);
}
