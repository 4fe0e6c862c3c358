import { Hono } from 'hono';
import { apiNumber, type DaemonJson } from '../../wire/api.ts';
import { drained } from '../../scheduler/drained.ts';
import { setDown } from '../../scheduler/set-down.ts';
import { kernelLogAccess } from '../../machine/kernel-log-access.ts';
import { openKernelLog } from '../../machine/kernel-log-file.ts';
import { gpusJson } from '../../scheduler/gpu-json.ts';
import { resourcesJson } from '../../scheduler/resources-json.ts';
import { othersLately } from '../../scheduler/machine-state.ts';
import { waitingOutputs } from '../../scheduler/keep-logs.ts';
import { isStageFull } from '../../scheduler/start-room.ts';
import { moveAllNow } from '../../scheduler/move-logs.ts';
import type { Scheduler } from '../../scheduler/scheduler.ts';
import { ownStage } from '../../scheduler/staged-logs.ts';
import { formatObjectAddress } from '../../units/object-address.ts';
import type { Served } from '../app.ts';
import { downSchema } from '../schemas.ts';

export const daemonRoutes = ({ scheduler, leave, restart }: Served): Hono =>
  new Hono()
    .get('/', (context) => context.json(daemonJson(scheduler)))
    .post('/up', async (context) => {
      await setDown(scheduler, false);
      return context.json(daemonJson(scheduler));
    })
    .post('/down', async (context) => {
      const { drain = false } = downSchema.parse(await context.req.json().catch(() => ({})));
      await setDown(scheduler, true);
      // What has just ended goes where it has to, as long as that works.
      if (drain && (await drained(scheduler, { isOff: () => !scheduler.down }))) await moveAllNow(scheduler);
      // Else somebody wants it up again, and would find no daemon for what waits.
      if (scheduler.down) leave();
      return context.json(daemonJson(scheduler));
    })
    .post('/restart', (context) => {
      restart();
      return context.json(daemonJson(scheduler));
    });

const mostDamaged = 1000;

const logsJson = ({ logMoving }: Scheduler): Required<DaemonJson>['logs'] => ({
  to: logMoving.to === null ? null : formatObjectAddress(logMoving.to),
  waiting: logMoving.runs,
  troubles: logMoving.holds.all
    .filter(({ runs }) => runs.size > 0)
    .map(({ to, why, since, runs }) => ({ to, why, since, runs: runs.size })),
});

const daemonJson = (scheduler: Scheduler): DaemonJson => ({
  pid: scheduler.identity.pid,
  version: scheduler.identity.version,
  api: apiNumber,
  program: scheduler.identity.program,
  state: scheduler.state.folder,
  started_at: scheduler.identity.startedAt,
  keeper: { kind: scheduler.keepers.kind, why: scheduler.keepers.why },
  containment: {
    on: scheduler.cgroups.on,
    why: scheduler.cgroups.why,
    advice: scheduler.cgroups.on ? null : scheduler.cgroups.advice,
    ceiling_bytes: scheduler.ceiling.bytes,
    ceiling_why: scheduler.ceiling.why,
  },
  evidence: {
    kernel_log: kernelLogAccess(scheduler.inPidNamespace, openKernelLog),
    shared_counter: scheduler.sharedCounter,
  },
  usage: {
    interval_ms: Math.round(scheduler.usage.pace.intervalMs ?? scheduler.settings.get('ORCA_USAGE_INTERVAL_MS')),
    slowed: scheduler.usage.pace.slowed,
  },
  gpus: gpusJson(scheduler),
  resources: resourcesJson(scheduler),
  others: othersLately(scheduler),
  logs: logsJson(scheduler),
  stage: {
    folder: ownStage(scheduler),
    full: isStageFull(scheduler),
    waiting: waitingOutputs(scheduler),
  },
  down: scheduler.down,
  paused: scheduler.paused,
  capacity: {
    cpus: scheduler.budget.cpusMilli / 1000,
    memory_bytes: scheduler.capacity.memory,
    reserve_bytes: scheduler.capacity.memory - scheduler.budget.memory,
  },
  runs: { queued: scheduler.queue.size, active: scheduler.live.size },
  damaged: scheduler.queue.damaged.slice(0, mostDamaged),
});
