import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { daemonFinding } from '../../../src/cli/daemon-finding.ts';
import {
  damageFindings,
  doctor,
  findingLines,
  keeperFinding,
  nodeFinding,
  pathFinding,
  roomFinding,
  usageFindings,
} from '../../../src/cli/doctor.ts';
import type { DaemonJson } from '../../../src/wire/api.ts';
import { FakeDaemon, temporaryState } from '../client/fake-daemon.ts';
import { fakeContext } from './fake-context.ts';

test('a Node that is too old is broken, with what to do', () => {
  assert.equal(nodeFinding('24.0.0').level, 'ok');
  assert.deepEqual(findingLines(nodeFinding('20.20.2')), [
    'broken node      20.20.2; 24 or newer is needed',
    '                 → install Node 24',
  ]);
});

test('the sh keeper is a warning that says why and what helps', () => {
  const daemon = { keeper: { kind: 'sh', why: 'there is no compiler' } } as DaemonJson;
  const { level, found, help } = keeperFinding(daemon);
  assert.equal(level, 'warn');
  assert.match(found, /there is no compiler/);
  assert.match(help ?? '', /apt-get install gcc/);
  const asked = keeperFinding({ ...daemon, keeper: { kind: 'sh', why: 'ORCA_KEEPER is sh: a script.' } });
  assert.equal(asked.help, 'orca down; ORCA_KEEPER=auto orca up');
  assert.equal(keeperFinding({ ...daemon, keeper: { kind: 'native', why: null } }).level, 'ok');
});

test('a state folder on a full file system is a warning, and so is one that is nearly full', (t) => {
  const { stateHost } = fakeContext({ state: temporaryState(t) });
  const finding = (changes: object) =>
    roomFinding('/s', { ...stateHost, uid: 1, statfs: () => ({ ...stateHost.statfs('/s'), ...changes }) });
  assert.deepEqual([finding({}).level, finding({}).found], ['ok', '/s']);
  const full = finding({ bavail: 0 });
  assert.deepEqual([full.level, full.found], ['warn', '/s: its file system is full: no free block is left']);
  assert.match(finding({ bavail: 2560 }).found, /nearly full: 10 MB left/);
  assert.match(finding({ ffree: 3 }).found, /nearly full: room for 3 further files left/);
});

test('that runs are measured less often than they should be is a warning', () => {
  assert.deepEqual(usageFindings({ interval_ms: 250, slowed: false }), []);
  assert.deepEqual(usageFindings(undefined), []);
  const [finding] = usageFindings({ interval_ms: 1200, slowed: true });
  assert.equal(finding?.level, 'warn');
  assert.match(finding?.found ?? '', /only every 1\.2 s/);
});

test('runs whose record is damaged are a warning that says how to look at them and how to end them', () => {
  assert.deepEqual(damageFindings(undefined), []);
  assert.deepEqual(damageFindings([]), []);
  const [one] = damageFindings([12]);
  assert.deepEqual([one?.level, one?.help], ['warn', '`orca status 12` tells what of it; `orca kill 12` ends it']);
  const [three] = damageFindings([12, 14, 15]);
  assert.match(three?.found ?? '', /of 3 runs/);
  assert.match(three?.help ?? '', /`orca kill 12 14 15` ends them/);
});

test('a daemon that holds the lock and does not answer is broken, with what ends it', () => {
  const { level, found, help } = daemonFinding({ kind: 'silent', pid: 7 }, null);
  assert.equal(level, 'broken');
  assert.match(found, /pid 7\) holds the lock but does not answer/);
  assert.match(help ?? '', /^kill -9 7: /);
});

test('that orca was set down is told with and without a daemon, with the command that ends it', () => {
  assert.equal(daemonFinding({ kind: 'none', down: false }, null).found, 'not running; the next command starts it');
  const none = daemonFinding({ kind: 'none', down: true }, null);
  const there = daemonFinding({ kind: 'there', answer: { version: '1', pid: 5, down: true } as DaemonJson }, null);
  for (const { level, found, help } of [none, there]) {
    assert.match(found, /nothing is started until `orca up`$/);
    assert.deepEqual([level, help], ['warn', 'orca up']);
  }
});

