/**
 * Three agents on one machine of 1,350 MB and two cores, each with real work (compiles, `xz -9`, `sort`) that it calls with a time limit of its own: a call that takes
 * longer is killed, process group and all, and made again with twice the time, as is one that died. Once running free, once under orca (`submit --key … --wait`), the same work:
 * how many calls died, how long all took, what was done twice, what was printed. `node bench/agents.ts [ROUNDS]`: 10 rounds take some ten minutes a side on two cores.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Box } from './support/box.ts';
import { BenchOrca, printTable, program } from './support/orca.ts';

const rounds = Number(process.argv[2] ?? 10);
const mib = 1048576;
const boxBytes = 1350 * mib;
const firstLimitMs = 15_000;
const callsMost = 12;

const folder = mkdtempSync(join(tmpdir(), 'orca-agents-'));
const file = (name: string): string => join(folder, name);

/** What an agent wants done, once for each round. */
interface Work {
  readonly agent: string;
  readonly memory: string;
  readonly script: (round: number, side: string) => string;
}

const works: readonly Work[] = [
  {
    agent: 'compile',
    memory: '400MB',
    script: (round, side) => `cc -O2 -DROUND=${round} -c '${file('large.c')}' -o '${file(`large.${side}.${round}.o`)}'`,
  },
  {
    agent: 'xz',
    memory: '700MB',
    script: (round, side) => `xz -9 -T1 -v -k -c '${file('input')}' > '${file(`input.${side}.${round}.xz`)}'`,
  },
  {
    agent: 'sort',
    memory: '420MB',
    script: (round, side) =>
      `sort -S 450M --parallel=1 -T '${folder}' '${file('lines')}' > '${file(`lines.${side}.${round}`)}'`,
  },
];

const makeInputs = (): void => {
  const functions = Array.from(
    { length: 9000 },
    (_, index) =>
      `int f${index}(int x) { int y = x * ${index} + ROUND; for (int i = 0; i < y % 7; i += 1) y ^= (y << 3) + i * ${index + 1}; return y; }`,
  );
  writeFileSync(file('large.c'), functions.join('\n'));
  execFileSync('sh', ['-c', `tar -cf - /usr/lib 2>/dev/null | head -c ${70 * mib} > '${file('input')}'`]);
  execFileSync('sh', ['-c', `od -An -v -tx8 -w16 '${file('input')}' | head -c ${240 * mib} > '${file('lines')}'`]);
};

interface Told {
  calls: number;
  died: number;
  cut: number;
  bytes: number;
  undone: number;
}

/** One call of an agent, as its harness makes it: the whole process group is killed when its time is over. */
const call = (args: readonly string[], env: NodeJS.ProcessEnv, limitMs: number, told: Told): Promise<number | 'cut'> =>
  new Promise((resolve) => {
    const [name = '', ...rest] = args;
    const child = spawn(name, rest, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let cut = false;
    const timer = setTimeout(() => {
      cut = true;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limitMs);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => (told.bytes += piece.length));
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      told.calls += 1;
      if (cut) told.cut += 1;
      else if (code !== 0) told.died += 1;
      resolve(cut ? 'cut' : (code ?? (signal === null ? 1 : 137)));
    });
  });

type Caller = (work: Work, round: number) => readonly string[];

const agent = async (work: Work, caller: Caller, env: NodeJS.ProcessEnv, told: Told): Promise<void> => {
  for (let round = 0; round < rounds; round += 1) {
    let done = false;
    let limitMs = firstLimitMs;
    for (let calls = 0; calls < callsMost && !done; calls += 1) {
      const end = await call(caller(work, round), env, limitMs, told);
      done = end === 0;
      // Who was cut off takes more time for the next call.
      if (end === 'cut') limitMs = Math.min(limitMs * 2, 480_000);
    }
    if (!done) told.undone += 1;
  }
};

const side = async (name: string, caller: Caller, env: NodeJS.ProcessEnv): Promise<readonly string[]> => {
  const told: Told = { calls: 0, died: 0, cut: 0, bytes: 0, undone: 0 };
  const box = new Box(`orca-agents-${process.pid}-${name}`, boxBytes);
  const began = performance.now();
  box.enter();
  using orca = name === 'orca' ? new BenchOrca({ ...env, ORCA_RESERVE_MB: '200' }) : null;
  try {
    await Promise.all(works.map((work) => agent(work, caller, orca?.env ?? env, told)));
  } finally {
    box.leave();
  }
  const seconds = (performance.now() - began) / 1000;
  const starts = readFileSync(file(`started.${name}`), 'utf8')
    .trim()
    .split('\n').length;
  const row = [
    name,
    String(works.length * rounds - told.undone),
    String(told.calls),
    String(told.cut),
    String(told.died),
    String(box.killed),
    `${seconds.toFixed(0)} s`,
    String(starts - works.length * rounds),
    `${box.cpuSeconds.toFixed(0)} s`,
    String(told.bytes),
  ];
  orca?.run('down', '--drain');
  await box[Symbol.asyncDispose]();
  return row;
};

const scriptOf = (work: Work, round: number, name: string): string =>
  `echo ${work.agent} ${round} >> '${file(`started.${name}`)}'; exec ${work.script(round, name)}`;

makeInputs();
const { PATH, LANG } = process.env;
const env = { PATH, LANG, HOME: folder };
const rows = [
  await side('free', (work, round) => ['sh', '-c', scriptOf(work, round, 'free').replace('exec ', '')], env),
  await side(
    'orca',
    (work, round) => [
      ...[process.execPath, program, 'submit', '--as', work.agent, '--key', `${work.agent}-${round}`, '--wait'],
      ...['--memory', work.memory, '--', 'sh', '-c', scriptOf(work, round, 'orca').replace('exec ', '')],
    ],
    env,
  ),
];
rmSync(folder, { recursive: true, force: true });
printTable([
  ['', 'done', 'calls', 'cut off', 'died', 'kernel kills', 'makespan', 'started again', 'CPU', 'bytes printed'],
  ...rows,
]);
