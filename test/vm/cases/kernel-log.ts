import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { describe, test, type TestContext } from 'node:test';
import { KernelLog } from '../../../src/machine/kernel-log.ts';
import { openKernelLog } from '../../../src/machine/kernel-log-file.ts';
import { Cgroup } from '../support/cgroup.ts';
import { eat } from '../support/place.ts';

/** More than the log holds, whatever its size: it begins anew in between. */
const fillLog = (context: TestContext): void => {
  const limit = '/proc/sys/kernel/printk_devkmsg';
  const before = readFileSync(limit, 'utf8');
  writeFileSync(limit, 'on\n');
  context.after(() => writeFileSync(limit, before));
  const file = openSync('/dev/kmsg', 'w');
  const line = `<14>test: ${'x'.repeat(80)}\n`;
  for (let n = 0; n < 12_000; n += 1) writeSync(file, line);
  closeSync(file);
};

/** The pid of a process that the kernel has killed at a cgroup's limit. */
const killOne = async (cgroup: Cgroup): Promise<number> => {
  const child = spawn('sh', ['-c', `echo $$ >'${cgroup.path}/cgroup.procs'; exec '${eat}' anon 24M hold`]);
  await once(child, 'close');
  return child.pid ?? 0;
};

describe('the kernel log', () => {
  test('names who was killed and at whose limit, also after so much else that older records were overwritten', async (context) => {
    await using cgroup = new Cgroup({ 'memory.max': '16M' });
    const log = new KernelLog(openKernelLog);
    context.after(() => log.close());
    const first = await killOne(cgroup);
    const name = cgroup.path.split('/').at(-1) ?? '';
    const known = (await log.kills())?.find(({ pid }) => pid === first);
    assert.match(known?.memcg ?? '', new RegExp(`/${name}$`));
    const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1e6;
    assert.ok((known?.atUs ?? 0) > uptime - 60e6 && (known?.atUs ?? 0) < uptime + 1e6, `${known?.atUs} at ${uptime}`);

    fillLog(context);
    const second = await killOne(cgroup);
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 0);
    const began = performance.now();
    const kills = (await log.kills()) ?? [];
    clearInterval(ticking);
    console.log(`a full kernel log is read in ${Math.round(performance.now() - began)} ms, others had ${turns} turns`);
    assert.ok(turns > 2, `${turns} turns`);
    assert.deepEqual(
      kills.filter(({ pid }) => pid === first || pid === second).map(({ pid }) => pid),
      [first, second],
    );
  });
});
