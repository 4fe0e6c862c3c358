import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { batches, commandsOfLines, linesOf } from '../../../src/cli/each-line.ts';
import { makeProgram } from '../../../src/cli/program.ts';
import { reportError } from '../../../src/cli/report-error.ts';
import { environmentOf, requestFields, type RequestOptions } from '../../../src/cli/request-options.ts';
import { runNumber, runNumbers } from '../../../src/cli/run-number.ts';
import { checkArguments } from '../../../src/cli/check-arguments.ts';
import { OrcaError } from '../../../src/errors/orca-error.ts';
import type { ErrorJson } from '../../../src/wire/api.ts';
import { visibleText } from '../../../src/units/visible-text.ts';
import { MemoryOutput } from './fake-context.ts';

const mb = 1048576;

test('without options a run asks for one cpu and nothing else', () => {
  assert.deepEqual(requestFields({}), { cpus: 1, memory: null, retries: 0, timeout_ms: null, priority: 0, name: null });
});

test('each option becomes what the daemon takes', () => {
  const options = {
    cpus: '.5',
    memory: '256MB..2GB',
    retries: '3',
    timeout: '1h30m',
    priority: '-5',
    name: 'nächtlich 1',
    oomExit: '134,3,134',
    oomText: 'heap out of memory',
    oomRetry: 'reported',
  };
  assert.deepEqual(requestFields(options), {
    cpus: 0.5,
    memory: { min_bytes: 256 * mb, max_bytes: 2048 * mb },
    retries: 3,
    timeout_ms: 5_400_000,
    priority: -5,
    name: 'nächtlich 1',
    oom: { exit_codes: [134, 3], text: 'heap out of memory', retry: 'reported' },
  });
  assert.deepEqual(requestFields({ oomRetry: 'never' }).oom, { retry: 'never' });
  assert.deepEqual(requestFields({ memory: '1GB' }).memory, { min_bytes: 1024 * mb, max_bytes: 1024 * mb });
});

const refused: [string, RequestOptions, RegExp][] = [
  ['a size with an unknown unit', { memory: '12Q' }, /12Q is not a size/],
  ['a size without a unit', { memory: '12' }, /12 is not a size/],
  ['a minimum over its maximum', { memory: '2GB..1GB' }, /minimum/],
  [
    'less memory than can be kept',
    { memory: '300KB..2GB' },
    /--memory 300KB\.\.2GB is refused: at least 1MB is needed/,
  ],
  ['a range with a dot too many', { memory: '64MB...128MB' }, /a range has one `\.\.`/],
  ['no cpus', { cpus: '0' }, /--cpus 0 is refused: at least 0\.001 is needed/],
  ['fewer cpus than can be counted', { cpus: '0.0009' }, /at least 0\.001/],
  ['more cpus than can be', { cpus: '65537' }, /at most 65536/],
  ['an empty number of cpus', { cpus: '' }, /--cpus '' is refused/],
  ['an empty size', { memory: '' }, /^'' is not a size/],
  ['a blank duration', { timeout: ' ' }, /^' ' is not a duration/],
  ['cpus of a lone point', { cpus: '.' }, /--cpus \. is refused/],
  ['cpus that are no number', { cpus: 'two' }, /--cpus two/],
  ['cpus in exponents', { cpus: '1e3' }, /--cpus 1e3/],
  ['fewer than no retries', { retries: '-1' }, /--retries -1/],
  ['half a retry', { retries: '1.5' }, /--retries 1.5/],
  ['a duration without a unit', { timeout: '90' }, /90/],
  ['a priority that is no number', { priority: 'high' }, /--priority high/],
  ['the exit code of a success as a death', { oomExit: '0' }, /--oom-exit 0 is refused: a whole number from 1 to 255/],
  ['an exit code that cannot be', { oomExit: '134,256' }, /--oom-exit 256/],
  ['a list of exit codes with a hole', { oomExit: '134,' }, /--oom-exit ''/],
  ['a signal’s name as an exit code', { oomExit: 'SIGABRT' }, /--oom-exit SIGABRT/],
  ['an empty text to look for', { oomText: '' }, /--oom-text '' is refused: it is empty/],
  ['a very long text to look for', { oomText: 'x'.repeat(1001) }, /at most 1000/],
  ['another word for which deaths to try again', { oomRetry: 'always' }, /one of proved, reported, never/],
  ['an empty name', { name: '' }, /at least one character/],
  ['a name of digits only', { name: '42' }, /would look like the number of a run/],
  ['a name like a group’s handle', { name: 'g42' }, /or like a group/],
  ['a name of orca’s own', { name: '_command' }, /begin with _/],
  ['a name with escape bytes', { name: 'a\x1b[2Jb' }, /change a terminal/],
  ['a name with a newline', { name: 'a\nb' }, /change a terminal/],
  ['a name that turns its text around', { name: 'a\u202eb' }, /change a terminal/],
  ['a very long name', { name: 'x'.repeat(101) }, /at most 100/],
];
for (const [what, options, sentence] of refused) {
  test(`${what} is refused with a sentence and a hint`, () => {
    assert.throws(
      () => requestFields(options),
      (error) => {
        assert.ok(error instanceof OrcaError);
        assert.equal(error.exitStatus, 120);
        assert.match(error.message, sentence);
        assert.ok(error.hint.length > 10);
        assert.doesNotMatch(error.message + error.hint, /\{\w+\}/);
        return true;
      },
    );
  });
}

