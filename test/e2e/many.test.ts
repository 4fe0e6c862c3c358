import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RunSummaryJson } from '../../src/wire/api.ts';
import { Orca, program } from './support/orca.ts';
import { killHard, processesOf } from './support/processes.ts';
import { until } from './support/until.ts';

const linesOf = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
};

const list = async (orca: Orca): Promise<RunSummaryJson[]> => {
  const { stdout } = await orca.run(['list', '--all', '--limit', '1000', '--json']);
  return (JSON.parse(stdout) as { runs: RunSummaryJson[] }).runs;
};

test('twenty commands at once make one daemon and twenty runs, also from cron’s bare environment beside a login’s', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-e2e-'));
  // Nobody names the state folder: every caller finds it from HOME alone.
  const state = join(folder, '.local/state/orca');
  const orca = new Orca(t, { ORCA_HOME: state }, folder);
  const submit = `'${process.execPath}' '${program}' submit -- /bin/true`;
  const cron = `env -i HOME='${folder}' ${submit}`;
  const login = `env -u ORCA_HOME -u ORCA_PRESSURE_MEMORY -u ORCA_PRESSURE_IO XDG_RUNTIME_DIR=/run/user/1000 TERM=xterm SSH_TTY=/dev/pts/9 ${submit}`;
  const callers = Array.from({ length: 20 }, (_, index) => orca.shell(index % 2 === 0 ? cron : login));
  const answers = await Promise.all(callers);
  assert.deepEqual(new Set(answers.map(({ status, stderr }) => `${status} ${stderr}`)), new Set(['0 ']));
  const numbers = answers.map(({ stdout }) => Number(stdout)).sort((a, b) => a - b);
  assert.deepEqual(
    numbers,
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
  assert.equal((await orca.run(['wait', ...numbers.map(String)])).status, 0);
  assert.equal(processesOf('main.js daemon', `ORCA_HOME=${state}`).length, 1);
  assert.equal(linesOf(join(state, 'daemon.log')).filter((line) => line.includes('"serving"')).length, 1);
});

test('three hundred lines all run once and succeed though the daemon is killed twice', async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '2' });
  const numbers = Array.from({ length: 300 }, (_, index) => String(index + 1));
  writeFileSync(join(orca.folder, 'lines'), `${numbers.join('\n')}\n`);
  const out = join(orca.folder, 'out');
  const command = ['sh', '-c', 'echo "$1" >> out', 'sh', '{}'];
  const all = orca.start(['submit', '--each-line', 'lines', '--wait', '--', ...command]);
  for (const least of [50, 150]) {
    await until(() => (linesOf(out).length >= least ? true : null), `${least} runs have begun`);
    await killHard(orca.daemonPid());
  }
  const { status, stderr } = await all.ended;
  assert.equal(status, 0, stderr);
  assert.match(stderr, /300 runs: 300 succeeded/);
  assert.deepEqual(
    linesOf(out).sort((a, b) => Number(a) - Number(b)),
    numbers,
  );
  const runs = await list(orca);
  assert.equal(runs.length, 300);
  assert.deepEqual(
    new Set(runs.map(({ state, starts_count: starts }) => `${state} ${starts}`)),
    new Set(['succeeded 1']),
  );
  assert.ok(linesOf(join(orca.state, 'daemon.log')).filter((line) => line.includes('"serving"')).length >= 3);
});

test('lines of any bytes reach the command as they are, and no shell reads them', async (t) => {
  const orca = new Orca(t);
  const lines = [
    '$(touch evil) `touch evil`; touch evil',
    `it's "quoted" \\ and \\n`,
    '--help',
    ' spaces  and\ttabs ',
    '\u001b[31mred\u0007\u0001',
    '{} {}{} $& $1',
    'é 漢字 🐋 \u202e',
    '*?[a-z]~ !! #',
    '%s%n%d',
    'x'.repeat(100_000),
  ];
  writeFileSync(join(orca.folder, 'lines'), `${lines.join('\n')}\n\n`);
  const { status, stderr } = await orca.run([
    'submit',
    '--each-line',
    'lines',
    '--wait',
    '--',
    'printf',
    '[%s]\\n',
    '{}',
  ]);
  assert.equal(status, 0, stderr);
  const got = lines.map((_, index) =>
    readFileSync(join(orca.state, 'logs/_command', `${index + 1}`, '1.stdout'), 'utf8'),
  );
  assert.deepEqual(
    got,
    lines.map((line) => `[${line}]\n`),
  );
  assert.equal((await orca.run(['run', '--', 'test', '-e', 'evil'])).status, 1);
});

test('a line that orca would have to change is refused before anything is queued', async (t) => {
  const orca = new Orca(t);
  writeFileSync(join(orca.folder, 'lines'), Buffer.from('good\nb\xe4d\n', 'latin1'));
  const { status, stderr, stdout } = await orca.run(['submit', '--each-line', 'lines', '--', 'echo', '{}']);
  assert.equal(status, 120);
  assert.match(stderr, /Line 2 of .*lines is not valid UTF-8/);
  assert.equal(stdout, '');
  assert.deepEqual(await list(orca), []);
});
