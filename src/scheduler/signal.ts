/** A happening without a content that several may listen to. */
export class Signal {
  readonly #listeners = new Set<() => void>();

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  raise(): void {
    for (const listener of this.#listeners) listener();
  }
}
