import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { keepBinary, withoutKeeper } from './support/binary.ts';
import { isAlive, processOf, withEnv } from './support/processes.ts';
import { type Record_, Resident } from './support/resident.ts';
import { until } from './support/until.ts';

const kill = (...args: string[]): number | null =>
  spawnSync(keepBinary(), ['kill', ...args], { stdio: 'ignore' }).status;
const thisBoot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

/** A start folder with a pid record that names `pid`, whoever that is. */
const folderNaming = (pid: number, start: number, boot = thisBoot): string => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-kill-'));
  const keeper = { pid: 4_000_000, start: 1 };
  writeFileSync(join(folder, 'begun'), 'begun\n');
  writeFileSync(
    join(folder, 'pid'),
    `${JSON.stringify({ boot, uuid: 'u', keeper, command: { pid, start }, at_ms: 12 })}\n`,
  );
  return folder;
};

const stranger = async (body: (pid: number, start: number) => void): Promise<void> => {
  const child: ChildProcess = spawn('sleep', ['60'], { stdio: 'ignore' });
  try {
    const process = await until('the stranger', () => processOf(child.pid ?? 0));
    body(process.pid, process.start);
  } finally {
    child.kill('SIGKILL');
    await until('the stranger to be gone', () => child.exitCode !== null || child.signalCode !== null);
  }
};

describe('orca-keep kill', { skip: withoutKeeper() }, () => {
  test('ends the tree of a start whose keeper and resident were killed, and records keeper-died', async () => {
    await using resident = new Resident();
    const started = resident.sh('setsid sleep 60 & setsid sh -c "sleep 60 & wait" & echo up; sleep 60');
    await resident.said(started, 'up');
    const { keeper } = await resident.pids(started);
    resident.child.kill('SIGKILL');
    await resident.gone();
    assert.equal(kill(started.folder, started.uuid), 3, 'the keeper is alive');
    process.kill(keeper, 'SIGKILL');
    await resident.processGone(keeper);
    assert.equal(kill(started.folder, started.uuid), 0);
    assert.deepEqual(withEnv(`ORCA_START=${started.uuid}`), []);
    const record = await resident.exitRecord(started);
    assert.equal(record.how, 'keeper-died');
    assert.ok(Number(record['started_ms']) > 0);
    assert.equal(existsSync(join(started.folder, 'ctl')), false);
  });

  test('a command that replaced its environment is found by its record', async () => {
    await using resident = new Resident();
    const started = resident.sh('exec env -i sleep 60');
    const { keeper, command } = await resident.pids(started);
    await until('the empty environment', () => readFileSync(`/proc/${command}/environ`, 'utf8') === '');
    resident.child.kill('SIGKILL');
    await resident.gone();
    process.kill(keeper, 'SIGKILL');
    await resident.processGone(keeper);
    assert.equal(kill(started.folder, started.uuid), 0);
    assert.equal(isAlive(command), false);
  });

  test('a stranger that has the recorded pid is not signalled: its start time is another', async () => {
    await stranger((pid, start) => {
      const folder = folderNaming(pid, start + 1);
      assert.equal(kill(folder, randomUUID()), 0);
      assert.equal(isAlive(pid), true);
      rmSync(folder, { recursive: true });
    });
  });

  test('a record of another boot names nobody', async () => {
    await stranger((pid, start) => {
      const folder = folderNaming(pid, start, randomUUID());
      assert.equal(kill(folder, randomUUID()), 0);
      assert.equal(isAlive(pid), true);
      rmSync(folder, { recursive: true });
    });
  });

  test('control: with the right start time in this boot it is signalled', async () => {
    await stranger((pid, start) => {
      const folder = folderNaming(pid, start);
      assert.equal(kill(folder, randomUUID()), 0);
      assert.equal(isAlive(pid), false);
      rmSync(folder, { recursive: true });
    });
  });

  test('an exit record that is there stays, a void start gets none, one that is not begun neither', () => {
    const folder = mkdtempSync(join(tmpdir(), 'orca-kill-'));
    assert.equal(kill(folder, randomUUID()), 0);
    assert.equal(existsSync(join(folder, 'exit')), false);
    writeFileSync(join(folder, 'begun'), 'void\n');
    assert.equal(kill(folder, randomUUID()), 0);
    assert.equal(existsSync(join(folder, 'exit')), false);
    writeFileSync(join(folder, 'begun'), '');
    assert.equal(kill(folder, randomUUID()), 0);
    assert.equal((JSON.parse(readFileSync(join(folder, 'exit'), 'utf8')) as Record_).how, 'keeper-died');
    writeFileSync(join(folder, 'exit'), 'as it was');
    assert.equal(kill(folder, randomUUID()), 0);
    assert.equal(readFileSync(join(folder, 'exit'), 'utf8'), 'as it was');
    rmSync(folder, { recursive: true });
  });

  test('a mark whose line was cut off by the death is left out of the record', () => {
    const folder = mkdtempSync(join(tmpdir(), 'orca-kill-'));
    writeFileSync(join(folder, 'begun'), 'begun\n');
    writeFileSync(
      join(folder, 'marks'),
      '{"mark":"user","at_ms":1,"oom_kill":null,"text":"x"}\n{"mark":"timer","at_ms":',
    );
    assert.equal(kill(folder, randomUUID()), 0);
    const record = JSON.parse(readFileSync(join(folder, 'exit'), 'utf8')) as Record_;
    assert.deepEqual(
      record.marks.map((m) => m.mark),
      ['user'],
    );
    rmSync(folder, { recursive: true });
  });

  test('bad usage is 2', () => {
    assert.equal(kill('/nonexistent', 'u'), 2);
    assert.equal(kill(tmpdir(), 'not/a/uuid'), 2);
    assert.equal(kill(tmpdir(), ''), 2);
    assert.equal(spawnSync(keepBinary(), ['dance'], { stdio: 'ignore' }).status, 2);
    assert.equal(spawnSync(keepBinary(), ['resident', 'x'], { stdio: ['ignore', 'ignore', 'ignore'] }).status, 2);
    assert.equal(spawnSync(keepBinary(), ['version'], { encoding: 'utf8' }).stdout, '1\n');
  });
});
