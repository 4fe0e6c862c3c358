/** Wakes one who waits; a call while nobody waits counts for the next wait. */
export class Wake {
  #called = false;
  #waiting: (() => void) | null = null;

  up(): void {
    this.#called = true;
    this.#waiting?.();
  }

  /** Resolves at the next call, or when the signal is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    if (!this.#called && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    this.#waiting = null;
    this.#called = false;
  }
}
