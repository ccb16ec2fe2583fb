/**
 * Makes attempts wait, each for the same time. When too many wait, the one that has waited longest continues at once:
 * none is refused, and neither memory nor waiting grows.
 */
export class WaitingRoom {
  readonly #waitMs: number;
  readonly #maxWaiting: number;
  /** How to let each continue, in the order in which they came. */
  readonly #waiting = new Set<() => void>();

  constructor({ waitMs, maxWaiting }: { waitMs: number; maxWaiting: number }) {
    this.#waitMs = waitMs;
    this.#maxWaiting = maxWaiting;
  }

  get size(): number {
    return this.#waiting.size;
  }

  wait(): Promise<void> {
    const [longest] = this.#waiting;
    if (longest && this.#waiting.size >= this.#maxWaiting) longest();
    return new Promise((resolve) => {
      const release = () => {
        clearTimeout(timer);
        this.#waiting.delete(release);
        resolve();
      };
      const timer = setTimeout(release, this.#waitMs);
      this.#waiting.add(release);
    });
  }
}
