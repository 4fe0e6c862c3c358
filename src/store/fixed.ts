import type { CompiledQuery, QueryResult } from 'kysely';
import { execute } from './direct.ts';
import type { Db } from './schema.ts';

type Build<Values extends object, Row> = (
  db: Db,
  value: Values,
  columns: readonly string[],
) => { compile(): CompiledQuery<Row> };

/**
 * A query whose text is always the same, or the same for the same `columns`: built and compiled once for each connection, since that takes
 * longer than most of ours run. To `build` each value is itself; there it may only be passed on.
 */
export const fixed = <Values extends object, Row>(build: Build<Values, Row>) => {
  const compiled = new WeakMap<object, Map<string, CompiledQuery<Row>>>();
  return (db: Db, values: Values, columns: readonly string[] = []): Promise<QueryResult<Row>> => {
    // All handles of one database share its adapter; the two engines' texts differ.
    const { adapter } = db.getExecutor();
    const key = columns.join();
    let texts = compiled.get(adapter);
    if (texts === undefined) compiled.set(adapter, (texts = new Map()));
    let query = texts.get(key);
    if (query === undefined) texts.set(key, (query = build(db, placeholders(), columns).compile()));
    const parameters = query.parameters.map((one) => (one instanceof Placeholder ? one.of(values) : one));
    return execute(db, { ...query, parameters });
  };
};

/** Stands for a value of that name while the query is built. */
class Placeholder {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  of(values: object): unknown {
    const value: unknown = Reflect.get(values, this.#name);
    if (value === undefined) throw new TypeError(`the query has no value for ${this.#name}`);
    return value;
  }
}

const placeholders = <Values extends object>(): Values =>
  new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values;

/** Those columns of a row. */
export const pick = <Row extends object>(row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, Reflect.get(row, column)])) as Row;
