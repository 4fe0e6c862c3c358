import type { Db } from './schema.ts';

/** Engines take so many parameters at least. */
const atOnce = 500;

/** Which of these cgroups starts of this store had. Another state folder may have its runs' cgroups beside ours. */
export const knownCgroups = async (db: Db, paths: readonly string[]): Promise<ReadonlySet<string>> => {
  const known = new Set<string>();
  for (let from = 0; from < paths.length; from += atOnce) {
    const rows = await db
      .selectFrom('starts')
      .select('cgroup')
      .where('cgroup', 'in', paths.slice(from, from + atOnce))
      .execute();
    for (const { cgroup } of rows) if (cgroup !== null) known.add(cgroup);
  }
  return known;
};