test('why the last daemon could not start is told as long as none serves', () => {
  const error = { code: 'x', message: 'The store is damaged.', hint: 'Move it away.', exit: 120 };
  const { level, found, help } = daemonFinding({ kind: 'none', down: false }, { error });
  assert.deepEqual(
    [level, found, help],
    ['warn', 'not running; the last could not start: The store is damaged.', 'Move it away.'],
  );
});

test('another orca that comes first on PATH is named, and ours is not', (t) => {
  const folder = temporaryState(t);
  const [ours, theirs] = [join(folder, 'ours'), join(folder, 'theirs')];
  for (const bin of [ours, theirs]) mkdirSync(bin);
  const entry = join(folder, 'main.js');
  writeFileSync(entry, '');
  chmodSync(entry, 0o755);
  symlinkSync(entry, join(ours, 'orca'));
  symlinkSync(entry, join(ours, 'orcactl'));
  writeFileSync(join(theirs, 'orca'), '#!/usr/bin/python3\n');
  chmodSync(join(theirs, 'orca'), 0o755);
  assert.equal(pathFinding(`${ours}:${theirs}`, entry).level, 'ok');
  assert.equal(pathFinding('/none', entry).level, 'ok');
  const found = pathFinding(`${theirs}:${ours}`, entry);
  assert.equal(found.level, 'warn');
  assert.match(found.found, new RegExp(`${theirs}/orca`));
  assert.match(found.help ?? '', /orcactl/);
  assert.match(pathFinding(theirs, entry).help ?? '', new RegExp(entry));
});

test("an installed package's link and a checkout's wrapper are ours", (t) => {
  const folder = temporaryState(t);
  const [bin, checkout] = [join(folder, 'bin'), join(folder, 'checkout')];
  const installed = join(folder, 'lib/node_modules/orca-runs');
  for (const made of [bin, checkout, join(installed, 'bin')]) mkdirSync(made, { recursive: true });
  for (const root of [installed, checkout]) writeFileSync(join(root, 'package.json'), '{\n  "name": "orca-runs"\n}\n');
  for (const program of [join(installed, 'bin/orca.js'), join(checkout, 'orca')])
    writeFileSync(program, '', { mode: 0o755 });
  symlinkSync('../lib/node_modules/orca-runs/bin/orca.js', join(bin, 'orca'));
  // The build of a checkout that cannot be written lies elsewhere.
  for (const path of [bin, checkout]) assert.equal(pathFinding(path, '/elsewhere/dist/1/main.js').level, 'ok', path);
});

test('doctor asks the daemon that runs, starts none, and is broken with a state folder that cannot be used', async (t) => {
  const state = temporaryState(t);
  const none = fakeContext({ state });
  assert.equal(await doctor(none, {}), 0);
  assert.match(none.out.text, /^ok +daemon +not running/m);
  assert.match(none.out.text, /^warn +keeper +sh: .*\/native\/build\/orca-keep nor .* is there$/m);
  assert.match(none.out.text, /^warn +cgroups +limits are watched by sampling: the `sh` keeper starts the runs/m);
  const keeper = { kind: 'native', why: null };
  const containment = { on: false, why: 'this system has cgroup v1 only', advice: 'boot otherwise' };
  await FakeDaemon.start(t, state, () => ({ json: { version: '0.1.0', pid: 5, down: true, keeper, containment } }));
  const there = fakeContext({ state });
  assert.equal(await doctor(there, {}), 0);
  assert.match(
    there.out.text,
    /^warn +daemon +0\.1\.0, pid 5, down: nothing is started until `orca up`\n +→ orca up$/m,
  );
  assert.match(
    there.out.text,
    /^warn +cgroups +limits .* sampling: this system has cgroup v1 only\n +→ boot otherwise$/m,
  );
  symlinkSync(state, `${state}-link`);
  t.after(async () => (await import('node:fs')).rmSync(`${state}-link`));
  const linked = fakeContext({ state: `${state}-link` });
  assert.equal(await doctor(linked, { json: true }), 120);
  const { findings } = JSON.parse(linked.out.text) as { findings: { what: string; level: string }[] };
  assert.ok(findings.some(({ what, level }) => what === 'state' && level === 'broken'));
});
