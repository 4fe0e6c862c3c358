import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Orca } from './support/orca.ts';
import { killHard, untilGone } from './support/processes.ts';
import { until } from './support/until.ts';

/** Writes a line whenever a file of its number is there. */
const script = `n=1; while [ $n -le 4 ]; do until [ -e go$n ]; do sleep 0.05; done; echo "line $n"; n=$((n + 1)); done`;

const records = (log: string): [offset: number, ms: number][] =>
  (existsSync(`${log}.times`) ? readFileSync(`${log}.times`, 'latin1') : '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => [Number(line.split(' ')[0]), Number(line.split(' ')[1])]);

const untilNoted = (log: string, offset: number): Promise<number> =>
  until(() => records(log).find(([length]) => length === offset)?.[1] ?? null, `${offset} bytes are noted`);

const moment = (ms: number): string => new Date(ms).toISOString();

test('--since gives what was written since then, also with -f and over a daemon’s death, and nothing is noted while a run is quiet', async (t) => {
  const orca = new Orca(t);
  const run = await orca.submit('--', 'sh', '-c', script);
  const log = join(orca.state, 'logs', '_command', String(run), '1.stdout');
  const go = (line: number): void => writeFileSync(join(orca.folder, `go${line}`), '');
  const since = async (ms: number): Promise<string> =>
    (await orca.run(['logs', String(run), '--since', moment(ms)])).stdout;
  go(1);
  const first = await untilNoted(log, 7);
  await until(() => (Date.now() > first + 1500 ? true : null), 'it was quiet for a while');
  const { size } = statSync(`${log}.times`);
  const between = Date.now();
  await until(() => (Date.now() > between + 2500 ? true : null), 'it was quiet for longer');
  assert.equal(statSync(`${log}.times`).size, size);
  go(2);
  await untilNoted(log, 14);
  assert.equal(await since(between), 'line 2\n');
  assert.equal(await since(0), 'line 1\nline 2\n');
  const following = orca.start(['logs', '-f', String(run), '--since', moment(between)]);
  await once(following.child.stdout ?? following.child, 'data');
  const pid = orca.daemonPid() ?? 0;
  await killHard(pid);
  await untilGone(pid);
  go(3);
  await orca.run(['up']);
  await untilNoted(log, 21);
  go(4);
  await orca.run(['wait', String(run)]);
  assert.equal((await following.ended).stdout, 'line 2\nline 3\nline 4\n');
  assert.match(await since(between), /^line 2\nline 3\nline 4\n$/);
  assert.equal((await orca.run(['logs', String(run), '--since', moment(Date.now() + 60_000)])).stdout, '');
  assert.equal((await orca.run(['logs', String(run), '--since', '1h'])).stdout, 'line 1\nline 2\nline 3\nline 4\n');
  const both = await orca.run(['logs', String(run), '--since', '1h', '--tail', '3']);
  assert.match(both.stderr, /--since.*--tail/);
  assert.notEqual(both.status, 0);
  assert.match((await orca.run(['logs', String(run), '--since', '417'])).stderr, /neither a duration nor a moment/);
});
