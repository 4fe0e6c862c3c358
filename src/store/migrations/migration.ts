import type { Db } from '../schema.ts';

export type EngineKind = 'embedded' | 'postgres';

export interface Migration {
  /** From 1, without gaps. */
  readonly number: number;
  readonly name: string;
  /** An older program would misread or spoil what it makes of the store, and refuses it. */
  readonly breaking: boolean;
  /** Runs inside the transaction that also records it. */
  readonly up: (db: Db, engine: EngineKind) => Promise<void>;
}
