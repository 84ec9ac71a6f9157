/** The kernel's state, read from the widget manager of JupyterLab and Notebook; elsewhere it is unknown. */
import type { Health, Model, Pulse } from "./link";

interface Signal {
  connect(slot: (sender: unknown, status: string) => void): unknown;
  disconnect(slot: (sender: unknown, status: string) => void): unknown;
}
interface Kernel {
  readonly status?: string;
  readonly connectionStatus?: string;
  readonly statusChanged?: Signal;
  readonly connectionStatusChanged?: Signal;
  readonly disposed?: Signal;
}

const signals = (kernel: Kernel | null) =>
  [kernel?.statusChanged, kernel?.connectionStatusChanged, kernel?.disposed] as const;

const HEALTH: Readonly<Record<string, Health>> = {
  idle: "idle",
  busy: "busy",
  dead: "dead",
  terminating: "dead",
  restarting: "away",
  autorestarting: "away",
  starting: "away",
};

export function pulseOf(model: Model): Pulse {
  const kernel = (): Kernel | null =>
    (model.widget_manager as { kernel?: Kernel | null } | undefined)?.kernel ?? null;
  let met = false;
  const health = (): Health => {
    const now = kernel();
    met ||= now !== null;
    // A kernel that was shut down is taken away; where there never was one, the front end does not tell.
    if (!now) return met ? "dead" : "unknown";
    if (now.connectionStatus === "disconnected") return "dead";
    if (now.connectionStatus === "connecting") return "away";
    return HEALTH[now.status ?? ""] ?? "unknown";
  };
  return {
    get health() {
      return health();
    },
    on(then) {
      let watched: Kernel | null = null;
      const leave = (): void => {
        for (const signal of signals(watched)) signal?.disconnect(told);
      };
      // A restart may put another kernel in the place of the one that was.
      const watch = (): void => {
        const now = kernel();
        if (now === watched) return;
        leave();
        watched = now;
        met ||= now !== null;
        for (const signal of signals(now)) signal?.connect(told);
      };
      const told = (): void => {
        watch();
        then(health());
      };
      watch();
      return leave;
    },
  };
}
