import type { Needs } from '../runs/needs.ts';
import type { Needed } from '../runs/retention.ts';
import type { RunId } from '../units/brands.ts';
import { needsOf } from './json-columns.ts';
import { isActive } from './run.ts';
import type { Db } from './schema.ts';

/** The runs and groups that unfinished runs go by: what they come after, and the groups that they are in. Read once, then only what is new. */
export class NeededRuns implements Needed {
  readonly runs = new Set<RunId>();
  readonly groups = new Set<number>();
  #seen = 0;

  async read(db: Db): Promise<this> {
    const rows = await db
      .selectFrom('runs')
      .select(['id', 'needs', 'group_id'])
      .where(isActive)
      .where('id', '>', this.#seen as RunId)
      .where((eb) => eb.or([eb('needs', 'is not', null), eb('group_id', 'is not', null)]))
      .orderBy('id')
      .execute();
    for (const { needs, group_id } of rows) {
      if (group_id !== null) this.groups.add(group_id);
      if (needs !== null) this.#add(needsOf({ needs }));
    }
    this.#seen = rows.at(-1)?.id ?? this.#seen;
    return this;
  }

  #add({ after }: Pick<Needs, 'after'>): void {
    for (const one of after) {
      if ('run' in one) this.runs.add(one.run);
      else this.groups.add(one.group);
    }
  }
}
