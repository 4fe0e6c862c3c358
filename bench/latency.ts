/**
 * From the request at the daemon's socket to the command's first instruction: 200 (or the first argument) runs one after the other on an idle
 * daemon, beside the same program forked by this process. The program is a C one that writes the clock, so no interpreter's start is in it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { BenchOrca, printTable, quantile } from './support/orca.ts';
import { plainSubmission } from '../test/e2e/support/plain-submission.ts';
import type { RunJson, SubmitAnswer } from '../src/wire/api.ts';

const count = Number(process.argv[2] ?? 200);
using orca = new BenchOrca();
const clock = join(orca.folder, 'clock');
writeFileSync(
  `${clock}.c`,
  `#include <stdio.h>
#include <time.h>
int main(void) { struct timespec t; clock_gettime(CLOCK_REALTIME, &t); printf("%lld.%09ld", (long long)t.tv_sec, t.tv_nsec); return 0; }`,
);
execFileSync('cc', ['-O2', '-static', '-o', clock, `${clock}.c`]);
orca.run('up');
const socketPath = (JSON.parse(readFileSync(join(orca.folder, 'state/daemon.json'), 'utf8')) as { socket: string })
  .socket;

const call = <T>(method: string, path: string, body?: object): Promise<T> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      { socketPath, method, path, headers: { 'content-type': 'application/json' } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        answer.on('end', () => resolve((text.startsWith('{') && !text.includes('\n{') ? JSON.parse(text) : text) as T));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });

const now = (): number => performance.timeOrigin + performance.now();
const throughOrca: number[] = [];
for (let index = 0; index < count; index += 1) {
  const asked = now();
  const { runs } = await call<SubmitAnswer>('POST', '/api/runs', plainSubmission(randomUUID(), [clock]));
  await call('POST', '/api/wait', { runs, detail: 'final' });
  const run = await call<RunJson>('GET', `/api/runs/${runs[0]}`);
  throughOrca.push(Number(readFileSync(run.starts[0]?.logs.stdout ?? '', 'utf8')) * 1000 - asked);
}
const forked: number[] = [];
for (let index = 0; index < count; index += 1) {
  const asked = now();
  forked.push(Number(spawnSync(clock, { encoding: 'utf8' }).stdout) * 1000 - asked);
}
const row = (name: string, values: readonly number[]): string[] => [
  name,
  ...[0.5, 0.99].map((q) => quantile(values, q).toFixed(2)),
];
printTable([
  ['ms to the first instruction', 'p50', 'p99'],
  row('orca, from the request', throughOrca),
  row('a fork by Node', forked),
]);
