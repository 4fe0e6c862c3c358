import { neverFits } from '../admission/never-fits.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { usualOomRules } from '../runs/oom-rules.ts';
import { addEvents } from '../store/events.ts';
import { insertRuns, type Inserted, type NewRun } from '../store/insert-runs.ts';
import { bytes, millis, type Millis, type RunId } from '../units/brands.ts';
import { formatSize } from '../units/format-size.ts';
import type { SubmitRequest } from '../wire/api.ts';
import { extrasOf, needsOf } from './asked.ts';
import { checkCommands } from './check-commands.ts';
import { captureEnvironment } from './environment.ts';
import { enqueue } from './enqueue.ts';
import type { LiveStart } from './live-start.ts';
import { checkFitsInside, parentOf } from './nested.ts';
import { onDisk } from './on-disk.ts';
import { knownRaise } from './raises.ts';
import type { Scheduler } from './scheduler.ts';
import { dropClientSpool, takeSpool } from './spool.ts';

/**
 * Accepts runs: refused before anything changes, or on disk when this resolves. The same token gives the same runs.
 */
export const submit = async (scheduler: Scheduler, request: SubmitRequest): Promise<readonly RunId[]> => {
  const { host, store } = scheduler;
  const parent = parentOf(scheduler, request);
  if (parent !== null) checkFitsInside(parent, request);
  checkRequest(scheduler, request);
  await checkCommands(request);
  const environment = captureEnvironment(scheduler.state, request.env);
  const now = host.now();
  const runs = newRuns(scheduler, request, parent, now);
  const stored = store
    .command(async (tx) => {
      const inserted = await insertRuns(tx, { token: request.token, runs });
      if (!inserted.fresh) return inserted;
      for (const run of inserted.ids) {
        // Before the commit: a run that is accepted has its files.
        environment.give(run);
        takeSpool(scheduler.state, request.stdin, run);
      }
      await addEvents(
        tx,
        inserted.ids.map((run, index) => ({ run, at: now, kind: 'submitted', data: { argv: runs[index]?.argv } })),
      );
      return inserted;
    })
    .finally(() => environment.drop());
  // A start need not wait for the disk; whoever submitted must: only what is on disk is acknowledged.
  const admitted = stored.then((inserted) => {
    admitNew(scheduler, inserted, request, runs);
    return inserted.ids;
  });
  const [ids] = await Promise.all([admitted, environment.onDisk]);
  await onDisk(scheduler);
  dropClientSpool(request.stdin);
  return ids;
};

/** Puts what was committed into the queue. */
const admitNew = (
  scheduler: Scheduler,
  { ids, fresh }: Inserted,
  request: SubmitRequest,
  runs: readonly NewRun[],
): void => {
  if (!fresh) return;
  for (const [index, run] of ids.entries()) {
    const made = runs[index];
    if (made !== undefined)
      enqueue(scheduler, {
        id: run,
        not_before: null,
        paused: null,
        ...made,
        parent_run: made.parent?.run ?? null,
        raised_bytes: made.raised_bytes ?? null,
      });
  }
  if (request.owner !== null) scheduler.owners.expect(request.owner, scheduler.ownerPatience);
  scheduler.eventsWritten.raise();
  scheduler.moved.raise();
};

const checkRequest = ({ budget }: Scheduler, request: SubmitRequest): void => {
  const cpusMilli = Math.round(request.cpus * 1000);
  if (cpusMilli < 1) throw new OrcaError('request-invalid', { why: 'cpus: less than a thousandth of a core' });
  const memory = request.memory === null ? null : bytes(request.memory.min_bytes);
  switch (neverFits({ cpusMilli, memory }, budget)) {
    case 'cpus':
      throw new OrcaError('cpus-too-many', { asked: request.cpus, most: budget.cpusMilli / 1000 });
    case 'memory':
      throw new OrcaError('memory-too-much', {
        asked: formatSize(memory ?? bytes(0)),
        most: formatSize(budget.memory),
      });
    case null:
  }
};

const newRuns = (scheduler: Scheduler, request: SubmitRequest, parent: LiveStart | null, now: Millis): NewRun[] => {
  const size = {
    memory_min_bytes: request.memory === null ? null : bytes(request.memory.min_bytes),
    memory_max_bytes: request.memory === null ? null : bytes(request.memory.max_bytes),
  };
  const needs = needsOf(request);
  const extras = extrasOf(request);
  return request.commands.map((argv, index) => ({
    name: request.name,
    argv,
    cwd: request.cwd,
    umask: request.umask,
    env_file: true,
    cpus_milli: Math.round(request.cpus * 1000),
    ...size,
    raised_bytes: knownRaise(scheduler, { argv, cwd: request.cwd, ...size }),
    retries: request.retries,
    timeout_ms: request.timeout_ms === null ? null : millis(request.timeout_ms),
    priority: request.priority,
    stdin: request.stdin,
    owner: request.owner,
    settings: request.settings,
    ...(request.oom === undefined ? {} : { oom: { ...usualOomRules, ...request.oom } }),
    parent: parent === null ? null : { run: parent.run, start: parent.start },
    ...(needs === undefined ? {} : { needs }),
    ...(extras === undefined ? {} : { extras }),
    submitter: request.submitter ?? null,
    key: request.keys?.[index] ?? null,
    placement: request.placement ?? null,
    ...(request.secrets === undefined ? {} : { secrets: request.secrets }),
    submitted_at: now,
  }));
};
