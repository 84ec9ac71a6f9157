/** The way to the kernel: changes and questions go out, each is acknowledged, and what waits is known. */
import { isNew, named, renamed } from "./fold";
import type { Board, Change, Clip, FromKernel, Question, Questions, Reply, Saving, ToKernel } from "./types";
import type { Missed } from "./unsaved";

/** What anywidget gives a view, as far as it is used here. */
export interface Model {
  send(content: unknown, callbacks?: unknown, buffers?: readonly ArrayBuffer[]): void;
  on(name: string, then: (content: unknown, buffers?: readonly unknown[]) => void): void;
  off(name: string, then?: (content: unknown, buffers?: readonly unknown[]) => void): void;
  readonly widget_manager?: unknown;
}

export type Health = "idle" | "busy" | "dead" | "away" | "unknown";

/** The kernel as its front end sees it, where the front end lets a view see it. */
export interface Pulse {
  readonly health: Health;
  /** Calls on each change. */
  on(then: (health: Health) => void): () => void;
}

export interface Hearing {
  board(board: Board): void;
  clip(clip: Clip): void;
  saving(): void;
  /** A change is refused, before that is said; `stale` where it is for another's. */
  refused(missed: Missed, stale: boolean): void;
  said(text: string): void;
  /** The name the kernel gave to a range that was new, null where it is not known yet. */
  resolve(id: string): string | null;
}

interface Waiting {
  readonly id: number;
  change: Change;
  readonly label: string;
  /** When it was sent last, and what the board was then. */
  sent: number | null;
  base: number;
}

interface Asked {
  readonly message: ToKernel;
  readonly done: (reply: unknown) => void;
  readonly failed: (error: Error) => void;
}

/** So long an idle kernel may owe an acknowledgement. */
export const PATIENCE = 1500;
const SHOWN_REFUSAL = 8000;

export class Link {
  readonly view: string;
  #model: Model;
  #hear: Hearing;
  #pulse: Pulse;
  #count = 0;
  #base = 0;
  #known = false;
  #waiting: Waiting[] = [];
  #asked = new Map<number, Asked>();
  #refused = "";
  #cut = false;
  /** Whether the kernel was found to know nothing of this view; it is so until it answers. */
  #lost = false;
  #greeted = 0;
  #idle = 0;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #quiet: (() => void)[] = [];
  #told: Saving = { state: "saved" };

  constructor(model: Model, pulse: Pulse, hear: Hearing, view: string = name()) {
    this.#model = model;
    this.#hear = hear;
    this.#pulse = pulse;
    this.view = view;
    const heard = (content: unknown, buffers?: readonly unknown[]): void =>
      this.#heard(content as FromKernel, buffers ?? []);
    model.on("msg:custom", heard);
    this.#quiet.push(() => model.off("msg:custom", heard));
    this.#quiet.push(pulse.on((health) => this.#beat(health)));
  }

  /** Changes that are not acknowledged, oldest first. */
  get waiting(): readonly Change[] {
    return this.#waiting.map((each) => each.change);
  }

  /** The same, as they are named. */
  get unsaved(): readonly Missed[] {
    return this.#waiting.map(({ change, label }) => ({ change, label, refused: false }));
  }

  get saving(): Saving {
    return this.#told;
  }

  /** Whether the kernel has ever answered. */
  get known(): boolean {
    return this.#known;
  }

  hello(): void {
    this.#greeted = Date.now();
    this.#send({ type: "hello", view: this.view });
    this.#later(PATIENCE);
  }

  do(change: Change, label: string = change.verb): void {
    this.#refused = "";
    this.#waiting.push({ id: ++this.#count, change, label, sent: null, base: 0 });
    this.#flush();
    this.#weigh();
  }

  ask<Q extends Question>(what: Q, argument: Questions[Q]["ask"]): Promise<Reply<Q>> {
    const id = ++this.#count;
    return new Promise<Reply<Q>>((done, failed) => {
      const message: ToKernel = { type: "ask", view: this.view, id, what, ...argument };
      this.#asked.set(id, { message, done: done as (reply: unknown) => void, failed });
      this.#send(message);
    });
  }

