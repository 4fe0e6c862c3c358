import { s3Storage, type ObjectStorage } from '../objects/object-storage.ts';
import type { Millis, RunId } from '../units/brands.ts';
import type { ObjectAddress } from '../units/object-address.ts';
import { Signal } from './signal.ts';

const firstAgainMs = 2000;
const lastAgainMs = 300_000;

/** Why logs cannot be moved. */
export interface MovingTrouble {
  readonly why: string;
  readonly since: Millis;
  /** Where they go, which may be where an earlier setting said; left out: not known. */
  readonly to?: string;
}

/** Logs of starts that are over, on their way to an object storage. */
export class LogMoving {
  /** Where the logs of new starts go; null: they stay on this machine. */
  readonly to: ObjectAddress | null;
  /** Names the store, so that no two keep their logs in one place; null: none of its logs ever went elsewhere, as far as is known. */
  storeId: string | null = null;
  /** Runs of which something may have to be moved, in their turn, and from when on. */
  readonly waiting = new Map<RunId, Millis>();
  readonly active = new Map<RunId, { readonly stop: AbortController; readonly done: Promise<void> }>();
  trouble: MovingTrouble | null = null;
  /** Ends the wait before the next try. */
  cancelAgain: (() => void) | null = null;
  /** Somebody waits for a run's turn that has not come yet. */
  isExpecting = false;
  /** Places that are known to be this store's. */
  readonly ours = new Set<string>();
  /** Until when nothing is asked of a storage that could not delete something, and why it could not. */
  resting: { readonly until: Millis; readonly why: string } | null = null;
  /** One run less is on its way, or something went wrong. */
  readonly stepped = new Signal();
  #againMs = firstAgainMs;
  readonly #storages = new Map<string, ObjectStorage>();

  constructor(to: ObjectAddress | null) {
    this.to = to;
  }

  /** Whether any log goes, or ever went, elsewhere. */
  get on(): boolean {
    return this.to !== null || this.storeId !== null;
  }

  /** Something is being moved, or about to be. */
  get busy(): boolean {
    return this.trouble === null && this.waiting.size + this.active.size > 0;
  }

  storage(bucket: string, env: Readonly<Record<string, string | undefined>>): ObjectStorage {
    const storage = this.#storages.get(bucket) ?? s3Storage(bucket, env);
    this.#storages.set(bucket, storage);
    return storage;
  }

  /** How long to wait this time; longer each time. */
  takeAgainMs(): number {
    const ms = this.#againMs;
    this.#againMs = Math.min(2 * ms, lastAgainMs);
    return ms;
  }

  /** A storage took something. */
  succeeded(): void {
    this.trouble = null;
    this.#againMs = firstAgainMs;
  }

  /** Resolves once nothing is on its way, or it cannot be moved now. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.stepped.listen(() => check());
      const check = (): void => {
        if (this.busy) return;
        stop();
        resolve();
      };
      check();
    });
  }
}
