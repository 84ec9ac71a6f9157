/**
 * The sound of all players of a page goes through one device that stays open: starting one for each element takes a
 * browser up to a tenth of a second, and that would be heard at every cut.
 */

const NAME = Symbol.for("cutbook.review.sound");
/** Milliseconds a browser may take to open it; without a press of the person's it never does. */
const PATIENCE = 400;
/** Milliseconds without any playing after which it is closed down. */
const REST = 8000;
/** Seconds in which a sound comes or goes, so that no cut clicks. */
const RAMP = 0.002;

class Device {
  private context: AudioContext | null = null;
  private rest = 0;
  private player: (() => void) | null = null;

  /** Lets one player play: the one that did is stopped. */
  claim(stop: () => void): void {
    const { player } = this;
    this.player = stop;
    if (player !== stop) player?.();
  }

  /** Opens it; whether it runs. */
  async wake(): Promise<boolean> {
    window.clearTimeout(this.rest);
    if (typeof AudioContext === "undefined") return false;
    this.context ??= new AudioContext({ latencyHint: "interactive" });
    const { context } = this;
    if (context.state !== "running") {
      await Promise.race([
        context.resume().catch(() => {}),
        new Promise((late) => window.setTimeout(late, PATIENCE)),
      ]);
    }
    return (context.state as string) === "running";
  }

  get running(): boolean {
    return this.context?.state === "running";
  }

  sleep(): void {
    window.clearTimeout(this.rest);
    this.rest = window.setTimeout(() => void this.context?.suspend().catch(() => {}), REST);
  }

  wire(video: HTMLVideoElement): GainNode | null {
    if (!this.context) return null;
    const gain = this.context.createGain();
    gain.gain.value = 0;
    this.context.createMediaElementSource(video).connect(gain).connect(this.context.destination);
    return gain;
  }
}

export function pageSound(): Device {
  const page = globalThis as { [NAME]?: Device };
  page[NAME] ??= new Device();
  return page[NAME];
}

/** The sound of one element, on its own until it is wired to the device. */
export class Sound {
  private gain: GainNode | null = null;

  constructor(
    private readonly video: HTMLVideoElement,
    private readonly device = pageSound(),
  ) {}

  /** Wires it where the device runs: an element that is wired to one that does not run stands still. */
  wire(): void {
    if (!this.gain && this.device.running) this.gain = this.device.wire(this.video);
  }

  set on(on: boolean) {
    if (!this.gain) {
      this.video.muted = !on;
      return;
    }
    const { gain, context } = this.gain;
    this.video.muted = false;
    gain.cancelScheduledValues(context.currentTime);
    gain.setTargetAtTime(on ? 1 : 0, context.currentTime, RAMP / 2);
  }

  destroy(): void {
    this.gain?.disconnect();
  }
}
