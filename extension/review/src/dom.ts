/** Elements, made in one line. */

type Kinds = HTMLElementTagNameMap;

/** Makes `span.cb-dim` with attributes and children; an attribute that is undefined is left out. */
export function h<K extends keyof Kinds>(
  tag: K,
  classes = "",
  attributes: Readonly<Record<string, string | number | undefined>> = {},
  ...children: readonly (Node | string)[]
): Kinds[K] {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/** Sets text only where it is another: an untouched node is not laid out anew. */
export function text(node: Element, value: string): void {
  if (node.textContent !== value) node.textContent = value;
}

export function attribute(node: Element, name: string, value: string | null): void {
  if (value === null) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/** A button is called what is written on it; where nothing is, by its name. */
export function button(
  classes: string,
  name: string,
  then: (event: MouseEvent) => void,
  ...children: (Node | string)[]
): HTMLButtonElement {
  const made = h("button", classes, { type: "button", title: name }, ...children);
  if (!made.textContent) made.setAttribute("aria-label", name);
  made.addEventListener("click", then);
  return made;
}

/** Whether a click is the second one of two in quick succession, which few mean as one more. */
export const doubled = (event: MouseEvent): boolean => event.detail > 1;

/** A key as it is written on buttons: for the eye alone. */
export function key(shown: string): HTMLElement {
  return h("kbd", "cb-key", { "aria-hidden": "true" }, shown);
}
