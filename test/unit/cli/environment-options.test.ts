import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { environmentFields, type EnvironmentOptions } from '../../../src/cli/environment-options.ts';
import { givenWords, inputWords, submitterWords } from '../../../src/cli/environment-words.ts';
import { doerOf, submitterOf } from '../../../src/cli/submitter.ts';
import { OrcaError } from '../../../src/errors/orca-error.ts';
import { fakeContext } from './fake-context.ts';

const context = (env: Record<string, string> = {}) => fakeContext({ state: '/nonexistent', env });

test('without options all of the environment goes along, and nothing else is said but who submits', async () => {
  const caller = context({ SECRET: 'x' });
  assert.deepEqual(await environmentFields(caller, {}), { env: caller.env, submitter: 'ada' });
});

test('what is captured is said, and --env is set over it', async () => {
  const none = await environmentFields(context({ SECRET: 'x' }), { captureEnv: 'none', env: ['A=1', 'B='] });
  assert.deepEqual(none, { env: { A: '1', B: '' }, capture: 'none', submitter: 'ada' });
  const minimal = await environmentFields(context({ SECRET: 'x', ORCA_CAPTURE_ENV: 'minimal' }), { env: ['PATH=/p'] });
  assert.deepEqual(minimal.env, { HOME: '/home/ada', PATH: '/p', ORCA_HOME: '/nonexistent' });
  assert.equal(minimal.capture, 'minimal');
  const said = await environmentFields(context({ ORCA_CAPTURE_ENV: 'none' }), { captureEnv: 'all' });
  assert.equal(said.env['HOME'], '/home/ada', 'the option wins over the setting');
});

test('only cpus that were asked for are told as such', async () => {
  assert.equal((await environmentFields(context(), { cpus: '1' })).cpus_asked, true);
  assert.equal('cpus_asked' in (await environmentFields(context(), {})), false);
});

test('inputs are whole paths with their sizes', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-inputs-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'in'), 'x'.repeat(12));
  const caller = { ...context(), cwd: { path: folder, bytes: null } };
  const { inputs } = await environmentFields(caller, { input: ['in', join(folder, '.')] });
  assert.deepEqual(inputs, [
    { path: join(folder, 'in'), bytes: 12 },
    { path: folder, bytes: 12 },
  ]);
});

test('a kill or a pause bears the name of ORCA_AS before that of the user', () => {
  assert.equal(doerOf(context()), 'ada');
  assert.equal(doerOf(context({ ORCA_AS: 'night' })), 'night (ada)');
  assert.throws(() => doerOf(context({ ORCA_AS: 'a\u001b[2J' })), /would change a terminal/);
});

const refused: [string, EnvironmentOptions, RegExp][] = [
  ['an unknown capture', { captureEnv: 'some' }, /--capture-env some is refused: it is one of all, minimal, none/],
  ['a bad format', { memoryEnv: ['java', 'HEAP={kb}'] }, /--memory-env HEAP=\{kb\} is refused/],
  ['an input that is not there', { input: ['/nonexistent/in'] }, /\/nonexistent\/in cannot be read: no such file/],
  ['an empty submitter', { as: ' ' }, /--as ' ' is refused/],
  ['a submitter that moves a cursor', { as: 'a\u001b[2J' }, /would change a terminal/],
  ['a long submitter', { as: 'x'.repeat(101) }, /at most 100 characters/],
];

for (const [what, options, why] of refused) {
  test(`${what} is refused with status 120`, async () => {
    await assert.rejects(
      environmentFields(context(), options),
      (error) => error instanceof OrcaError && error.exitStatus === 120 && why.test(error.message),
    );
  });
}

test('who submits is what --as says, else ORCA_AS, else where the call comes from', () => {
  assert.equal(submitterOf(context({ ORCA_AS: 'team' }), 'nightly'), 'nightly');
  assert.equal(submitterOf(context({ ORCA_AS: 'team' })), 'team');
  assert.equal(submitterOf(context()), 'ada');
  assert.throws(() => submitterOf(context({ ORCA_AS: 'a\u001b' })), /ORCA_AS/);
});

test('the story of a run tells what is not as usual, safe for a terminal', () => {
  const inputs = ['/a', '/b\u001b', '/c', '/d', '/e', '/f', '/g'].map((path) => ({ path, bytes: 20 * 1048576 }));
  assert.equal(inputWords({ inputs }), '/a (20 MB), /b\\x1b (20 MB), /c (20 MB), /d (20 MB), /e (20 MB), 2 more');
  assert.equal(inputWords({ inputs: [{ path: '/dev', bytes: null }] }), '/dev (size not known)');
  assert.equal(inputWords({}), null);
  assert.equal(
    givenWords({ capture: 'none', memory_env: ['java', 'A={mb} x'] }),
    "--capture-env none --memory-env java --memory-env 'A={mb} x'",
  );
  assert.equal(givenWords({}), null);
  assert.equal(submitterWords({ submitter: 'pts/3' }), ' by pts/3');
  assert.equal(submitterWords({}), '');
});
