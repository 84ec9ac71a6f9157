/** The view without Jupyter: `?cuts=40&words=en&theme=dark`. What the page shows is in `window.review`. */
import view from "../src/index";
import { FakeKernel, type Pictures } from "./fake";
import { type Language, material } from "./material";

const asked = new URLSearchParams(location.search);
const cuts = Number(asked.get("cuts") ?? 40);
const language = (asked.get("words") ?? "en") as Language;
const words = asked.get("count");
document.body.dataset.jpThemeLight = String(asked.get("theme") !== "dark");
document.body.className = asked.get("theme") === "dark" ? "dark" : "light";
if (asked.get("bare") !== null) document.body.className = "";

const pictures: Pictures = {
  async jpeg(take, frames, width, height) {
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const paint = canvas.getContext("2d");
    if (!paint) throw new Error("no canvas");
    const wide = width / frames.length;
    const tint = [...take].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 360;
    for (const [column, frame] of frames.entries()) {
      const x = column * wide;
      const sky = paint.createLinearGradient(x, 0, x + wide, height);
      sky.addColorStop(0, `hsl(${tint} 22% 34%)`);
      sky.addColorStop(1, `hsl(${tint + 30} 26% 16%)`);
      paint.fillStyle = sky;
      paint.fillRect(x, 0, wide, height);
      const sway = Math.sin(frame / 40) * wide * 0.03;
      paint.fillStyle = "hsl(24 32% 62%)";
      paint.beginPath();
      paint.ellipse(x + wide / 2 + sway, height * 0.42, height * 0.15, height * 0.2, 0, 0, 7);
      paint.fill();
      paint.fillStyle = `hsl(${tint + 160} 20% 30%)`;
      paint.beginPath();
      paint.ellipse(x + wide / 2 + sway * 0.6, height * 1.02, height * 0.38, height * 0.38, 0, 0, 7);
      paint.fill();
    }
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", 0.8));
    if (!blob) throw new Error("no picture");
    return new Uint8Array(await blob.arrayBuffer());
  },
};

const kernel = new FakeKernel(material(cuts, language, words ? Number(words) : undefined), { pictures });
// The pulse is read as it is in Jupyter: a kernel with a status and a signal.
const slots = new Set<(sender: unknown, status: string) => void>();
kernel.on((health) => {
  for (const slot of slots) slot(null, health);
});
const signal = {
  connect: (slot: (sender: unknown, status: string) => void) => slots.add(slot),
  disconnect: (slot: (sender: unknown, status: string) => void) => slots.delete(slot),
};
const STATUS = { idle: "idle", busy: "busy", dead: "dead", away: "restarting", unknown: "" } as const;
const model = Object.assign(kernel, {
  widget_manager: {
    kernel: {
      get status() {
        return STATUS[kernel.health];
      },
      connectionStatus: "connected",
      statusChanged: signal,
    },
  },
});

const el = document.getElementById("output");
if (!el) throw new Error("no place for it");
const began = performance.now();
const close = view.render({ model, el });
requestAnimationFrame(() => {
  performance.measure("painted", { start: began });
});
Object.assign(window, { review: { kernel, close, began } });
