import type { RunJson, StartJson } from '../../../src/wire/api.ts';

const mb = 1048576;
const at = Date.UTC(2026, 10, 30, 8, 12, 3);

/** A start that ended well, but for what is given. */
export function buildStart(changes: Partial<StartJson> = {}): StartJson {
  const start = changes.start ?? 1;
  return {
    start,
    state: 'ended',
    grant_bytes: 256 * mb,
    limit_bytes: 256 * mb,
    cap_bytes: 320 * mb,
    pid: 4711,
    claimed_at: at,
    started_at: at,
    ended_at: at + 41_000,
    exit_code: 0,
    signal: null,
    verdict: 'succeeded',
    evidence: null,
    text: 'ended well',
    next_limit_bytes: null,
    peak_source: 'samples',
    cpu_source: 'wait4',
    kernel_peak_bytes: null,
    kernel_cpu_seconds: null,
    memory_events: null,
    memory_stall_ms: null,
    memory_stall_full_ms: null,
    gap: false,
    peak_rss_bytes: 200 * mb,
    cpu_seconds: 40.06,
    peak_cpus: 1.02,
    logs: { stdout: `/state/logs/_command/12/${start}.stdout`, stderr: `/state/logs/_command/12/${start}.stderr` },
    ...changes,
  };
}

/** A run that succeeded in one start, but for what is given. */
export function buildRun(changes: Partial<RunJson> = {}): RunJson {
  return {
    id: 12,
    pipeline: 'command',
    name: null,
    state: 'succeeded',
    argv: ['xz', '-9', 'big file'],
    cwd: '/data',
    priority: 0,
    request: { cpus: 1, memory_min_bytes: 256 * mb, memory_max_bytes: 2048 * mb },
    retries: 0,
    timeout_ms: null,
    oom: { retry: 'proved', exit_codes: [], text: null },
    gpus: 0,
    locks: [],
    resources: {},
    after: [],
    group: null,
    max_parallel: null,
    key: null,
    tags: [],
    submitter: null,
    inputs: [],
    retry_on: null,
    memory_env: [],
    capture: 'all',
    cpus_asked: false,
    key_window_ms: null,
    placement: null,
    secrets: {},
    paused: null,
    damage: null,
    inside: null,
    work_outside: null,
    reason: null,
    waiting: null,
    end_unstored: false,
    submitted_at: at - 2000,
    started_at: at,
    ended_at: at + 41_000,
    exit_code: 0,
    signal: null,
    text: 'ended well',
    evidence: null,
    exit_status: 0,
    starts_count: 1,
    kill: null,
    peak_rss_bytes: 200 * mb,
    cpu_seconds: 40.06,
    peak_cpus: 1.02,
    oom_peak_bytes: null,
    starts: [buildStart()],
    ...changes,
  };
}

/** The same that died for memory once and then succeeded. */
export function buildRetriedRun(): RunJson {
  const death = buildStart({
    ended_at: at + 10_000,
    exit_code: null,
    signal: 9,
    verdict: 'out-of-memory',
    evidence: 'sampled-cap',
    text: 'out of memory at 256 MB: orca saw it using 331 MB, over its cap of 320 MB, and ended it; the next start gets 384 MB (limit × 1.5)',
    next_limit_bytes: 384 * mb,
    peak_rss_bytes: 331 * mb,
    cpu_seconds: 9.5,
  });
  const second = buildStart({ start: 2, started_at: at + 10_100, limit_bytes: 384 * mb, peak_rss_bytes: 370 * mb });
  return buildRun({ starts_count: 2, starts: [death, second], peak_rss_bytes: 370 * mb });
}

export const buildNow = at + 101_000;
