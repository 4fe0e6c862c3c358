/**
 * What logs cost: MB/s through keep-log with 0, 1 and 100 secrets beside a plain copy, and 400 MB of output through the cap beside a plain redirect.
 * The argument: MB of log for the first part (64).
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepLog } from '../src/logs/keep-log.ts';
import { maskValues } from '../src/secrets/mask-values.ts';
import type { RunJson } from '../src/wire/api.ts';
import { BenchOrca, printTable, program, quantile, timed } from './support/orca.ts';

const mb = 1048576;
const size = Number(process.argv[2] ?? 64) * mb;
const rounds = 3;
const folder = mkdtempSync(join(tmpdir(), 'orca-bench-logs-'));

const line = (at: number): string =>
  `2026-11-30T14:00:${at % 60} INFO request ${at} took ${(at * 7) % 1000} ms path=/api/items/${at}?q=a%20b {"user":"u${at % 97}","text":"one\\ntwo"}\n`;
const logText = Buffer.from(Array.from({ length: 8000 }, (_, at) => line(at)).join(''));
const prose = Buffer.from(
  'The quick brown fox jumps over the lazy dog, and goes on to run for a while.\n'.repeat(10_000),
);

const median = async (work: () => void | Promise<void>): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await timed(work));
  return quantile(times, 0.5);
};
const rate = (ms: number): string => (size / mb / (ms / 1000)).toFixed(0);

const source = join(folder, 'source');
const stage = join(folder, 'stage');
const log = join(folder, 'log');
const secrets = Array.from({ length: 100 }, (_, at) => ({ name: `S${at}`, value: randomBytes(30).toString('base64') }));

const rows: string[][] = [['MB/s', 'copy', 'keep-log, 0 secrets', '1', '100']];
for (const [name, text] of [
  ['lines of a server, escapes in each', logText],
  ['prose', prose],
] as const) {
  writeFileSync(source, Buffer.alloc(size, text));
  const kept = async (count: number): Promise<string> => {
    const { open } = maskValues(secrets.slice(0, count));
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      copyFileSync(source, stage);
      rmSync(log, { force: true });
      times.push(await timed(() => keepLog({ stage, log, open })));
    }
    return rate(quantile(times, 0.5));
  };
  const copied = await median(() => void spawnSync('sh', ['-c', `cat '${source}' > '${log}' && sync -d '${log}'`]));
  rows.push([name, rate(copied), await kept(0), await kept(1), await kept(100)]);
}
printTable(rows);
rmSync(folder, { recursive: true });

const script = "yes 'a line of the log that is neither long nor short' | head -c 400M";
const outputs: string[][] = [['\n400 MB of output', 's', 'MB on disk after']];
{
  using orca = new BenchOrca();
  orca.run('up');
  const file = join(orca.folder, 'redirect');
  const plain = await median(() => void spawnSync('bash', ['-c', `${script} > '${file}'`]));
  outputs.push(['bash, redirected', (plain / 1000).toFixed(2), (statSync(file).blocks / 2048).toFixed(0)]);
  rmSync(file);
  for (const max of ['0', '64']) {
    const env = { ...orca.env, ORCA_LOG_MAX_MB: max };
    const words = [program, 'submit', '--wait', '--json', '--', 'bash', '-c', script];
    const times: number[] = [];
    let log = '';
    for (let round = 0; round < rounds; round += 1) {
      times.push(
        await timed(() => {
          const { stdout } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
          log = (JSON.parse(stdout) as RunJson).starts[0]?.logs.stdout ?? '';
        }),
      );
    }
    const disk = (statSync(log).blocks / 2048).toFixed(0);
    outputs.push([
      max === '0' ? 'a run, no cap' : 'a run, capped at 64 MB',
      (quantile(times, 0.5) / 1000).toFixed(2),
      disk,
    ]);
  }
}
printTable(outputs);
