import { OrcaError } from '../errors/orca-error.ts';
import { exitStatus } from '../runs/exit-status.ts';
import { groupHandle } from '../runs/handle.ts';
import type { After } from '../runs/needs.ts';
import { addEvent } from '../store/events.ts';
import { finishRun } from '../store/finish-run.ts';
import { getRun } from '../store/get-run.ts';
import { groupCounts } from '../store/group.ts';
import { runStates } from '../store/run-states.ts';
import type { Db } from '../store/schema.ts';
import { settleAfter } from '../store/settle-after.ts';
import { millis, type RunId } from '../units/brands.ts';
import { dropRunFiles } from './drop-run-files.ts';
import type { Scheduler } from './scheduler.ts';

interface WaitedGroup {
  readonly waiting: Set<RunId>;
  /** Runs of it that are not over; rather too few than too many, which would leave its last end unnoticed. */
  left: number;
  /** Ends of its runs that were told. */
  ends: number;
}

/** Which queued runs wait for the end of which runs and groups. */
export class Dependents {
  readonly #after = new Map<RunId, readonly After[]>();
  readonly #ofRun = new Map<RunId, Set<RunId>>();
  readonly #ofGroup = new Map<number, WaitedGroup>();

  add(run: RunId, after: readonly After[]): void {
    this.#after.set(run, after);
    for (const one of after) {
      if ('run' in one) put(this.#ofRun, one.run, run);
      else this.#groupOf(one.group).waiting.add(run);
    }
  }

  remove(run: RunId): void {
    for (const one of this.#after.get(run) ?? []) {
      const waiting = 'run' in one ? this.#ofRun.get(one.run) : this.#ofGroup.get(one.group)?.waiting;
      waiting?.delete(run);
      if (waiting?.size !== 0) continue;
      if ('run' in one) this.#ofRun.delete(one.run);
      else this.#ofGroup.delete(one.group);
    }
    this.#after.delete(run);
  }

  get size(): number {
    return this.#after.size;
  }

  of(run: RunId): readonly After[] {
    return this.#after.get(run) ?? [];
  }

  /** How many ends of a group's runs were told; to be asked before its runs are counted. */
  endsIn(group: number): number {
    return this.#ofGroup.get(group)?.ends ?? 0;
  }

  /** So many of a group's runs were not over when they were counted. What was told since `ends` may be counted among them. */
  leftIn(group: number, left: number, ends: number): void {
    const found = this.#ofGroup.get(group);
    if (found !== undefined) found.left = left - Math.max(0, found.ends - ends);
  }

  /** Who should look again now that a run is over: of a group's runs only the last matters, and one that did not succeed. */
  touchedBy(run: RunId, group: number | null, succeeded: boolean): RunId[] {
    const touched = [...(this.#ofRun.get(run) ?? [])];
    const found = group === null ? undefined : this.#ofGroup.get(group);
    if (found === undefined) return touched;
    found.left -= 1;
    found.ends += 1;
    for (const one of found.waiting) {
      const any = this.of(one).every((after) => 'run' in after || after.group !== group || after.any);
      if (found.left <= 0 || (!succeeded && !any)) touched.push(one);
    }
    return touched;
  }

  #groupOf(group: number): WaitedGroup {
    const found = this.#ofGroup.get(group) ?? { waiting: new Set<RunId>(), left: 0, ends: 0 };
    this.#ofGroup.set(group, found);
    return found;
  }
}

const put = <Key>(sets: Map<Key, Set<RunId>>, key: Key, run: RunId): void => {
  const found = sets.get(key);
  if (found === undefined) sets.set(key, new Set([run]));
  else found.add(run);
};

/** A run that was queued has to come after others: it stays aside until they are over. */
export const waitForOthers = (scheduler: Scheduler, run: RunId, after: readonly After[]): void => {
  scheduler.dependents.add(run, after);
  void settle(scheduler, run);
};

/** Looks again at those that come after a run which is over now. From before the first run is known: none of their ends may be missed. */
export const followEnds = (scheduler: Scheduler): (() => void) =>
  scheduler.changes.listenFinal((run) => {
    if (scheduler.dependents.size > 0) void afterEnd(scheduler, run);
  });

const afterEnd = async (scheduler: Scheduler, run: RunId): Promise<void> => {
  const { store, dependents, host, log } = scheduler;
  try {
    const ended = (await runStates(store.read, [run])).get(run);
    const succeeded = ended?.state === 'succeeded';
    for (const one of dependents.touchedBy(run, ended?.group ?? null, succeeded)) void settle(scheduler, one);
  } catch (error) {
    if (scheduler.closing) return;
    log.error({ err: error, run }, 'what comes after a run that is over could not be looked up');
    host.timers.set(again, () => void afterEnd(scheduler, run));
  }
};

/** Lets a run into the order when all that it comes after is over; ends it when that can never be. */
const settle = async (scheduler: Scheduler, run: RunId): Promise<void> => {
  const { queue, dependents, log } = scheduler;
  try {
    const after = dependents.of(run);
    const open = await openOf(scheduler, after);
    const entry = queue.get(run);
    // Taken out for a moment, for a kill that may fail: what it comes after may be over by then.
    if (entry === null && (await isQueued(scheduler, run))) return later(scheduler, run);
    if (entry?.after == null) return dependents.remove(run);
    if (open instanceof OrcaError) await endUnstarted(scheduler, run, open.message);
    else queue.add({ ...entry, after: open.length === 0 ? null : afterNames(open) });
    if (open instanceof OrcaError || open.length === 0) dependents.remove(run);
    scheduler.moved.raise();
  } catch (error) {
    if (scheduler.closing) return;
    log.error({ err: error, run }, 'whether a run may follow others could not be looked up');
    later(scheduler, run);
  }
};

const isQueued = async ({ store }: Scheduler, run: RunId): Promise<boolean> =>
  (await runStates(store.read, [run])).get(run)?.state === 'queued';

const later = (scheduler: Scheduler, run: RunId): void => {
  scheduler.host.timers.set(again, () => void settle(scheduler, run));
};

/** What is not over yet; an error that says why it never will be as it should. */
const openOf = async ({ store, dependents }: Scheduler, after: readonly After[]): Promise<After[] | OrcaError> => {
  try {
    const open = await settleAfter(store.read, after);
    for (const one of open) {
      if (!('group' in one)) continue;
      const ends = dependents.endsIn(one.group);
      dependents.leftIn(one.group, await leftIn(store.read, one.group), ends);
    }
    return open;
  } catch (error) {
    if (error instanceof OrcaError && settled.has(error.code)) return error;
    throw error;
  }
};

const settled: ReadonlySet<string> = new Set(['after-failed', 'run-unknown', 'group-unknown']);

const leftIn = async (db: Db, group: number): Promise<number> => {
  const { queued = 0, starting = 0, running = 0 } = await groupCounts(db, group);
  return queued + starting + running;
};

/** What has to be over first, by its handles. */
export const afterNames = (after: readonly After[]): string[] =>
  after.map((one) => ('run' in one ? `run ${one.run}` : `group ${groupHandle(one.group)}`));

/** It failed without a start: nobody ended it, and nothing of it ran. */
const endUnstarted = async (scheduler: Scheduler, run: RunId, why: string): Promise<void> => {
  const at = scheduler.host.now();
  const text = `never started: ${why}`;
  const ended = await scheduler.store.command(
    async (tx) => {
      const row = await getRun(tx, run);
      const end = {
        run,
        start: null,
        state: 'failed',
        evidence: 'dependency',
        text,
        exit_code: null,
        signal: null,
      } as const;
      const exit_status = exitStatus({ state: 'failed', exitCode: null, evidence: 'dependency' });
      if (row === null || !(await finishRun(tx, { ...end, exit_status, ended_at: at }))) return null;
      await addEvent(tx, { run, at, kind: 'finished', data: { state: 'failed', text } });
      return row;
    },
    { durable: true },
  );
  if (ended === null) return;
  scheduler.queue.remove(run);
  dropRunFiles(scheduler, ended);
  scheduler.eventsWritten.raise();
  scheduler.changes.tell(run, true);
};

const again = millis(5000);
