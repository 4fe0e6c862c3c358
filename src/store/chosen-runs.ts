import type { RunId } from '../units/brands.ts';
import { isActive } from './run.ts';
import type { Db } from './schema.ts';

/** Groups and tags that stand for their runs. */
export interface Handles {
  readonly groups: readonly number[];
  readonly tags: readonly string[];
}

/** The runs of these groups and tags, each once: with `over` all of them, else those that are not over. A group's stand before a tag's, each by number. */
export const runsOf = async (db: Db, { groups, tags }: Handles, over: boolean): Promise<RunId[]> => {
  const found = new Set<RunId>();
  for (const group of groups) {
    const rows = await db
      .selectFrom('runs')
      .select('id')
      .where('group_id', '=', group)
      .$if(!over, (query) => query.where(isActive))
      .orderBy('id')
      .execute();
    for (const { id } of rows) found.add(id);
  }
  for (const tag of tags) {
    const rows = await db
      .selectFrom('tags')
      .innerJoin('runs', 'runs.id', 'tags.run')
      .select('runs.id as id')
      .where('tags.tag', '=', tag)
      .$if(!over, (query) => query.where(isActive))
      .orderBy('runs.id')
      .execute();
    for (const { id } of rows) found.add(id);
  }
  return [...found];
};

/** The first of these groups that no run was ever in; null when all are known. */
export const unknownGroup = async (db: Db, groups: readonly number[]): Promise<number | null> => {
  for (const group of groups) {
    const row = await db.selectFrom('runs').select('id').where('group_id', '=', group).limit(1).executeTakeFirst();
    if (row === undefined) return group;
  }
  return null;
};
