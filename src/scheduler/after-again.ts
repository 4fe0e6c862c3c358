import { OrcaError } from '../errors/orca-error.ts';
import type { After } from '../runs/needs.ts';
import type { Db } from '../store/schema.ts';
import { settleAfter } from '../store/settle-after.ts';
import type { AfterRequest, RetryRequest } from '../wire/api.ts';

export interface AfterAgain {
  readonly after: readonly AfterRequest[];
  /** What can be waited for no more: it did not succeed, or was deleted, and nothing is there in its place. */
  readonly dropped: readonly AfterRequest[];
}

/**
 * What a run's retry comes after: what was retried with it instead of what that was, and what is not over yet. A person who asks for this one alone
 * wants it now.
 */
export const afterAgain = async (
  db: Db,
  old: readonly After[],
  instead: RetryRequest['instead'] = [],
): Promise<AfterAgain> => {
  const after: AfterRequest[] = [];
  const dropped: AfterRequest[] = [];
  for (const one of old) {
    const other = instead.find((known) => ('run' in one ? known.run === one.run : known.group === one.group));
    if (other !== undefined) after.push({ ...placeOf(one, other.by), any: one.any });
    else if (await mayWait(db, one)) after.push(one);
    else dropped.push(one);
  }
  return { after, dropped };
};

const placeOf = (one: After, by: number): { readonly run: number } | { readonly group: number } =>
  'run' in one ? { run: by } : { group: by };

const mayWait = async (db: Db, one: After): Promise<boolean> => {
  try {
    await settleAfter(db, [one]);
    return true;
  } catch (error) {
    if (error instanceof OrcaError && gone.some((code) => code === error.code)) return false;
    throw error;
  }
};

const gone = ['run-unknown', 'group-unknown', 'after-failed'] as const;
