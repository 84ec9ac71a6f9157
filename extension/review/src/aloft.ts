/** Keeps the head in sight while the page is scrolled within the view: what is said and saved stands there. */

/** Pixels of the view that are left beneath it. */
const LEFT = 80;

export function keepAloft(root: HTMLElement, head: HTMLElement): () => void {
  let scroller: Element | null = null;
  let due = 0;
  let lifted = 0;
  const look = (): void => {
    due = 0;
    const seen = Math.max(0, scroller?.getBoundingClientRect().top ?? 0);
    const { top, height } = root.getBoundingClientRect();
    const by = Math.round(Math.max(0, Math.min(seen - top, height - head.offsetHeight - LEFT)));
    if (by === lifted) return;
    lifted = by;
    head.style.transform = by ? `translateY(${by}px)` : "";
    head.classList.toggle("cb-aloft", by > 0);
  };
  const soon = (): void => {
    due ||= requestAnimationFrame(look);
  };
  const scrolled = (event: Event): void => {
    const { target } = event;
    if (target instanceof Element && target.contains(root)) scroller = target;
    else if (target !== root.ownerDocument) return;
    soon();
  };
  document.addEventListener("scroll", scrolled, { capture: true, passive: true });
  window.addEventListener("resize", soon);
  return () => {
    cancelAnimationFrame(due);
    document.removeEventListener("scroll", scrolled, { capture: true });
    window.removeEventListener("resize", soon);
  };
}