test('the environment of a run is the caller’s, with --env over it and without what makes one part of a run', () => {
  const env = {
    A: '1',
    B: '2',
    ORCA_RUN_ID: '4',
    ORCA_START: 'u',
    ORCA_MEMORY_MB: '5',
    ORCA_CPUS: '1',
    ORCA_HOME: '/s',
  };
  assert.deepEqual(environmentOf(env, ['B=x=y', 'C=']), { A: '1', B: 'x=y', C: '', ORCA_HOME: '/s' });
  for (const bad of ['', 'NAME', '=x', 'A=\0'])
    assert.throws(() => environmentOf(env, [bad]), { code: 'option-invalid' });
});

test('the number of a run is a positive whole number; twice the same is one', () => {
  assert.equal(runNumber('12'), 12);
  assert.deepEqual(runNumbers(['3', '1', '03', '3']), [3, 1]);
  for (const bad of ['0', '-1', '1.5', '1e3', '', 'twelve', '99999999999999999', ' 1']) {
    assert.throws(() => runNumber(bad), { code: 'run-number-invalid', exitStatus: 120 });
  }
});

const linesIn = (...pieces: readonly (string | Uint8Array)[]): Promise<string[]> =>
  linesOf(
    pieces.map((piece) => Buffer.from(piece)),
    'F',
  );

test('a line is put in for every {} as it is, or comes last', async () => {
  const lines = await linesIn('a b\r\n\n$(rm -rf /)\n$& $1\nlast');
  assert.deepEqual(
    [...commandsOfLines(['cp', '{}', 'to/{}.bak', '{}{}'], lines)],
    [
      ['cp', 'a b', 'to/a b.bak', 'a ba b'],
      ['cp', '$(rm -rf /)', 'to/$(rm -rf /).bak', '$(rm -rf /)$(rm -rf /)'],
      ['cp', '$& $1', 'to/$& $1.bak', '$& $1$& $1'],
      ['cp', 'last', 'to/last.bak', 'lastlast'],
    ],
  );
  assert.deepEqual(
    [...commandsOfLines(['echo'], await linesIn('x\ny\n'))],
    [
      ['echo', 'x'],
      ['echo', 'y'],
    ],
  );
  assert.deepEqual([...commandsOfLines(['echo'], await linesIn('\n\r\n'))], []);
});

test('lines are the same wherever the file is cut into pieces', async () => {
  const content = Buffer.from('één\r\n\ntwo\n\r\nlast é');
  for (let at = 0; at <= content.length; at += 1)
    assert.deepEqual(
      await linesIn(content.subarray(0, at), content.subarray(at)),
      ['één', 'two', 'last é'],
      `cut at ${at}`,
    );
  const bytes = Array.from(content, (byte) => Buffer.from([byte]));
  assert.deepEqual(await linesIn(...bytes), ['één', 'two', 'last é']);
});

