import { s3Storage, type ObjectStorage } from '../objects/object-storage.ts';
import type { Millis, RunId } from '../units/brands.ts';
import type { ObjectAddress } from '../units/object-address.ts';
import { MoveHolds } from './move-holds.ts';
import { Signal } from './signal.ts';

/** Logs of starts that are over, on their way to an object storage. */
export class LogMoving {
  /** Where the logs of new starts go; null: they stay on this machine. */
  readonly to: ObjectAddress | null;
  /** Names the store, so that no two keep their logs in one place; null: none of its logs ever went elsewhere, as far as is known. */
  storeId: string | null = null;
  /** Runs of which something may have to be moved, in their turn, and from when on. */
  readonly waiting = new Map<RunId, Millis>();
  readonly active = new Map<RunId, { readonly stop: AbortController; readonly done: Promise<void> }>();
  readonly holds = new MoveHolds();
  /** Somebody waits for a run's turn that has not come yet. */
  isExpecting = false;
  /** Places that are known to be this store's. */
  readonly ours = new Set<string>();
  /** Until when nothing is to be deleted at a place that could not delete something, and why it could not. */
  readonly resting = new Map<string, { readonly until: Millis; readonly why: string }>();
  /** One run less is on its way, or something went wrong. */
  readonly stepped = new Signal();
  readonly #storages = new Map<string, ObjectStorage>();

  constructor(to: ObjectAddress | null) {
    this.to = to;
  }

  /** Whether any log goes, or ever went, elsewhere. */
  get on(): boolean {
    return this.to !== null || this.storeId !== null;
  }

  /** Something is being moved, or about to be, and more than to see whether it works by now. */
  get busy(): boolean {
    const trying = new Set(this.holds.all.map((hold) => hold.trying));
    for (const runs of [this.waiting, this.active]) for (const run of runs.keys()) if (!trying.has(run)) return true;
    return false;
  }

  /** Of how many runs something may have to be moved. */
  get runs(): number {
    const held = this.holds.all.flatMap(({ runs }) => [...runs]);
    return new Set([...this.waiting.keys(), ...this.active.keys(), ...held]).size;
  }

  storage(bucket: string, env: Readonly<Record<string, string | undefined>>): ObjectStorage {
    const storage = this.#storages.get(bucket) ?? s3Storage(bucket, env);
    this.#storages.set(bucket, storage);
    return storage;
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
