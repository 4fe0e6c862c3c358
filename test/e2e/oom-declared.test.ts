import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { RunJson } from '../../src/wire/api.ts';
import { Orca } from './support/orca.ts';

const orca = new Orca({ after });
const mib = 1048576;

/** Ends well when it is given 48 MB, and else as the script says: no memory is used, the ending alone speaks. */
const below48 = (ending: string): string[] => ['sh', '-c', `[ $ORCA_MEMORY_MB -ge 48 ] || { ${ending}; }`];

/** Each of the endings is another command, so no raise of one is another's. */
const storyOf = async (...args: string[]): Promise<{ run: RunJson; story: unknown[] }> => {
  const run = JSON.parse((await orca.run(['run', '--json', '--memory', '32MB..96MB', ...args])).stdout) as RunJson;
  const story = run.starts.map(({ verdict, evidence, limit_bytes }) => [verdict, evidence, (limit_bytes ?? 0) / mib]);
  return { run, story };
};

const raised = [
  ['out-of-memory', 'declared', 32],
  ['succeeded', null, 48],
];

for (const [what, ending] of [
  ['exit code', 'exit 134'],
  ['signal as the code that a shell shows', 'kill -ABRT $$'],
] as const) {
  test(`a declared ${what} is out of memory and gets a bigger start`, async () => {
    const { run, story } = await storyOf('--oom-exit', '3,134', '--', ...below48(ending));
    assert.deepEqual(story, raised);
    assert.match(run.starts[0]?.text ?? '', /it ended with 134, which --oom-exit declares/);
    assert.deepEqual(run.oom, { retry: 'proved', exit_codes: [3, 134], text: null });
    assert.equal(run.exit_status, 0);
  });
}

test('a declared text in standard error is out of memory and gets a bigger start', async () => {
  const ending = 'echo "FATAL ERROR: JavaScript heap out of memory" >&2; exit 1';
  const { run, story } = await storyOf('--oom-text', 'heap out of memory', '--', ...below48(ending));
  assert.deepEqual(story, raised);
  assert.match(run.starts[0]?.text ?? '', /--oom-text 'heap out of memory'/);
});

test('a text on standard output, one that is no part of the error, and another code declare nothing', async () => {
  for (const ending of ['echo heap out of memory; exit 1', 'echo heap Out of memory >&2; exit 1', 'exit 135']) {
    const declared = ['--oom-text', 'heap out of memory', '--oom-exit', '134'];
    const { story } = await storyOf(...declared, '--', ...below48(ending));
    assert.deepEqual(story, [['failed', null, 32]], ending);
  }
});

test('nothing is declared by itself', async () => {
  const { run, story } = await storyOf('--', ...below48('echo heap out of memory >&2; exit 134; :'));
  assert.deepEqual(story, [['failed', null, 32]]);
  assert.deepEqual(run.oom, { retry: 'proved', exit_codes: [], text: null });
});

test('with --oom-retry never a declared death is the last start, and a retry of the run keeps what was declared', async () => {
  const declared = ['--oom-exit', '7', '--oom-text', 'gone', '--oom-retry', 'never'];
  const { run, story } = await storyOf(...declared, '--', ...below48('exit 7'));
  assert.deepEqual(story, [['out-of-memory', 'declared', 32]]);
  assert.match(run.text ?? '', /not tried again, as was asked/);
  assert.equal(run.exit_status, 99);
  const again = Number((await orca.run(['retry', String(run.id)])).stdout);
  await orca.run(['wait', String(again)]);
  assert.deepEqual((await orca.status(again)).oom, { retry: 'never', exit_codes: [7], text: 'gone' });
  assert.match(
    (await orca.run(['status', String(again)])).stdout,
    /^request .*--oom-exit 7, --oom-text gone, --oom-retry never$/m,
  );
});

test('what cannot be declared is refused before anything is queued', async () => {
  for (const [option, value, why] of [
    ['--oom-exit', '0', /from 1 to 255/],
    ['--oom-retry', 'always', /proved, reported, never/],
  ] as const) {
    const { status, stderr } = await orca.run(['submit', option, value, '--', 'true']);
    assert.equal(status, 120);
    assert.match(stderr, why);
  }
});
