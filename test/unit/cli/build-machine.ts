import type { MachineJson, QueuedJson, RunningJson, SampleJson } from '../../../src/wire/api.ts';

const mb = 1048576;
const at = Date.UTC(2026, 10, 30, 8, 15, 0);

export const buildSample = (changes: Partial<SampleJson> = {}): SampleJson => ({
  dt: 1,
  host: 'box',
  cores: 4,
  cpu: { user: 61.2, system: 4.1, busiest: 99 },
  mem: { total: 8192 * mb, used: 2048 * mb, rss: 900 * mb },
  disk: [
    { path: '/tmp', used: 30, free: 70 },
    { path: '/state', used: 80, free: 20 },
  ],
  load: [1.35, 1, 0.48],
  psi: {
    cpu: { some: 2.5, full: 0 },
    memory: { some: 0, full: 0 },
    io: { some: 12.4, full: 0.1 },
  },
  ...changes,
});

export const buildRunning = (id: number, changes: Partial<RunningJson> = {}): RunningJson => ({
  id,
  name: null,
  argv: ['xz', '-9', `part ${id}`],
  start: 1,
  claimed_at: at - 60_000,
  started_at: at - 60_000,
  rss_bytes: 312 * mb,
  cgroup_bytes: null,
  limit_bytes: 384 * mb,
  cores: 0.97,
  stall_percent: null,
  reason: null,
  ...changes,
});

export const buildQueued = (id: number, changes: Partial<QueuedJson> = {}): QueuedJson => ({
  id,
  name: null,
  argv: ['sleep', String(id)],
  submitted_at: at - 5000,
  reason: `is number ${id} in the queue`,
  waiting: null,
  ...changes,
});

export const buildMachine = (changes: Partial<MachineJson> = {}): MachineJson => ({
  at,
  version: '0.2.0',
  down: false,
  capacity: { cpus: 4, memory_bytes: 8192 * mb, reserve_bytes: 820 * mb },
  sample: buildSample(),
  minute: null,
  running: [],
  queued: [],
  queued_count: changes.queued?.length ?? 0,
  ...changes,
});
