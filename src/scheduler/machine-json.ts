import { inOrder } from '../admission/place.ts';
import type { Waiting } from '../admission/types.ts';
import { newestMinute } from '../sample/minutes.ts';
import { sampleLine, type SampleLine } from '../sample/sample-line.ts';
import { briefRuns } from '../store/brief-runs.ts';
import { bytesOfMib, type RunId } from '../units/brands.ts';
import { coresLately } from '../usage/cores-lately.ts';
import type { MachineJson, QueuedJson, RunningJson } from '../wire/api.ts';
import type { LiveStart } from './live-start.ts';
import { lastRound, waitOf } from './reason-of.ts';
import { ownCpuSeconds, runsRss, sampleMs } from './sampling.ts';
import type { Scheduler } from './scheduler.ts';
import { memoryNote } from './watch-memory.ts';

/** So many of the queue are told, from its head; the others are counted. */
const queuedTold = 200;
/** Over which cores are told. */
const coresSeconds = 2;

/** How the machine and all that runs and waits on it stand now. Of runs it tells what the last pass saw: asking costs none. */
export const machineJson = async (scheduler: Scheduler): Promise<MachineJson> => {
  const { host, identity, sampling, budget, capacity, down, live, queue } = scheduler;
  const queued = await queuedJson(scheduler);
  return {
    at: host.now(),
    version: identity.version,
    down,
    paused: scheduler.paused,
    capacity: {
      cpus: budget.cpusMilli / 1000,
      memory_bytes: capacity.memory,
      reserve_bytes: capacity.memory - budget.memory,
    },
    sample: newestSample(scheduler),
    minute: newestMinute(sampling.minutes, host.now()),
    running: [...live.values()].map((one) => runningJson(scheduler, one)).sort((a, b) => a.id - b.id),
    queued,
    queued_count: queue.size,
  };
};

const runningJson = (scheduler: Scheduler, live: LiveStart): RunningJson => {
  const { row, run, start, startedAt, meter, cap, limit, uuid, lastRss, claimedAt } = live;
  const look = live.cgroup === null ? null : scheduler.contained.lookOf(uuid);
  // Without a request and a cap the limit is what it counts as, and nothing that it has to keep to.
  const limited = row.memory_min_bytes !== null || cap !== null;
  return {
    id: run,
    name: row.name,
    argv: row.argv,
    start,
    started_at: startedAt,
    claimed_at: claimedAt,
    rss_bytes: lastRss,
    cgroup_bytes: look?.currentBytes ?? null,
    limit_bytes: limited ? bytesOfMib(limit) : null,
    cores: coresLately(meter.marks, coresSeconds),
    stall_percent: look?.fullAvg10 ?? null,
    reason: scheduler.troubles.get(run) ?? memoryNote(scheduler, run),
  };
};

const queuedJson = async (scheduler: Scheduler): Promise<QueuedJson[]> => {
  const ids: RunId[] = [];
  for (const { run } of inQueueOrder(scheduler)) {
    if (ids.length >= queuedTold) break;
    ids.push(run);
  }
  const known = new Map((await briefRuns(scheduler.store.read, ids)).map((run) => [run.id, run]));
  return ids.flatMap((id) => {
    const run = known.get(id);
    // One that was started meanwhile waits no more.
    if (run === undefined || !scheduler.queue.has(id)) return [];
    return [{ ...run, ...waitOf(scheduler, id) }];
  });
};

function* inQueueOrder(scheduler: Scheduler): Generator<Waiting> {
  yield* scheduler.queue.nested();
  yield* inOrder(scheduler.queue, lastRound(scheduler));
  yield* scheduler.queue.apart();
}

/** Who asks twice within half a second gets the same one: shorter times tell nothing. */
const freshMs = 500;
/** An older look would tell the machine's past. */
const staleMs = 30_000;

/** Taken now, also when nothing runs and none is written; it covers the time since the last time that somebody asked. */
const newestSample = (scheduler: Scheduler): SampleLine => {
  const { sampling, host } = scheduler;
  const { asked } = sampling;
  const nowMs = sampleMs(host);
  if (asked !== null && nowMs - asked.look.at < freshMs) return asked.line;
  const look = sampling.looks.look();
  const before = [asked?.look, sampling.hostBefore].find((one) => one != null && look.at - one.at < staleMs) ?? look;
  const run = { rss: runsRss(scheduler.live.values()), containers: null, cgroup: null, selfCpu: ownCpuSeconds() };
  const line = sampleLine(sampling.machine, before, look, run);
  sampling.asked = { look, line };
  return line;
};
