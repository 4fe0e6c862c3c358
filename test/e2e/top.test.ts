import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { MachineJson } from '../../src/wire/api.ts';
import { killHard } from './support/processes.ts';
import { hasProgram, Orca, program, type Going } from './support/orca.ts';
import { until } from './support/until.ts';

const machineOf = async (orca: Orca): Promise<MachineJson | null> =>
  (JSON.parse((await orca.run(['top', '--json'])).stdout) as { machine: MachineJson | null }).machine;

test('off a terminal top prints one picture and ends, and starts no daemon', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '2', ORCA_SAMPLE_SECONDS: '0' });
  const without = await orca.run(['top']);
  assert.deepEqual([without.status, orca.daemonPid()], [0, null]);
  assert.match(without.stdout, /^no daemon runs for /);
  assert.equal(await machineOf(orca), null);

  const spin = await orca.submit('--memory', '100MB', '--', 'sh', '-c', 'while :; do :; done');
  const still = await orca.submit('--', 'sleep', '600');
  const waiting = await orca.submit('--name', 'third', '--', 'sleep', '600');
  const busy = await until(async () => {
    const machine = await machineOf(orca);
    return (machine?.running[0]?.cores ?? 0) > 0.05 && machine?.running[1]?.rss_bytes != null ? machine : null;
  }, 'both are measured');
  assert.deepEqual(
    busy.running.map(({ id }) => id),
    [spin, still],
  );
  assert.deepEqual(
    busy.running.map(({ limit_bytes: limit }) => limit !== null),
    [true, false],
  );
  assert.deepEqual(
    busy.queued.map(({ id, name }) => [id, name]),
    [[waiting, 'third']],
  );
  assert.match(busy.queued[0]?.reason ?? '', /^needs 1 core/);
  assert.ok(busy.sample.cpu.user + busy.sample.cpu.system > 0 && busy.sample.dt > 0.1);
  assert.ok(busy.sample.mem.rss > 0, 'what all runs have, also with samples off');

  const { stdout, status } = await orca.run(['top']);
  assert.equal(status, 0);
  assert.match(stdout, /: 2 running, 1 queued/);
  assert.match(stdout, new RegExp(`^ +${spin} .*\\[#+\\.*\\] +100 MB`, 'm'));
  assert.match(stdout, new RegExp(`^ +${waiting} .*third: sleep 600 +needs 1 core`, 'm'));
});

const noScript = hasProgram('script') ? false : 'there is no `script` to make a terminal with';

/** `orca top` on a terminal of its own, its pid in the file `top`; what it wrote so far. */
const onTerminal = (
  t: TestContext,
  orca: Orca,
): { going: Going; written: () => string; press: (keys: string) => void } => {
  const file = join(orca.folder, 'top');
  const command = `stty rows 24 cols 80; echo \\$\\$ > '${file}'; exec '${process.execPath}' '${program}' top`;
  const going = orca.startShell(`exec script -qfec "${command}" /dev/null`, { stdin: 'pipe', env: { TERM: 'xterm' } });
  t.after(() => void going.child.kill());
  let text = '';
  going.child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
  return { going, written: () => text, press: (keys) => void going.child.stdin?.write(keys) };
};

const entered = '\u001b[?1049h';
const restored = /\u001b\[\?25h\u001b\[\?1049l\s*$/;
const see = (written: () => string, what: RegExp): Promise<true> =>
  until(() => (what.test(written()) ? true : null), `top shows ${String(what)}`);

test(
  'on a terminal keys open a run, follow it and end it; q gives the terminal back',
  { skip: noScript },
  async (t) => {
    const orca = new Orca(t);
    const run = await orca.submit('--name', 'noisy', '--', 'sh', '-c', 'echo hello there; exec sleep 600');
    const { going, written, press } = onTerminal(t, orca);
    await see(written, /noisy/);
    assert.ok(written().includes(entered));
    press('l');
    await see(written, /hello there/);
    press('q\r');
    await see(written, /submitted +20/);
    press('qk');
    await see(written, new RegExp(`end run ${run}\\?`));
    press('y');
    const ended = await orca.untilRun(run, ({ state }) => state === 'killed', 'killed');
    assert.match(ended.kill?.by ?? '', /^orca top by /);
    await see(written, /0 running/);
    press('q');
    assert.equal((await going.ended).status, 0);
    assert.match(written(), restored);
  },
);

test(
  'top says that its daemon is gone, goes on with the next one, and restores the terminal at SIGTERM',
  { skip: noScript },
  async (t) => {
    const orca = new Orca(t);
    await orca.run(['up']);
    const { going, written } = onTerminal(t, orca);
    await see(written, /0 running/);
    await killHard(orca.daemonPid());
    await see(written, /no daemon answers/);
    await orca.run(['up']);
    await see(written, /no daemon answers[^]*arrows choose/);
    process.kill(Number(readFileSync(join(orca.folder, 'top'), 'utf8')), 'SIGTERM');
    await going.ended;
    assert.match(written(), restored);
  },
);
