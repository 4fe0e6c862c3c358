/** kysely's SQLite dialect over Node's own SQLite. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { SqliteDialect, type Dialect, type SqliteDialectConfig } from 'kysely';
import { DirectAdapter } from './direct.ts';

/** Preparing takes longer than most of our statements do; these are few and come again and again. */
const keptStatements = 200;

export const nodeSqliteDialect = (database: DatabaseSync): Dialect => {
  const kept = new Map<string, KeptStatement>();
  const prepare = (sql: string): KeptStatement => {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    const statement = new KeptStatement(database.prepare(sql));
    // A list insert has a statement for each length: the oldest go.
    if (kept.size >= keptStatements) kept.delete(kept.keys().next().value ?? sql);
    kept.set(sql, statement);
    return statement;
  };
  const adapter = new DirectAdapter(({ sql, parameters }) => {
    const statement = prepare(sql);
    if (statement.reader) return { rows: statement.all(parameters) };
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) };
  });
  return new WithAdapter({ database: { close: () => database.close(), prepare } }, adapter);
};

class WithAdapter extends SqliteDialect {
  readonly #adapter: DirectAdapter;

  constructor(config: SqliteDialectConfig, adapter: DirectAdapter) {
    super(config);
    this.#adapter = adapter;
  }

  override createAdapter(): DirectAdapter {
    return this.#adapter;
  }
}

class KeptStatement {
  readonly #statement: StatementSync;
  readonly reader: boolean;

  constructor(statement: StatementSync) {
    this.#statement = statement;
    this.reader = statement.columns().length > 0;
  }

  all(parameters: readonly unknown[]): unknown[] {
    // Its rows have no prototype; as ordinary objects they compare equal to those of Postgres.
    return this.#statement.all(...(parameters as SQLInputValue[])).map((row) => ({ ...row }));
  }

  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    return this.#statement.run(...(parameters as SQLInputValue[]));
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.#statement.iterate(...(parameters as SQLInputValue[]));
  }
}
