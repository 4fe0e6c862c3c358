import { sql } from 'kysely';
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
 * Commands in the order they were given. Those of one turn make a batch: one transaction, a savepoint each, so that
 * one that fails takes back only itself. Nobody hears a result before the commit, nor, when durable, before it is on disk.
 */
export class CommandQueue {
  readonly #engine: Engine;
  #waiting: Waiting[] = [];
  #draining: Promise<void> | null = null;
  #closed = false;
  readonly #syncing = new Set<Promise<void>>();

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

  async #run(batch: readonly Waiting[]): Promise<void> {
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

  async #transaction(db: Db, batch: readonly Waiting[], durable: boolean): Promise<readonly Outcome[]> {
    await sql.raw(this.#engine.begin(durable)).execute(db);
    try {
      const outcomes: Outcome[] = [];
      for (const command of batch) outcomes.push(await attempt(db as Tx, command));
      await commit.execute(db);
      return outcomes;
    } catch (error) {
      // After a full disk the engine may have rolled back by itself; then this has nothing to do.
      await rollback.execute(db).catch(() => {});
      throw error;
    }
  }
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

const savepoint = sql.raw('savepoint command');
const release = sql.raw('release savepoint command');
const undo = sql.raw('rollback to savepoint command');
const commit = sql.raw('commit');
const rollback = sql.raw('rollback');

const attempt = async (tx: Tx, command: Waiting): Promise<Outcome> => {
  await savepoint.execute(tx);
  try {
    const value = await command.write(tx);
    await release.execute(tx);
    return { value };
  } catch (error) {
    try {
      await undo.execute(tx);
      await release.execute(tx);
    } catch {
      // The whole transaction is gone; its first cause says more than "no such savepoint".
      throw error;
    }
    return { error };
  }
};

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
