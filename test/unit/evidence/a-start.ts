import { noEvidence, type Evidence, type ExitFacts, type KillMark } from '../../../src/evidence/evidence.ts';

/** Builders: a start with a limit of 1000 MB and memory.max 1250 MB; each test says only what is special in it. */
export const mb = 1048576;

export const exitOf = (facts: Partial<ExitFacts>): ExitFacts => ({
  keeper: 'native',
  how: 'exited',
  code: null,
  signal: null,
  failed: null,
  marks: [],
  cgroup: null,
  shared: null,
  ...facts,
});

export const code = (n: number, facts: Partial<ExitFacts> = {}): ExitFacts =>
  exitOf({ how: 'exited', code: n, ...facts });
export const signal = (n: number, facts: Partial<ExitFacts> = {}): ExitFacts =>
  exitOf({ how: 'signalled', signal: n, ...facts });
/** What the `sh` keeper says of 128 + n. */
export const unknown = (n: number, facts: Partial<ExitFacts> = {}): ExitFacts =>
  exitOf({ keeper: 'sh', how: 'unknown', code: n, ...facts });

/** With no `groupKill` as a kernel before 5.17 has it. */
export const own = (
  oom: number | string,
  oomKill: number | string,
  groupKill: number | null = 7,
): NonNullable<ExitFacts['cgroup']> => ({
  path: '/sys/fs/cgroup/orca-run-1-1-7',
  events: `low 0\nhigh 9\nmax 4\noom ${oom}\noom_kill ${oomKill}\n${groupKill === null ? '' : `oom_group_kill ${groupKill}\n`}`,
  peak: null,
  oomd_kill: null,
  oomd_ooms: null,
});

export const shared = (
  before: number | string | null,
  after: number | string | null,
): NonNullable<ExitFacts['shared']> => ({
  file: '/proc/vmstat',
  before: before === null ? null : `oom_kill ${before}\n`,
  after: after === null ? null : `oom_kill ${after}\n`,
});

/** As of a run inside run 7, in whose cgroup the counter is. */
export const inside = (ended: boolean, counted = true): NonNullable<Evidence['parent']> => ({ run: 7, ended, counted });

export const mark = (name: KillMark['mark'], text = '', oomKill: number | null = null): KillMark => ({
  mark: name,
  at_ms: 1,
  oom_kill: oomKill,
  text,
});

export const start = (exit: ExitFacts | null, rest: Partial<Evidence> = {}): Evidence => ({
  ...noEvidence,
  exit,
  limitBytes: 1000 * mb,
  killAtBytes: 1250 * mb,
  capBytes: 1250 * mb,
  timeoutMs: 60_000,
  program: 'job',
  cwd: '/data',
  ...rest,
});
