import type { Db, Tx } from './schema.ts';

export interface CommandOptions {
  /** The result comes only when the change is on disk, so that it may be acknowledged: submissions, kills, ends. */
  readonly durable?: boolean;
}

export interface Store {
  readonly kind: 'embedded' | 'postgres';
  /** For queries outside commands; sees only what is committed. */
  readonly read: Db;
  /**
   * Runs `write` inside the next batch: one transaction for all commands of a turn, in their order, a savepoint each. When it throws, its own
   * changes are undone and its promise rejects; the others are unaffected. Resolves after the commit. Inside, await nothing but the store.
   */
  command<T>(write: (tx: Tx) => Promise<T>, options?: CommandOptions): Promise<T>;
  /** Resolves when all that was committed before the call is on disk. */
  onDisk(): Promise<void>;
  /** An error of a query outside commands, in a person's words; others as they are. */
  explain(error: unknown): unknown;
  /** `then` is called when it is not known whether something was stored, though its command failed: memory may no longer follow the store. */
  whenInDoubt(then: () => void): void;
  /** Whether the file, with its log, is still there under its name. */
  place(): StoreFile;
  /**
   * Waits for the commands given so far, writes the log back and closes. With `rescue`, a file that somebody deleted meanwhile is written
   * again under its name first; one that was put in its place is left alone.
   */
  close(options?: { readonly rescue?: boolean }): Promise<void>;
}

export type StoreFile = 'there' | 'gone' | 'replaced';

export type StorePlace =
  { readonly kind: 'embedded'; readonly file: string } | { readonly kind: 'postgres'; readonly url: string };
