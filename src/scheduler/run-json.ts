import { damagedWords } from '../runs/damaged-words.ts';
import { workOutside } from '../runs/work-outside.ts';
import type { Run, RunWithStarts } from '../store/run.ts';
import type { StartRow } from '../store/schema.ts';
import type { RunJson, RunSummaryJson, StartJson } from '../wire/api.ts';
import { baseOfLogs, whereLogIs } from './moved-logs.ts';
import { whyWaiting } from './keep-logs.ts';
import { waitOf, type Wait } from './reason-of.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { timeLimitNote } from './time-limit-note.ts';
import { memoryNote } from './watch-memory.ts';

/** A stored run as clients see it, with what only memory knows: why it waits, and what it uses now. */
export const runSummaryJson = (scheduler: Scheduler, run: Run): RunSummaryJson => ({
  id: run.id,
  pipeline: run.pipeline,
  name: run.name,
  state: run.state,
  argv: run.argv,
  cwd: run.cwd,
  priority: run.priority,
  request: {
    cpus: run.cpus_milli / 1000,
    memory_min_bytes: run.memory_min_bytes,
    memory_max_bytes: run.memory_max_bytes,
  },
  retries: run.retries,
  timeout_ms: run.timeout_ms,
  oom: run.oom,
  gpus: run.needs.gpus,
  locks: run.needs.locks,
  resources: run.needs.resources,
  after: run.needs.after,
  group: run.group_id,
  max_parallel: run.needs.max_parallel,
  key: run.key,
  ...run.extras,
  submitter: run.submitter,
  placement: run.placement,
  secrets: run.secrets,
  paused: run.paused,
  inside: run.parent_run,
  work_outside: workOutside(run.argv),
  damage: run.damage,
  ...waitFor(scheduler, run),
  end_unstored: scheduler.live.get(run.id)?.unstoredEnd ?? false,
  submitted_at: run.submitted_at,
  started_at: run.started_at,
  ended_at: run.ended_at,
  exit_code: run.exit_code,
  signal: run.signal,
  text: run.text,
  evidence: run.evidence,
  exit_status: run.exit_status,
  starts_count: run.starts_count,
  kill: run.kill_at === null ? null : { at: run.kill_at, by: run.kill_by ?? 'a person' },
  peak_rss_bytes: run.peak_rss_bytes ?? livePeak(scheduler, run),
  cpu_seconds: run.cpu_seconds,
  peak_cpus: run.peak_cpus,
  oom_peak_bytes: run.oom_peak_bytes,
});

export const runJson = (scheduler: Scheduler, { run, starts }: RunWithStarts): RunJson => ({
  ...runSummaryJson(scheduler, run),
  starts: starts.map((start) => startJson(scheduler, run, start)),
});

const startJson = (scheduler: Scheduler, run: Run, start: StartRow): StartJson => {
  const live = scheduler.live.get(run.id);
  const logs_waiting = whyWaiting(scheduler, run.id, start.start);
  return {
    ...storedStart(scheduler, start),
    logs_waiting,
    ...(live?.start === start.start ? measuredSoFar(live, start) : {}),
  };
};

const storedStart = (scheduler: Scheduler, start: StartRow): StartJson => ({
  start: start.start,
  state: start.state,
  grant_bytes: start.grant_bytes,
  limit_bytes: start.limit_bytes,
  cap_bytes: start.cap_bytes,
  pid: start.pid,
  claimed_at: start.claimed_at,
  started_at: start.started_at,
  ended_at: start.ended_at,
  exit_code: start.exit_code,
  signal: start.signal,
  verdict: start.verdict,
  evidence: start.evidence,
  text: start.text,
  next_limit_bytes: start.next_limit_bytes,
  peak_source: start.peak_source,
  cpu_source: start.cpu_source,
  kernel_peak_bytes: start.kernel_peak_bytes,
  kernel_cpu_seconds: start.kernel_cpu_seconds,
  memory_events: memoryEvents(start),
  memory_stall_ms: start.memory_stall_ms,
  memory_stall_full_ms: start.memory_stall_full_ms,
  gap: start.gap === 1,
  lost_output: start.lost_output,
  logs: {
    stdout: whereLogIs(start, 'stdout'),
    stderr: whereLogIs(start, 'stderr'),
    moving: movingOf(scheduler, start),
  },
  peak_rss_bytes: start.peak_rss_bytes,
  cpu_seconds: start.cpu_seconds,
  peak_cpus: start.peak_cpus,
});

const movingOf = ({ logMoving }: Scheduler, start: StartRow): Required<StartJson['logs']>['moving'] => {
  if (start.logs_to === null || start.moved_logs !== null || start.state !== 'ended') return null;
  return { to: start.logs_to, why: logMoving.holds.whyOf(start.run, baseOfLogs(start.logs_to, start.run)) };
};

const memoryEvents = ({ oom, oom_kill, oom_group_kill }: StartRow): StartJson['memory_events'] =>
  oom === null && oom_kill === null ? null : { oom, oom_kill, oom_group_kill };

/** Of a start that goes on. */
const measuredSoFar = ({ meter, gap }: LiveStart, stored: StartRow): Partial<StartJson> => {
  if (stored.state === 'ended') return {};
  const peak = meter.peakRss;
  return { peak_rss_bytes: peak, peak_source: peak === null ? null : 'samples', gap };
};

const waitFor = (scheduler: Scheduler, run: Run): Wait => {
  const { id, state, damage } = run;
  // Also before its turn came, when that was found.
  if (state === 'queued' && damage !== null)
    return { reason: damagedWords({ run: id, what: damage }), waiting: damagedWait };
  if (state === 'queued') return waitOf(scheduler, id);
  const fetching = scheduler.fetching.has(id) ? 'its secrets are being fetched' : null;
  const notes = [timeLimitNote(scheduler, run), memoryNote(scheduler, id)].filter((note) => note !== null);
  const running = state === 'running' && notes.length > 0 ? notes.join('; ') : null;
  const reason = scheduler.troubles.get(id) ?? fetching ?? running;
  return { reason, waiting: null };
};

const damagedWait = { kind: 'damaged', holders: [], position: null, of: null, estimate_ms: null } as const;

const livePeak = (scheduler: Scheduler, run: Run): number | null => scheduler.live.get(run.id)?.meter.peakRss ?? null;
