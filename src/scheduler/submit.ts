import { neverFits } from '../admission/never-fits.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { addEvent } from '../store/queries/add-event.ts';
import { insertRuns } from '../store/queries/insert-runs.ts';
import type { NewRun } from '../store/queries/insert-runs.ts';
import { bytes, millis, type RunId } from '../units/brands.ts';
import { formatSize } from '../units/format-size.ts';
import type { SubmitRequest } from '../wire/api.ts';
import { checkCommands } from './check-commands.ts';
import { captureEnvironment } from './environment.ts';
import { enqueue } from './enqueue.ts';
import type { Scheduler } from './scheduler.ts';
import { dropClientSpool, takeSpool } from './spool.ts';

/**
 * Accepts runs: refused before anything changes, or on disk when this resolves. The same token gives the same runs.
 */
export const submit = async (scheduler: Scheduler, request: SubmitRequest): Promise<readonly RunId[]> => {
  const { host, store } = scheduler;
  checkRequest(scheduler, request);
  await checkCommands(request);
  const environment = await captureEnvironment(scheduler.state, request.env);
  const now = host.now();
  const inserted = await store
    .command(
      async (tx) => {
        const runs = await insertRuns(tx, newRuns(request), now);
        for (const run of runs.rows) {
          if (!runs.isNew) continue;
          // Before the commit: a run that is accepted has its environment.
          environment.give(run.id);
          takeSpool(scheduler.state, request.stdin, run.id);
          await addEvent(tx, { run: run.id, at: now, kind: 'submitted', data: { argv: JSON.parse(run.argv) } });
        }
        return runs;
      },
      { durable: true },
    )
    .finally(() => environment.drop());
  dropClientSpool(request.stdin);
  if (inserted.isNew) {
    for (const run of inserted.rows) enqueue(scheduler, run);
    if (request.owner !== null) scheduler.owners.expect(request.owner, scheduler.ownerPatience);
    scheduler.eventsWritten.raise();
    scheduler.moved.raise();
  }
  return inserted.rows.map((run) => run.id);
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

const newRuns = (request: SubmitRequest): NewRun[] =>
  request.commands.map((argv, index) => ({
    token: request.token,
    tokenIndex: index,
    name: request.name,
    argv,
    cwd: request.cwd,
    umask: request.umask,
    cpusMilli: Math.round(request.cpus * 1000),
    memoryMin: request.memory === null ? null : bytes(request.memory.min_bytes),
    memoryMax: request.memory === null ? null : bytes(request.memory.max_bytes),
    retries: request.retries,
    timeout: request.timeout_ms === null ? null : millis(request.timeout_ms),
    priority: request.priority,
    stdin: request.stdin,
    owner: request.owner,
    settings: request.settings,
  }));