  bye(): void {
    this.#send({ type: "bye", view: this.view });
    for (const quiet of this.#quiet) quiet();
    for (const timer of this.#timers) clearTimeout(timer);
    for (const { failed } of this.#asked.values()) failed(new Error("the view was closed"));
    this.#asked.clear();
  }

  #send(message: ToKernel): void {
    try {
      this.#model.send(message);
    } catch {
      this.#cut = true;
    }
  }

  /** Sends what waits, in order; a change of a range that has no name yet waits for those before it. */
  #flush(): void {
    while (this.#waiting.length) {
      const place = this.#waiting.findIndex((each) => each.sent === null);
      const next = this.#waiting[place];
      if (!next) return;
      if (named(next.change).some(isNew)) {
        if (place > 0) return;
        next.change = renamed(next.change, (id) => (isNew(id) ? (this.#hear.resolve(id) ?? id) : id));
        if (named(next.change).some(isNew)) {
          this.#waiting.shift();
          this.#refuse(next, "the range that this was about is not there", false);
          continue;
        }
      }
      next.base = this.#base;
      this.#post(next);
    }
  }

  #post(change: Waiting): void {
    change.sent = Date.now();
    this.#send({ type: "do", view: this.view, id: change.id, base: change.base, change: change.change });
    this.#later(PATIENCE);
  }

  /** Sends again what may have been lost on the way; what was not is only acknowledged again. */
  #again(): void {
    for (const each of this.#waiting) if (each.sent !== null) this.#post(each);
    for (const { message } of this.#asked.values()) this.#send(message);
  }

  #refuse({ change, label }: Waiting, error: string, stale: boolean): void {
    this.#hear.refused({ change, label, refused: true }, stale);
    this.#refused = error;
    this.#hear.said(error);
    this.#later(SHOWN_REFUSAL, () => {
      this.#refused = "";
    });
  }

  #heard(message: FromKernel, buffers: readonly unknown[]): void {
    if ("view" in message && message.view !== this.view) return;
    this.#lost = false;
    switch (message.type) {
      case "board":
        this.#greeted = 0;
        this.#known = true;
        this.#take(message.board, true);
        if (this.#cut) this.#again();
        this.#cut = false;
        break;
      case "changed":
        if (message.by !== this.view) this.#take(message.board, false);
        break;
      case "ack": {
        const place = this.#waiting.findIndex((each) => each.id === message.id);
        const [known] = place < 0 ? [] : this.#waiting.splice(place, 1);
        this.#cut = false;
        if (!message.ok && known) this.#refuse(known, message.error, message.stale);
        else if (message.ok) {
          this.#refused = "";
          // What was done since has the last word.
          if (message.said && !this.#waiting.length) this.#hear.said(message.said);
        }
        this.#take(message.board, false);
        this.#flush();
        break;
      }
      case "answer": {
        const asked = this.#asked.get(message.id);
        this.#asked.delete(message.id);
        if (!message.ok) asked?.failed(new Error(message.error));
        else asked?.done(buffers[0] ? { ...message, buffer: bytes(buffers[0]) } : message);
        break;
      }
      case "clip":
        this.#hear.clip(message.clip);
        break;
    }
    this.#weigh();
  }

  #take(board: Board, anyway: boolean): void {
    if (!anyway && board.version < this.#base) return;
    this.#base = board.version;
    this.#hear.board(board);
  }

  #beat(health: Health): void {
    if (health === "away") this.#cut ||= this.#known;
    if (health === "idle") {
      this.#idle = Date.now();
      if (this.#cut) this.hello();
      this.#later(PATIENCE);
    }
    this.#weigh();
  }

  #later(delay: number, then: () => void = () => {}): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
      this.#weigh();
    }, delay + 5);
    this.#timers.add(timer);
  }

  /** Tells how what was changed stands, where that is news. */
  #weigh(): void {
    const now = this.#standing();
    if (JSON.stringify(now) === JSON.stringify(this.#told)) return;
    this.#told = now;
    this.#hear.saving();
  }

  #standing(): Saving {
    const waiting = this.#waiting.length;
    const { health } = this.#pulse;
    if (health === "dead") return { state: "dead", waiting };
    const first = this.#waiting.find((each) => each.sent !== null)?.sent ?? (this.#greeted || null);
    const owed = first !== null && Date.now() - first >= PATIENCE;
    this.#lost ||= owed && health === "idle" && Date.now() - this.#idle >= PATIENCE;
    if (this.#lost) return { state: "lost", waiting };
    if (waiting && (health === "busy" || health === "away" || owed)) return { state: "waiting", waiting };
    if (waiting) return { state: "saving", waiting };
    // Nothing is known to be saved by a kernel that has not answered since it came back.
    if (this.#cut) return { state: "waiting", waiting };
    return this.#refused ? { state: "refused", error: this.#refused } : { state: "saved" };
  }
}

function name(): string {
  return Math.random().toString(36).slice(2, 10);
}

function bytes(buffer: unknown): Uint8Array {
  if (ArrayBuffer.isView(buffer)) return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  return new Uint8Array(buffer as ArrayBuffer);
}
