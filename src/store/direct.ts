import { SqliteAdapter, type CompiledQuery, type QueryResult } from 'kysely';
import type { Db } from './schema.ts';

/** The adapter of an engine that runs in this process: it has a shorter way than kysely's, which waits for a connection that is always there. */
export class DirectAdapter extends SqliteAdapter {
  run: (query: CompiledQuery) => QueryResult<unknown>;

  constructor(run: DirectAdapter['run']) {
    super();
    this.run = run;
  }
}

/**
 * Runs a compiled query, without kysely's way to the connection where there is none to wait for: that took as long as most queries do. Of a `Db` that
 * is a connection, a transaction or our only reader; nothing may run between that expects to be kept apart from it.
 */
export const execute = async <Row>(db: Db, query: CompiledQuery<Row>): Promise<QueryResult<Row>> => {
  const { adapter } = db.getExecutor();
  return adapter instanceof DirectAdapter ? (adapter.run(query) as QueryResult<Row>) : db.executeQuery(query);
};
