/** Takes that could be shown as well, as buttons beneath the transcript. */

const KNOWN = new WeakMap<Element, string>();

/** Offers takes in a box, unless it offers these already. */
export function offered(box: HTMLElement, takes: readonly string[], open: (take: string) => void): void {
  const names = takes.join("\n");
  if (KNOWN.get(box) === names) return;
  KNOWN.set(box, names);
  box.replaceChildren();
  if (!takes.length) return;
  const title = document.createElement("h4");
  title.textContent = "Takes that are not in the film";
  box.append(title);
  for (const take of takes) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = take;
    button.setAttribute("aria-label", `Show the words of ${take}`);
    // A press must not take the focus from where the keys are.
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => open(take));
    box.append(button);
  }
}
