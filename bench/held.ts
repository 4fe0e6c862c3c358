/**
 * How long a run that needs more than its limit hangs there: seconds from reaching the limit (256 MB) to its end, with one process and with
 * four, with margins of 5, 10 and 25 %, under orca (which ends held runs after 10 s here; 120 is what is set without a word) and beside it
 * under the kernel alone, waited for 150 s (or the first argument) at most. Needs a kernel with cgroup v2: `npm run test:vm -- --bench held`.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { plainSubmission } from '../test/e2e/support/plain-submission.ts';
import { Cgroup, cgroupOfProcess } from '../test/vm/support/cgroup.ts';
import { baseCgroup, eat } from '../test/vm/support/place.ts';
import type { RunJson, SubmitAnswer } from '../src/wire/api.ts';
import { call } from './support/call.ts';
import { BenchOrca, printTable } from './support/orca.ts';

const boundMs = Number(process.argv[2] ?? 150) * 1000;
const heldSeconds = 10;
const limitMib = 256;
const limitBytes = limitMib * 1048576;
const everyMs = 50;

const needs: readonly (readonly [string, readonly string[]])[] = [
  ['one process', ['anon', '1G']],
  ['four processes', ['fork', '4', 'anon', '512M']],
];

/** Milliseconds from when the cgroup is at its limit to when it is empty; null when that does not come in time. */
const timeAtLimit = async (cgroup: string): Promise<number | null> => {
  const wait = async (done: () => boolean, withinMs: number): Promise<boolean> => {
    for (const begun = performance.now(); performance.now() - begun < withinMs; await setTimeout(everyMs))
      if (done()) return true;
    return false;
  };
  const text = (file: string): string => {
    try {
      return readFileSync(join(cgroup, file), 'utf8');
    } catch {
      // It is removed once it is empty.
      return 'populated 0';
    }
  };
  const empty = (): boolean => text('cgroup.events').includes('populated 0');
  await wait(() => Number(text('memory.current')) >= limitBytes || empty(), 120_000);
  const reached = performance.now();
  return (await wait(empty, boundMs)) ? performance.now() - reached : null;
};

const underOrca = async (orca: BenchOrca, words: readonly string[]): Promise<string> => {
  const memory = { min_bytes: limitBytes, max_bytes: limitBytes };
  const request = { ...plainSubmission(`held-${performance.now()}`, [eat, ...words]), memory };
  const { runs } = await call<SubmitAnswer>(orca, 'POST', '/api/runs', request);
  const path = `/api/runs/${runs[0]}`;
  let run = await call<RunJson>(orca, 'GET', path);
  for (; run.starts[0]?.pid == null; run = await call<RunJson>(orca, 'GET', path)) await setTimeout(20);
  const ms = await timeAtLimit(join(baseCgroup, cgroupOfProcess(run.starts[0].pid)));
  await call(orca, 'POST', '/api/wait', { runs, detail: 'final' });
  const { evidence } = await call<RunJson>(orca, 'GET', path);
  return `${secondsWords(ms)} (${evidence})`;
};

const byTheKernelAlone = async (marginPercent: number, words: readonly string[]): Promise<string> => {
  await using cgroup = new Cgroup({
    'memory.high': String(limitBytes),
    'memory.max': String(Math.ceil((limitMib * (100 + marginPercent)) / 100) * 1048576),
    'memory.oom.group': '1',
    'memory.swap.max': '0',
  });
  const enter = `echo $$ >'${cgroup.path}/cgroup.procs'; exec '${eat}' ${words.join(' ')}`;
  spawn('sh', ['-c', enter], { stdio: 'ignore' });
  await cgroup.until('a process', () => cgroup.pids().length > 0);
  return secondsWords(await timeAtLimit(cgroup.path));
};

const secondsWords = (ms: number | null): string =>
  ms === null ? `>${boundMs / 1000} s` : `${(ms / 1000).toFixed(1)} s`;

const rows: string[][] = [['', 'margin', 'orca', 'the kernel alone']];
for (const margin of [5, 10, 25]) {
  using orca = new BenchOrca({
    ORCA_RUN_MEMORY_HELD_SECONDS: String(heldSeconds),
    ORCA_RUN_MEMORY_MARGIN: String(margin),
  });
  orca.run('up');
  for (const [name, words] of needs) {
    rows.push([name, `${margin} %`, await underOrca(orca, words), await byTheKernelAlone(margin, words)]);
    console.log(rows.at(-1)?.join('  '));
  }
}
printTable(rows);
