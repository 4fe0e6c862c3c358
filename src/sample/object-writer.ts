import type { LoopClock } from './sample-loop.ts';
import type { SampleWriter } from './sample-writer.ts';

/** One object in a storage; replaced as a whole. */
export type PutObject = (body: Uint8Array, signal: AbortSignal) => Promise<void>;

export interface ObjectParts {
  /** The staging file, which keeps the lines. */
  readonly stage: SampleWriter;
  readonly read: () => Uint8Array;
  readonly put: PutObject;
  /** Between the beginnings of two uploads. */
  readonly uploadSeconds: number;
  readonly clock: LoopClock;
  /** Hears of the first upload that failed, and of no other. */
  readonly onFailed: (cause: unknown) => void;
}

/** An upload that takes longer is given up; the next one has all the lines anyway. */
const uploadMs = 60_000;

/** Appends to the staging file, and uploads the whole of it every `uploadSeconds` and at the end. The first line goes at once. */
export class ObjectWriter implements SampleWriter {
  readonly #parts: ObjectParts;
  /** There are lines that no upload has had. */
  #isNew = false;
  #isGoing = false;
  #isOver = false;
  #upload: Promise<void> = Promise.resolve();
  #told = false;

  constructor(parts: ObjectParts) {
    this.#parts = parts;
  }

  async write(line: string): Promise<void> {
    await this.#parts.stage.write(line);
    this.#isNew = true;
    if (!this.#isGoing) void this.#uploadWhileNew();
  }

  async close(): Promise<void> {
    this.#isOver = true;
    // One that is under way may lack the last lines.
    await this.#upload;
    if (this.#isNew) await this.#uploadAll();
  }

  async #uploadWhileNew(): Promise<void> {
    const { clock, uploadSeconds } = this.#parts;
    this.#isGoing = true;
    while (this.#isNew && !this.#isOver) {
      const next = clock.now() + uploadSeconds * 1000;
      this.#upload = this.#uploadAll();
      await this.#upload;
      await clock.sleep(Math.max(0, next - clock.now()));
    }
    this.#isGoing = false;
  }

  /** Never rejects: what failed is still new, and is tried again. */
  async #uploadAll(): Promise<void> {
    this.#isNew = false;
    try {
      await this.#parts.put(this.#parts.read(), AbortSignal.timeout(uploadMs));
    } catch (cause) {
      this.#isNew = true;
      if (!this.#told) this.#parts.onFailed(cause);
      this.#told = true;
    }
  }
}
