/**
 * From the request at the daemon's socket to the command's first instruction: 200 (or the first argument) runs one after the other on an idle
 * daemon, beside the same program forked by this process. The program is a C one that writes the clock, so no interpreter's start is in it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clockNow, firstInstructions } from './support/first-instruction.ts';
import { BenchOrca, printTable, quantile } from './support/orca.ts';

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
const throughOrca = await firstInstructions(orca, [clock], count);
const forked: number[] = [];
for (let index = 0; index < count; index += 1) {
  const asked = clockNow();
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
