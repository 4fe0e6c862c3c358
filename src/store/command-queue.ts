import { CompiledQuery } from 'kysely';
import { OrcaError } from '../errors/orca-error.ts';
import { execute } from './direct.ts';
import type { Engine } from './engine.ts';
import type { Db, Tx } from './schema.ts';
import type { CommandOptions } from './store.ts';

interface Waiting {
  readonly durable: boolean;
  readonly write: (tx: Tx) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** An embedded batch holds the event loop: at about 0.1 ms a command this is 20 ms. */
const batchMost = 200;

/**
 * Commands in the order they were given. Those of one turn make a batch, with those that they give themselves (the end of a start and the next
 * claim): one transaction, a savepoint each, so that one that fails takes back only itself. Nobody hears a result before the commit, nor, when durable, before it is on disk.
 */
export class CommandQueue {
  readonly #engine: Engine;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | null = null;
  #closed = false;
  readonly #syncing = new Set<Promise<void>>();
  /** The connection broke while a commit was under way: whether that is stored, nobody here knows. */
  whenInDoubt: () => void = () => {};

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  add<T>(write: (tx: Tx) => Promise<T>, { durable = false }: CommandOptions = {}): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('the store is closed'));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ write, durable, reject, resolve: (value) => resolve(value as T) });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when all that was committed so far is on disk. */
  onDisk(): Promise<void> {
    const synced = this.#engine.flush().catch((error: unknown) => {
      throw this.#engine.explain(error);
    });
    const over: Promise<void> = synced.then(
      () => {},
      () => {},
    );
    this.#syncing.add(over);
    void over.then(() => this.#syncing.delete(over));
    return synced;
  }

  /** Waits for the commands given so far; later ones are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
    await Promise.all(this.#syncing);
  }

  async #drain(): Promise<void> {
    for (;;) {
      // The turn ends first: what else it has to say comes along.
      await endOfTurn();
      if (this.#waiting.length === 0) break;
      await this.#run(this.#waiting.splice(0, batchMost));
    }
    this.#draining = null;
  }

  /** `batch` grows by what its commands give while they run. */
  async #run(batch: Waiting[]): Promise<void> {
    const durable = batch.some((command) => command.durable);
    let outcomes: readonly Outcome[];
    try {
      outcomes = await this.#engine.write.connection().execute(async (db) => this.#transaction(db, batch, durable));
    } catch (error) {
      const why = this.#engine.explain(error);
      for (const command of batch) command.reject(why);
      return;
    }
    const settle = (wantDurable: boolean): void => {
      outcomes.forEach((outcome, index) => {
        const command = batch[index];
        if (command === undefined || command.durable !== wantDurable) return;
        if ('error' in outcome) command.reject(this.#engine.explain(outcome.error));
        else command.resolve(outcome.value);
      });
    };
    settle(false);
    if (!durable) return;
    // Not awaited here: the next batch is written while this one's log goes to disk.
    const synced: Promise<void> = this.#engine.sync().then(
      () => settle(true),
      (error: unknown) => {
        const why = this.#engine.explain(error);
        for (const command of batch) if (command.durable) command.reject(why);
      },
    );
    this.#syncing.add(synced);
    void synced.then(() => this.#syncing.delete(synced));
  }

  async #transaction(db: Db, batch: Waiting[], durable: boolean): Promise<readonly Outcome[]> {
    await execute(db, CompiledQuery.raw(this.#engine.begin(durable)));
    let committing = false;
    try {
      const outcomes: Outcome[] = [];
      for (let next = this.#join(batch, 0, durable); next !== null; next = this.#join(batch, outcomes.length, durable))
        outcomes.push(await attempt(db as Tx, next));
      committing = true;
      await execute(db, commit);
      return outcomes;
    } catch (error) {
      if (committing && isAway(this.#engine.explain(error))) this.whenInDoubt();
      // After a full disk the engine may have rolled back by itself; then this has nothing to do.
      await execute(db, rollback).catch(() => {});
      throw error;
    }
  }

  /** The command of the batch that is next. A batch that has none left takes one that was given meanwhile, if that asks for no more than the batch was begun with. */
  #join(batch: Waiting[], at: number, durable: boolean): Waiting | null {
    const [late] = this.#waiting;
    if (at === batch.length && at < batchMost && late !== undefined && (durable || !late.durable)) {
      batch.push(late);
      this.#waiting.shift();
    }
    return batch[at] ?? null;
  }
}

const isAway = (error: unknown): boolean => error instanceof OrcaError && error.code === 'store-unreachable';

type Outcome = { readonly value: unknown } | { readonly error: unknown };

const savepoint = CompiledQuery.raw('savepoint command');
const release = CompiledQuery.raw('release savepoint command');
const undo = CompiledQuery.raw('rollback to savepoint command');
const commit = CompiledQuery.raw('commit');
const rollback = CompiledQuery.raw('rollback');

const attempt = async (tx: Tx, command: Waiting): Promise<Outcome> => {
  await execute(tx, savepoint);
  try {
    const value = await command.write(tx);
    await execute(tx, release);
    return { value };
  } catch (error) {
    try {
      await execute(tx, undo);
      await execute(tx, release);
    } catch {
      // The whole transaction is gone; its first cause says more than "no such savepoint".
      throw error;
    }
    return { error };
  }
};

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
