import type { EngineKind } from './migrations/migration.ts';
import type { Db } from './schema.ts';
import type { StoreFile } from './store.ts';

/** What the two databases do differently. */
export interface Engine {
  readonly kind: EngineKind;
  /** One connection, for the command queue and the migrations. */
  readonly write: Db;
  /** Other connections, which see what is committed. */
  readonly read: Db;
  /** The SQL that begins a batch; `durable`: its commit has to reach the disk by itself or by `sync`. */
  begin(durable: boolean): string;
  /** Waits, inside a transaction, for any other program that changes the schema. */
  lockSchema(db: Db): Promise<void>;
  /** Resolves when the durable batch that was just committed is on disk. */
  sync(): Promise<void>;
  /** Resolves when everything committed before the call is on disk, durable or not. */
  flush(): Promise<void>;
  /** An error of the database as one that a person understands; others as they are. */
  explain(error: unknown): unknown;
  /** Whether the database is where it was opened; a server's always is. */
  place(): StoreFile;
  /** With `rescue`, a file that was deleted is written again under its name before. */
  close(rescue?: boolean): Promise<void>;
}
