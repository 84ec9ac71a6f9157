/** What is asked of the kernel once for each take, and again when the take is another or the question failed. */

/** Milliseconds after which a question that failed may be asked again. */
const AGAIN = 10_000;

interface Entry<T> {
  readonly stamp: string;
  value: T | undefined;
  known: boolean;
}

export class Asked<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  /** `told` is called when an answer is there; with `old` an answer serves until that of another stamp is. */
  constructor(
    private readonly ask: (take: string) => Promise<T>,
    private readonly told: () => void,
    private readonly old: boolean,
  ) {}

  of(take: string, stamp: string): T | undefined {
    const here = this.#entries.get(take);
    if (here?.stamp === stamp) return here.value;
    const asked: Entry<T> = { stamp, value: this.old ? here?.value : undefined, known: false };
    this.#entries.set(take, asked);
    const current = (): boolean => this.#entries.get(take) === asked;
    this.ask(take).then(
      (value) => {
        // What was told unasked since is newer.
        if (!current() || asked.known) return;
        asked.value = value;
        this.told();
      },
      () => this.#later(() => current() && this.#entries.delete(take)),
    );
    return asked.value;
  }

  /** What is known of a take, without asking. */
  known(take: string): T | undefined {
    return this.#entries.get(take)?.value;
  }

  set(take: string, stamp: string, value: T): void {
    this.#entries.set(take, { stamp, value, known: true });
    this.told();
  }

  forget(take: string): void {
    this.#entries.delete(take);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #later(forget: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      forget();
      this.told();
    }, AGAIN);
    this.#timers.add(timer);
  }
}
