import type { RunId } from '../units/brands.ts';
import { isActive } from './run.ts';
import type { Db } from './schema.ts';

/** Groups and tags that stand for their runs. */
export interface Handles {
  readonly groups: readonly number[];
  readonly tags: readonly string[];
}

/** The runs of these groups and tags that are not over, by number, each once. */
export const activeRunsOf = async (db: Db, { groups, tags }: Handles): Promise<RunId[]> => {
  const found = new Set<RunId>();
  for (const group of groups) {
    const rows = await db.selectFrom('runs').select('id').where('group_id', '=', group).where(isActive).execute();
    for (const { id } of rows) found.add(id);
  }
  for (const tag of tags) {
    const rows = await db
      .selectFrom('tags')
      .innerJoin('runs', 'runs.id', 'tags.run')
      .select('runs.id as id')
      .where('tags.tag', '=', tag)
      .where(isActive)
      .execute();
    for (const { id } of rows) found.add(id);
  }
  return [...found].sort((a, b) => a - b);
};

/** The first of these groups that no run was ever in; null when all are known. */
export const unknownGroup = async (db: Db, groups: readonly number[]): Promise<number | null> => {
  for (const group of groups) {
    const row = await db.selectFrom('runs').select('id').where('group_id', '=', group).limit(1).executeTakeFirst();
    if (row === undefined) return group;
  }
  return null;
};
