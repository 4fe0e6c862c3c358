import { mkdtempSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bareKeeper } from '../support/bare-keeper.ts';
import { has, timed, type BenchOrca } from '../support/orca.ts';

interface Contender {
  readonly name: string;
  /** The program that it needs; none for our own. */
  readonly needs: string | null;
  /** Of more it is not asked: it looks at every job that ever was for each new one, and would take an hour. */
  readonly most?: number;
  readonly drain: (count: number) => void | Promise<void>;
}

/**
 * Those who start `true` as often as they are told, two at a time. What they write stays until the bench is over: on ext4 files are made slowly
 * where others were just deleted.
 */
export const contenders = (folder: string, orca: BenchOrca): readonly Contender[] => {
  const fresh = (): string => mkdtempSync(join(folder, 'drain-'));
  const lines = (count: number): string => {
    const file = join(fresh(), 'lines');
    writeFileSync(file, Array.from({ length: count }, (_, index) => `${index}\n`).join(''));
    return file;
  };
  const sh = (script: string, env: NodeJS.ProcessEnv = {}): void => {
    const { status, stderr } = spawnSync('sh', ['-c', script], { env: { ...process.env, ...env }, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${script}: ${stderr}`);
  };
  return [
    {
      name: 'orca',
      needs: null,
      drain: (count) => void orca.run('submit', '--each-line', lines(count), '--wait', '--', 'true', '{}'),
    },
    { name: 'bare keeper', needs: null, drain: (count) => bareKeeper(fresh(), count, 2) },
    { name: 'xargs -P2', needs: 'xargs', drain: (count) => sh(`xargs -P2 -n1 true < ${lines(count)}`) },
    {
      name: 'task-spooler',
      needs: 'tsp',
      drain: (count) =>
        sh(`tsp -S 2; while read -r line; do tsp -n true "$line" > /dev/null; done < ${lines(count)}; tsp -w; tsp -K`, {
          TS_SOCKET: join(fresh(), 'tsp'),
          TS_MAXFINISHED: '10',
          TS_MAXCONN: '1000',
        }),
    },
    {
      name: 'nq (one at a time)',
      needs: 'nq',
      most: 1000,
      drain: (count) =>
        sh(`while read -r line; do nq -q true "$line"; done < ${lines(count)}; nq -w`, { NQDIR: fresh() }),
    },
    { name: 'GNU parallel', needs: 'parallel', drain: (count) => sh(`parallel -j2 true < ${lines(count)}`) },
  ];
};

/** Runs a second of each contender that is there, of as many rounds, in turns. */
export const drainRates = async (
  those: readonly Contender[],
  count: number,
  rounds: number,
): Promise<Map<string, number[]>> => {
  const rates = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, needs, most = Infinity, drain } of those) {
      if (count > most || (needs !== null && !has(needs))) continue;
      const ms = await timed(() => drain(count));
      rates.set(name, [...(rates.get(name) ?? []), (count * 1000) / ms]);
    }
  }
  return rates;
};
