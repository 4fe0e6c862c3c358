import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { KernelLog } from '../../../src/machine/kernel-log.ts';
import { openKernelLog, type KernelLogFile } from '../../../src/machine/kernel-log-file.ts';
import { inFirstPidNamespace } from '../../../src/machine/pid-namespace.ts';

const kill = (pid: number): string => `3,${pid},${pid},-;Out of memory: Killed process ${pid} (eat) total-vm:1kB\n`;

/** A log that holds these records for now; `read` counts them. */
const logOf = (records: (string | Error)[]): { file: KernelLogFile; read: () => number; closed: () => boolean } => {
  let at = 0;
  let closed = false;
  return {
    file: {
      next: () => {
        const record = records[at] ?? null;
        if (record !== null) at += 1;
        if (record instanceof Error) throw record;
        return record;
      },
      close: () => {
        closed = true;
      },
    },
    read: () => at,
    closed: () => closed,
  };
};
const pids = (kills: readonly { pid: number }[] | null): number[] | null => kills?.map(({ pid }) => pid) ?? null;

test('what is new is read on at every question, and what was read before is still known', async () => {
  const records = ['6,1,1,-;boot\n', kill(3)];
  const log = logOf(records);
  const kernelLog = new KernelLog(() => log.file);
  assert.equal(log.read(), 0);
  assert.deepEqual(pids(await kernelLog.kills()), [3]);
  records.push('', kill(5));
  assert.deepEqual(pids(await kernelLog.kills()), [3, 5]);
  assert.equal(log.read(), 4);
});

test('a log that cannot be read is none, and is tried again', async () => {
  const log = logOf([kill(3)]);
  let open = (): KernelLogFile | 'denied' => 'denied';
  const kernelLog = new KernelLog(() => open());
  assert.equal(await kernelLog.kills(), null);
  open = () => log.file;
  assert.deepEqual(pids(await kernelLog.kills()), [3]);
  const broken = logOf([kill(3), new Error('EIO')]);
  open = () => broken.file;
  kernelLog.close();
  assert.equal(await kernelLog.kills(), null);
  assert.equal(broken.closed(), true);
});

test('a thousand kills are remembered, the newest', async () => {
  const kernelLog = new KernelLog(() => logOf(Array.from({ length: 1200 }, (_, at) => kill(at + 1))).file);
  const kills = pids(await kernelLog.kills());
  assert.deepEqual([kills?.length, kills?.[0], kills?.at(-1)], [1000, 201, 1200]);
});

test('others have their turn while a full log is read, and who asks meanwhile hears of all of it', async () => {
  const slow = logOf(Array.from({ length: 40 }, (_, at) => kill(at + 1)));
  const next = (): string | null => {
    const until = performance.now() + 1;
    while (performance.now() < until);
    return slow.file.next();
  };
  const kernelLog = new KernelLog(() => ({ ...slow.file, next }));
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 0);
  const [one, other] = await Promise.all([kernelLog.kills(), kernelLog.kills()]);
  clearInterval(ticking);
  assert.deepEqual([one?.length, other?.length], [40, 40]);
  assert.ok(turns > 2, `${turns} turns`);
});

const folder = (t: TestContext): string => {
  const made = mkdtempSync(join(tmpdir(), 'orca-kernel-log-'));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
};

test('a file in the place of the kernel log, as containers have it, is not read; a missing one is told as absent', (t) => {
  const box = folder(t);
  writeFileSync(join(box, 'kmsg'), kill(3));
  assert.equal(openKernelLog(join(box, 'kmsg')), 'absent');
  assert.equal(openKernelLog(join(box, 'none')), 'absent');
  assert.equal(openKernelLog('/dev/null'), 'absent');
});

test("this machine's log, where it may be read, ends without waiting for more", async () => {
  const kernelLog = new KernelLog(openKernelLog);
  const kills = await kernelLog.kills();
  kernelLog.close();
  assert.equal(kills === null, typeof openKernelLog() === 'string');
});

test('only the first pid namespace of a kernel is taken for it', (t) => {
  const proc = folder(t);
  assert.equal(inFirstPidNamespace(proc), false);
  for (const [link, first] of [
    ['pid:[4026531836]', true],
    ['pid:[4026532301]', false],
    ['garbage', false],
  ] as const) {
    mkdirSync(join(proc, 'self/ns'), { recursive: true });
    symlinkSync(link, join(proc, 'self/ns/pid'));
    assert.equal(inFirstPidNamespace(proc), first, link);
    rmSync(join(proc, 'self'), { recursive: true });
  }
});
