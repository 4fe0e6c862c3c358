import { sql } from 'kysely';
import { OrcaError } from '../errors/orca-error.ts';
import type { Engine } from './engine.ts';
import { migrations as allMigrations } from './migrations/all.ts';
import type { Migration } from './migrations/migration.ts';
import type { Db } from './schema.ts';

/**
 * Brings the store to this program's schema, in one transaction; of two programs that start at once the second waits and finds it done.
 * Throws `store-newer` when a newer program made a breaking change, and only then: other additions do no harm.
 */
export const migrate = async (engine: Engine, migrations: readonly Migration[] = allMigrations): Promise<void> => {
  await engine.write.connection().execute(async (db) => {
    await sql.raw(engine.begin(true)).execute(db);
    try {
      await engine.lockSchema(db);
      await bringUp(db, engine.kind, migrations);
      await sql.raw('commit').execute(db);
    } catch (error) {
      await sql.raw('rollback').execute(db).catch(ignore);
      throw error;
    }
  });
};

const bringUp = async (db: Db, kind: Engine['kind'], migrations: readonly Migration[]): Promise<void> => {
  await sql
    .raw(
      'create table if not exists migrations (number bigint primary key, name text not null, breaking bigint not null)',
    )
    .execute(db);
  const applied = await db.selectFrom('migrations').select(['number', 'breaking']).execute();
  const understood = Math.max(0, ...migrations.map((migration) => migration.number));
  const lowestReader = Math.max(0, ...applied.filter((one) => one.breaking === 1).map((one) => one.number));
  if (lowestReader > understood) throw new OrcaError('store-newer', { needs: lowestReader, understood });

  const there = new Set(applied.map((one) => one.number));
  for (const { number, name, breaking, up } of migrations) {
    if (there.has(number)) continue;
    await up(db, kind);
    await db
      .insertInto('migrations')
      .values({ number, name, breaking: breaking ? 1 : 0 })
      .execute();
  }
};

const ignore = (): void => {};