test('a line that is not UTF-8, or holds a NUL byte, is refused by its number', async () => {
  await assert.rejects(linesIn('a\n\nb\0c\n'), { code: 'text-nul', message: /^Line 3 of F/ });
  await assert.rejects(linesIn(Buffer.from([97, 10, 0xff, 10])), { code: 'text-not-utf8', message: /Line 2 of F/ });
});

test('a file with too many lines, or one that never ends, is refused as soon as that is known', async () => {
  let given = 0;
  const endless = (piece: string) =>
    (function* () {
      given = 0;
      for (;;) {
        given += piece.length;
        yield Buffer.from(piece);
      }
    })();
  await assert.rejects(linesOf(endless('a\n'.repeat(10_000)), 'F'), {
    code: 'lines-too-many',
    message: 'F has more than 1,000,000 lines, too much for one submission; nothing was submitted.',
  });
  assert.ok(given <= 2_040_000);
  await assert.rejects(linesOf(endless('a'.repeat(1_048_576)), 'F'), { code: 'lines-too-many', message: /256 MB/ });
  assert.ok(given <= 258 * 1_048_576);
  assert.equal(
    (
      await linesOf(
        ['a\n'.repeat(1_000_000)].map((text) => Buffer.from(text)),
        'F',
      )
    ).length,
    1_000_000,
  );
});

test('commands are made as they are sent, so that a long template is not kept for each of many lines', () => {
  const lines = Array.from({ length: 100_000 }, () => 'x');
  const commands = commandsOfLines(['sh', '-c', `${'#'.repeat(1_048_576)}{}`], lines);
  const [first] = batches(commands);
  assert.deepEqual([first?.length, first?.[0]?.[2]?.length], [3, 1_048_577]);
});

test('long lists are cut into requests of at most 1,000 runs and 4 MB, nothing lost and nothing reordered', () => {
  const many = Array.from({ length: 2500 }, (_, index) => ['true', String(index)]);
  assert.deepEqual(
    [...batches(many)].map((batch) => batch.length),
    [1000, 1000, 500],
  );
  assert.deepEqual([...batches(many)].flat(), many);
  const large = Array.from({ length: 10 }, () => ['x'.repeat(1048576)]);
  assert.ok(Math.max(...[...batches(large)].map((batch) => batch.length)) <= 4);
  assert.deepEqual([...batches([])], []);
});

test('an argument that Node had to change is refused, one that holds the replacement character itself is not', () => {
  const invalid = (): Uint8Array => Buffer.from('node\0--name\0a\xff\0', 'latin1');
  assert.throws(() => checkArguments(['--name', 'a\uFFFD'], invalid), {
    code: 'text-not-utf8',
    exitStatus: 120,
    message: /^The argument a\\xff is not/,
  });
  checkArguments(['a\uFFFD'], () => Buffer.from('a\uFFFD\0'));
  checkArguments(['a'], invalid);
});

const typed = (...argv: string[]) => typedWith(false, ...argv);

async function typedWith(json: boolean, ...argv: string[]): Promise<{ status: number; out: string; err: string }> {
  const [out, err] = [new MemoryOutput(), new MemoryOutput()];
  const context = () => Promise.reject(new Error('no command should run'));
  const program = await makeProgram({ out, err, version: '9.9.9', json, context, exit: () => {} });
  const status = await program.parseAsync(argv, { from: 'user' }).then(
    () => 0,
    (cause: unknown) => reportError(cause, { err, json, trace: false }),
  );
  return { status, out: out.text, err: err.text };
}

