/** The colours of the place the view is in, as a canvas takes them, and word of their change. */

export type Colour = "bg" | "panel" | "text" | "dim" | "border" | "accent" | "green" | "red";

export class Theme {
  #root: HTMLElement;
  #probe: HTMLElement;
  #tint: HTMLElement;
  #known = new Map<Colour, string>();
  #quiet: (() => void)[] = [];

  constructor(root: HTMLElement, changed: () => void) {
    this.#root = root;
    this.#probe = document.createElement("span");
    this.#probe.hidden = true;
    this.#probe.className = "cb-probe";
    // It changes its colours with the theme's and tells of it, however and whenever these come.
    this.#tint = document.createElement("span");
    this.#tint.className = "cb-tint";
    this.#tint.setAttribute("aria-hidden", "true");
    root.append(this.#probe, this.#tint);
    let due = 0;
    const look = (): void => {
      if (due) return;
      due = requestAnimationFrame(() => {
        due = 0;
        this.settle();
        changed();
      });
    };
    const watch = new MutationObserver(look);
    const attributes = { attributeFilter: ["class", "style", "data-jp-theme-name", "data-jp-theme-light"] };
    watch.observe(document.body, { attributes: true, ...attributes });
    watch.observe(document.documentElement, { attributes: true, ...attributes });
    for (const what of ["transitionrun", "transitionend"]) this.#tint.addEventListener(what, look);
    // A style sheet may come while the view is not on the page, where nothing changes by and by.
    document.addEventListener("load", look, true);
    const size = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(look);
    size?.observe(root);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", look);
    this.#quiet.push(
      () => watch.disconnect(),
      () => document.removeEventListener("load", look, true),
      () => size?.disconnect(),
      () => dark.removeEventListener("change", look),
      () => cancelAnimationFrame(due),
    );
  }

  /** Reads the colours anew, and tells the style sheet whether it is dark here. */
  settle(): void {
    this.#known.clear();
    const [red = 255, green = 255, blue = 255] = (this.colour("bg").match(/[\d.]+/g) ?? []).map(Number);
    const scheme = red * 0.3 + green * 0.59 + blue * 0.11 < 128 ? "dark" : "light";
    if (this.#root.dataset.scheme !== scheme) {
      this.#root.dataset.scheme = scheme;
      this.#known.clear();
    }
  }

  colour(name: Colour): string {
    let known = this.#known.get(name);
    if (known === undefined) {
      this.#probe.style.color = `var(--cb-${name})`;
      known = getComputedStyle(this.#probe).color;
      this.#known.set(name, known);
    }
    return known;
  }

  destroy(): void {
    for (const quiet of this.#quiet) quiet();
    this.#probe.remove();
    this.#tint.remove();
  }
}
