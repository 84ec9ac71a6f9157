/** The cut review's view, as anywidget loads it. */
import { Bench } from "./desk";
import type { Model } from "./link";
import { createPlayer } from "./player";
import { pulseOf } from "./pulse";
import { createStrip } from "./strip";
import { createTranscript } from "./transcript";

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const root = document.createElement("div");
  root.className = "cb-root";
  el.append(root);
  const desk = new Bench(root, model, pulseOf(model));
  const box = (name: string): HTMLElement => {
    const made = document.createElement("div");
    made.className = name;
    root.append(made);
    return made;
  };
  const player = createPlayer(desk, box("cb-player"));
  const parts = [createTranscript(desk, box("cb-transcript")), createStrip(desk, box("cb-strip"))];
  desk.open();
  return () => {
    player.destroy();
    for (const part of parts) part.destroy();
    desk.close();
    root.remove();
  };
}

export default { render };