for (const [what, argv, sentence, help] of [
  ['an unknown command', ['rnu'], /^orca: unknown command 'rnu' \(Did you mean run\?\)\.\n/, 'orca help'],
  [
    'an unknown option',
    ['list', '--al'],
    /^orca: unknown option '--al' \(Did you mean --all\?\)\.\n/,
    'orca help list',
  ],
  ['no command to run', ['run'], /missing required argument/, 'orca help run'],
  ['no run to retry', ['retry'], /missing required argument/, 'orca help retry'],
  ['an option without its value', ['run', '--memory'], /argument missing/, 'orca help run'],
  ['an argument too many', ['up', 'now'], /too many arguments .*: now\.\n/, 'orca help up'],
  ['an option of a command below another', ['config', 'show', '--x'], /unknown option '--x'/, 'orca help config show'],
  ['help for no command', ['help', 'rnu'], /there is no command 'rnu' \(Did you mean run\?\)\.\n/, 'orca help'],
  ['help for no command below one', ['help', 'config', 'x'], /there is no command 'x'\./, 'orca help config'],
  ['JSON of what has none', ['logs', '--json', '1'], /`orca logs` has no --json\./, 'orca help logs'],
] as const) {
  test(`${what} is one sentence, a pointer to the help, and status 120`, async () => {
    const { status, out, err } = await typed(...argv);
    assert.equal(status, 120);
    assert.equal(out, '');
    assert.match(err, sentence);
    assert.match(err, /^orca: /);
    assert.ok(err.endsWith(`\n  See \`${help}\`.\n`), err);
    assert.equal(err.split('\n').length, 3);
  });
}

test('help and version go to standard output with status 0', async () => {
  for (const argv of [['--help'], ['help'], ['help', 'run'], ['run', '--help'], ['--version', 'x']]) {
    const { status, out, err } = await typed(...argv);
    assert.equal(status, 0, argv.join(' '));
    assert.notEqual(out, '');
    assert.equal(err, '');
  }
});

test('with --json a usage error is JSON, and nothing else', async () => {
  const { status, out, err } = await typedWith(true, 'list', '--al', '--json');
  const { error } = JSON.parse(err) as ErrorJson;
  assert.deepEqual([status, out, error.code, error.exit], [120, '', 'usage-invalid', 120]);
  assert.match(error.message, /^unknown option '--al'/);
});

test('an empty text for an option is refused in one form, before anything is read', async () => {
  for (const [command, option] of [
    ['run', '--cwd'],
    ['run', '--stdin'],
    ['run', '--memory'],
    ['run', '--env'],
    ['submit', '--each-line'],
    ['wait', '--timeout'],
    ['list', '--state'],
    ['logs', '--tail'],
  ] as const) {
    const { status, err } = await typed(command, option, '', ...(command === 'list' ? [] : ['1']));
    assert.equal(status, 120);
    assert.equal(err, `orca: ${option} '' is refused: it is empty.\n  Give ${option} a value, or leave it out.\n`);
  }
});

test('with --json there is an error where else the help is shown', async () => {
  const { status, err } = await typedWith(true);
  assert.deepEqual([status, (JSON.parse(err) as ErrorJson).error.message], [120, 'a command is needed.']);
});

test('no command at all shows the help and has status 120', async () => {
  assert.equal((await typed()).status, 120);
});

test('what was typed cannot move the cursor in a usage error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (word) => {
      const { err } = await typed(`x${word}`);
      for (const line of err.split('\n')) assert.equal(visibleText(line), line);
    }),
    { numRuns: 200 },
  );
});

test('options after the command are the command’s own', async () => {
  let got: unknown;
  const [out, err] = [new MemoryOutput(), new MemoryOutput()];
  const context = () => Promise.reject(new Error('reached'));
  const program = await makeProgram({ out, err, version: '9', json: false, context, exit: () => {} });
  const run = program.commands.find((command) => command.name() === 'run');
  run?.action((command: unknown, options: unknown) => void (got = { command, options }));
  await program.parseAsync(['run', '--cpus', '2', '--env', 'A=1', '--env', 'B=2', 'xz', '-9', '--json', '--', 'x'], {
    from: 'user',
  });
  assert.deepEqual(got, { command: ['xz', '-9', '--json', '--', 'x'], options: { cpus: '2', env: ['A=1', 'B=2'] } });
});
