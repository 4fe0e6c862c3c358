import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ErrorJson } from '../../src/wire/api.ts';
import { Orca, type Ended } from './support/orca.ts';
import { Tmpfs, tmpfsMissing } from './support/tmpfs.ts';

const orca = new Orca({ after });
const isRoot = process.getuid?.() === 0;
const noTmpfs = await tmpfsMissing(process.env['ORCA_TEST_REQUIRE']);

/** One sentence, one line of what to do, status 120, and nothing on standard output. */
const assertRefused = ({ status, stdout, stderr }: Ended, sentence: RegExp, hint: RegExp): void => {
  const lines = stderr.split('\n');
  assert.equal(lines.length, 3, stderr);
  assert.match(lines[0] ?? '', sentence);
  assert.match(lines[0] ?? '', /^orca: /);
  assert.match(lines[1] ?? '', hint);
  assert.match(lines[1] ?? '', /^ {2}[A-Z]/);
  assert.doesNotMatch(stderr, /^\s+at |Error:|\{\w+\}/m);
  assert.equal(stdout, '');
  assert.equal(status, 120);
};

const file = (name: string, content = '', mode = 0o644): string => {
  const path = join(orca.folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
};

const notExecutable = file('not-executable', 'echo hi\n');
const folder = join(orca.folder, 'a-folder');
mkdirSync(folder);

const typed: readonly { what: string; args: readonly string[]; says: RegExp; hint: RegExp }[] = [
  {
    what: 'a size of an unknown unit',
    args: ['--memory', '12Q'],
    says: /12Q is not a size: Q is no unit/,
    hint: /512MB/,
  },
  { what: 'a size without a unit', args: ['--memory', '12'], says: /12 is not a size: it has no unit/, hint: /512MB/ },
  { what: 'a size of nothing', args: ['--memory', '0GB'], says: /0GB is not a size/, hint: /512MB/ },
  {
    what: 'a minimum over its maximum',
    args: ['--memory', '2GB..1GB'],
    says: /its minimum, 2GB, is over its maximum, 1GB/,
    hint: /2GB\.\.8GB/,
  },
  {
    what: 'more memory than the machine can grant',
    args: ['--memory', '900000GB'],
    says: /900000 GB of memory was asked for, and [\d.]+ GB can be granted here/,
    hint: /Ask for at most [\d.]+ GB with --memory/,
  },
  {
    what: 'more cpus than the machine has',
    args: ['--cpus', '5000'],
    says: /5000 cpus were asked for, and this machine has \d+/,
    hint: /at most \d+ with --cpus/,
  },
  { what: 'cpus that are no number', args: ['--cpus', 'many'], says: /--cpus many is refused/, hint: /--cpus 2/ },
  { what: 'no cpus', args: ['--cpus', '0'], says: /at least 0\.001 is needed/, hint: /--cpus 0\.5/ },
  { what: 'a duration without a unit', args: ['--timeout', '5'], says: /5 is not a duration/, hint: /500ms, 20s/ },
  {
    what: 'retries that are no number',
    args: ['--retries', '-1'],
    says: /--retries -1 is refused/,
    hint: /--retries 1/,
  },
  {
    what: 'a priority that is no number',
    args: ['--priority', '1.5'],
    says: /--priority 1\.5 is refused/,
    hint: /--priority/,
  },
  { what: 'an option that does not exist', args: ['--frob'], says: /unknown option '--frob'/, hint: /See `orca help/ },
  {
    what: 'an escape byte in a name',
    args: ['--name', 'a\x1b[31mb'],
    says: /--name a\\x1b\[31mb is refused/,
    hint: /nightly/,
  },
  { what: 'a newline in a name', args: ['--name', 'a\nb'], says: /--name a\\nb is refused/, hint: /nightly/ },
  { what: 'a name of digits', args: ['--name', '12'], says: /look like the number of a run/, hint: /nightly/ },
  { what: 'a name that is orca’s own', args: ['--name', '_command'], says: /begin with _/, hint: /nightly/ },
  {
    what: 'an empty name',
    args: ['--name', ''],
    says: /--name '' is refused: it is empty/,
    hint: /Give --name a value/,
  },
  { what: 'a name of 101 characters', args: ['--name', 'x'.repeat(101)], says: /at most 100/, hint: /nightly/ },
  { what: 'a variable without a name', args: ['--env', '=x'], says: /no NAME before a =/, hint: /--env NAME=VALUE/ },
  {
    what: 'a folder that is not there',
    args: ['--cwd', 'no/such'],
    says: /no folder .*no\/such to run in/,
    hint: /--cwd/,
  },
  { what: 'a file for a folder', args: ['--cwd', notExecutable], says: /no folder .*not-executable/, hint: /--cwd/ },
  {
    what: 'an input that is not there',
    args: ['--stdin', 'no-input'],
    says: /no-input cannot be read: no such/,
    hint: /path/,
  },
  {
    what: 'a folder as input',
    args: ['--stdin', folder],
    says: /a-folder cannot be read: it is a folder/,
    hint: /path/,
  },
];

const programs: readonly { what: string; command: readonly string[]; says: RegExp; hint: RegExp }[] = [
  { what: 'that is not on PATH', command: ['no-such-program'], says: /no program no-such-program/, hint: /spelling/ },
  { what: 'whose path does not exist', command: ['./no/such'], says: /no program \.\/no\/such/, hint: /spelling/ },
  {
    what: 'that is a folder',
    command: [folder],
    says: /no program .*a-folder: no file of that path/,
    hint: /spelling/,
  },
  {
    what: 'of 10 kB',
    command: ['x'.repeat(10_000)],
    says: /no program x{200}…: no file/,
    hint: /spelling/,
  },
  { what: 'of no name', command: [''], says: /no program ''/, hint: /spelling/ },
  {
    what: 'that is not executable',
    command: [notExecutable],
    says: /not-executable is there, but may not be executed/,
    hint: /chmod \+x/,
  },
  { what: 'that was left out', command: [], says: /missing required argument 'command'/, hint: /See `orca help/ },
];

/** What is kept of runs: nothing, after refusals alone. */
const assertNothingKept = async (): Promise<void> => {
  const { runs } = JSON.parse((await orca.run(['list', '--all', '--json'])).stdout) as { runs: unknown[] };
  assert.deepEqual(runs, []);
  for (const place of ['runs', 'starts']) assert.deepEqual(readdirSync(join(orca.state, place)), [], place);
};

test('run and submit refuse what cannot be meant', { concurrency: 4 }, async (t) => {
  const asked = [
    ...typed.map(({ what, args, says, hint }) => ({ what, args: [...args, '--', 'true'], says, hint })),
    ...programs.map(({ what, command, says, hint }) => ({
      what: `a program ${what}`,
      args: ['--', ...command],
      says,
      hint,
    })),
  ];
  await Promise.all(
    asked.map(({ what, args, says, hint }, index) =>
      // Both go the same way; each has half of the cases.
      t.test(what, async () => assertRefused(await orca.run([index % 2 ? 'run' : 'submit', ...args]), says, hint)),
    ),
  );
  await assertNothingKept();
});

test('a run that is refused leaves no copy of its standard input', async () => {
  assertRefused(
    await orca.run(['run', '--', 'no-such-program'], { input: 'x'.repeat(100_000) }),
    /no program/,
    /spelling/,
  );
  await assertNothingKept();
});

test('of several lines one bad one refuses all', async () => {
  const lines = file('lines', 'true\nno-such-program\ntrue\n');
  assertRefused(await orca.run(['submit', '--each-line', lines, '--', '{}']), /no program no-such-program/, /spelling/);
  assertRefused(await orca.run(['submit', '--each-line', 'no-lines', '--', '{}']), /no-lines cannot be read/, /path/);
  await assertNothingKept();
});

test('other commands refuse what cannot be meant', async () => {
  const asked: readonly [readonly string[], RegExp, RegExp][] = [
    [['frobnicate'], /unknown command 'frobnicate'/, /See `orca help/],
    [['--memory', '1GB', 'run'], /unknown option '--memory'/, /See `orca help/],
    [['wait'], /no run is named/, /See `orca help/],
    [['wait', 'abc'], /abc is neither the number of a run nor/, /g12/],
    [['status', '0'], /0 is neither the number of a run nor the handle of a group/, /g12/],
    [['kill', '1', '-7'], /-7/, /g12/],
    [['list', '--state', 'gone'], /--state gone is refused/, /queued, starting, running/],
    [['logs', '--tail', 'x', '1'], /--tail x is refused/, /--tail/],
    [['wait', '--timeout', '5', '1'], /5 is not a duration/, /500ms/],
  ];
  await Promise.all(asked.map(async ([args, says, hint]) => assertRefused(await orca.run(args), says, hint)));
});

test('with --json a refusal is JSON with the same words', async () => {
  const { status, stdout, stderr } = await orca.run(['submit', '--json', '--memory', '12Q', '--', 'true']);
  const { error } = JSON.parse(stderr) as ErrorJson;
  assert.deepEqual([status, stdout, error.code, error.exit], [120, '', 'size-invalid', 120]);
  assert.match(error.message, /12Q is not a size/);
});

/** Submits with another state folder; it must be refused before anything there changes. */
const refusedWith = async (home: string, says: RegExp, hint: RegExp): Promise<void> => {
  assertRefused(await orca.run(['submit', '--', 'true'], { env: { ORCA_HOME: home } }), says, hint);
};

test('a state folder that is a link is refused, and what it points to is left alone', async () => {
  const target = join(orca.folder, 'state-target');
  mkdirSync(target, { mode: 0o700 });
  symlinkSync(target, join(orca.folder, 'state-link'));
  await refusedWith(join(orca.folder, 'state-link'), /state-link is a symbolic link/, /Set ORCA_HOME/);
  assert.deepEqual(readdirSync(target), []);
});

test('a state folder of another user is refused', async () => {
  const others = isRoot ? join(orca.folder, 'state-of-another') : '/usr';
  if (isRoot) {
    mkdirSync(others, { mode: 0o700 });
    chownSync(others, 65534, 65534);
  }
  await refusedWith(others, /belongs to user \d+, and you are user \d+/, /Set ORCA_HOME/);
  if (isRoot) assert.deepEqual(readdirSync(others), []);
});

test('a state folder that others may write is refused', async () => {
  const open = join(orca.folder, 'state-open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  await refusedWith(open, /Others may write into the state folder .* \(its mode is 777\)/, /chmod go-w/);
  assert.deepEqual(readdirSync(open), []);
});

test('a folder that holds something else is refused as state folder, and nothing is put into it', async () => {
  const theirs = join(orca.folder, 'project');
  mkdirSync(theirs, { mode: 0o700 });
  writeFileSync(join(theirs, 'notes'), 'mine');
  await refusedWith(theirs, /project is not empty and is no state folder of orca/, /Set ORCA_HOME/);
  assert.deepEqual(readdirSync(theirs), ['notes']);
});

test('a state folder that is a file, lies under one, or is no whole path is refused', async () => {
  const path = file('state-file', 'mine');
  await refusedWith(path, /state-file is not a folder/, /ORCA_HOME/);
  await refusedWith(join(path, 'below'), /state-file.* (is not a folder|cannot be written)/, /ORCA_HOME/);
  await refusedWith('relative', /ORCA_HOME to relative, but it is not absolute/, /absolute path/);
  assert.equal(readFileSync(path, 'utf8'), 'mine');
});

test('a read-only state folder is refused', { skip: isRoot && noTmpfs }, async (t) => {
  const place = join(orca.folder, 'state-read-only');
  if (isRoot) {
    const disk = new Tmpfs(place, '1m');
    t.after(() => disk.unmount());
    mkdirSync(join(place, 'old'), { mode: 0o700 });
    disk.makeReadOnly();
  } else {
    mkdirSync(join(place, 'old'), { recursive: true, mode: 0o500 });
    chmodSync(place, 0o500);
    t.after(() => chmodSync(place, 0o700));
  }
  const why = isRoot ? 'read-only file system' : 'permission denied';
  await refusedWith(join(place, 'old'), new RegExp(`state folder .*old cannot be written: ${why}`), /Set ORCA_HOME/);
  await refusedWith(join(place, 'new'), new RegExp(`state folder .*new cannot be written: ${why}`), /Set ORCA_HOME/);
});

test('a state folder on a full file system is refused, and works when there is room', { skip: noTmpfs }, async (t) => {
  const place = join(orca.folder, 'state-full');
  const disk = new Tmpfs(place, '1m');
  t.after(async () => {
    await orca.run(['down', '--drain'], { env: { ORCA_HOME: join(place, 'state') } });
    await disk.unmount();
  });
  const filler = join(place, 'filler');
  assert.throws(() => writeFileSync(filler, Buffer.alloc(2 * 1048576)), /ENOSPC/);
  const says = /The file system of the state folder .* is full/;
  await refusedWith(join(place, 'state'), says, /Make room there/);
  await refusedWith(join(place, 'state'), says, /Make room there/);
  assert.deepEqual(existsSync(join(place, 'state', 'daemon.json')), false, 'no daemon was started');
  writeFileSync(filler, '');
  const env = { ORCA_HOME: join(place, 'state') };
  assert.equal((await orca.run(['run', '--', 'echo', 'hi'], { env })).stdout, 'hi\n');
});

test('a configuration that is half-written, or sets what cannot be, is refused, and told by file and line', async () => {
  const config = join(orca.folder, 'config/orca/config.toml');
  mkdirSync(join(orca.folder, 'config/orca'), { recursive: true });
  const env = { XDG_CONFIG_HOME: join(orca.folder, 'config') };
  for (const [content, says, hint] of [
    ['kill_grace_seconds = 3\nreserve_mb = ', /config\.toml is not TOML at line 2/, /Correct that line/],
    ['[orca', /config\.toml is not TOML at line 1/, /Correct that line/],
    ['reserve_mb = "lots"', /config\.toml, line 1 sets ORCA_RESERVE_MB to "lots", but/, /It may be a whole number/],
    ['reserve_m = 1', /config\.toml, line 1 sets reserve_m, but there is no such setting/, /Did you mean reserve_mb/],
    ['run_nice = 99', /ORCA_RUN_NICE to 99, but it is above 19/, /from -20 to 19/],
  ] as const) {
    writeFileSync(config, content);
    assertRefused(await orca.run(['submit', '--', 'true'], { env }), says, hint);
  }
  await assertNothingKept();
  writeFileSync(config, 'kill_grace_seconds = 3\n');
  assert.equal((await orca.run(['run', '--', 'true'], { env })).status, 0);
});

test('a setting of the environment that cannot be is refused, and one that does not exist is named', async () => {
  for (const [name, value, says] of [
    ['ORCA_RUN_NICE', 'abc', /the environment sets ORCA_RUN_NICE to abc, but it is not a number/],
    ['ORCA_KEEPER', 'foo', /sets ORCA_KEEPER to foo, but/],
    ['ORCA_KILL_GRACE_SECONDS', '-1', /ORCA_KILL_GRACE_SECONDS to -1, but it is below 0/],
    ['ORCA_CAPACITY_MB', '2GB', /ORCA_CAPACITY_MB to 2GB, but/],
    ['ORCA_STORE_URL', 'mysql://x', /ORCA_STORE_URL to mysql:\/\/x, but/],
  ] as const) {
    const refused = await orca.run(['submit', '--', 'true'], { env: { [name]: value } });
    assertRefused(refused, says, /It may be .* `orca config show` lists every setting/);
  }
  const { status, stderr } = await orca.run(['run', '--', 'true'], { env: { ORCA_RESERV_MB: '1' } });
  assert.equal(status, 0);
  assert.match(stderr, /ORCA_RESERV_MB is no setting .* did you mean ORCA_RESERVE_MB\?/);
});
