import { OrcaError } from '../errors/orca-error.ts';
import type { After } from '../runs/needs.ts';
import type { Accepted } from '../store/accept-runs.ts';
import type { Db } from '../store/schema.ts';
import { settleAfter } from '../store/settle-after.ts';
import { runId, type RunId } from '../units/brands.ts';
import type { AfterRequest, RetryRequest } from '../wire/api.ts';

/** What was tried again so far, and by which: what comes after the old one then comes after the new one. */
export class Again {
  readonly #runs = new Map<number, number>();
  readonly groups = new Map<number, number>();
  /** The new runs, without those that were there by their keys. */
  readonly made = new Set<number>();
  /** By new runs: what can be waited for no more. */
  readonly notAfter: { readonly run: number; readonly after: readonly AfterRequest[] }[] = [];

  constructor(instead: RetryRequest['instead'] = []) {
    for (const { run, group, by } of instead) {
      if (run !== undefined) this.#runs.set(run, by);
      if (group !== undefined) this.groups.set(group, by);
    }
  }

  note(old: number, of: number | null, { ids, made, group }: Accepted, dropped: readonly AfterRequest[]): void {
    const [run] = ids;
    if (run === undefined) return;
    this.#runs.set(old, run);
    for (const { id } of made) this.made.add(id);
    if (of !== null && group !== null) this.groups.set(of, group);
    if (dropped.length > 0) this.notAfter.push({ run, after: dropped });
  }

  /**
   * What a run's retry comes after: what was tried again instead of what that was, and what is not over yet. The rest, which did not succeed or
   * was deleted, is dropped: a person who asks for this one alone wants it now.
   */
  async after(db: Db, old: readonly After[]): Promise<{ readonly after: After[]; readonly dropped: After[] }> {
    const after: After[] = [];
    const dropped: After[] = [];
    for (const one of old) {
      const by = 'run' in one ? this.#runs.get(one.run) : this.groups.get(one.group);
      if (by !== undefined) after.push({ ...placeOf(one, by), any: one.any });
      else if (await mayWait(db, one)) after.push(one);
      else dropped.push(one);
    }
    return { after, dropped };
  }
}

const placeOf = (one: After, by: number): { readonly run: RunId } | { readonly group: number } =>
  'run' in one ? { run: runId(by) } : { group: by };

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
