import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { DaemonJson } from '../../src/wire/api.ts';
import { linkModules } from './set-up/link-modules.ts';

const repository = join(import.meta.dirname, '../..');
const node = dirname(process.execPath);
/** `npm install -g` is tried as an ordinary user where the tests run as root. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

let base: string;
let tarball: string;

/** A copy of the checkout in which `npm pack` may write; nothing else runs there. */
before(() => {
  base = mkdtempSync(join(tmpdir(), 'orca-pack-'));
  chmodSync(base, 0o755);
  const copy = join(base, 'checkout');
  const left = ['.git', '.node', 'dist', 'node_modules', 'native/build', 'native/prebuilt', '.test'];
  cpSync(repository, copy, {
    recursive: true,
    preserveTimestamps: true,
    filter: (from) => !left.includes(from.slice(repository.length + 1)) && !from.endsWith('.tgz'),
  });
  linkModules(repository, copy);
  const before = readFileSync(join(copy, 'package.json'), 'utf8');
  execFileSync('npm', ['pack', '--silent', '--pack-destination', base], {
    cwd: copy,
    env: { ...process.env, PATH: `${node}:${process.env['PATH']}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  assert.equal(readFileSync(join(copy, 'package.json'), 'utf8'), before, 'package.json is as it was');
  const [packed = ''] = readdirSync(base).filter((name) => name.endsWith('.tgz'));
  tarball = join(base, packed);
});
after(() => rmSync(base, { recursive: true, force: true }));

test('the tarball installs without network, compiler and root, and both names run', () => {
  const home = join(base, 'home');
  const bin = join(base, 'bin');
  for (const folder of [home, bin]) mkdirSync(folder);
  if (user.uid !== undefined) chownSync(home, user.uid, user.gid);
  // No cc here: only what npm and its scripts call.
  for (const tool of ['sh', 'env']) symlinkSync(`/bin/${tool}`, join(bin, tool));
  symlinkSync(process.execPath, join(bin, 'node'));
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  const env = { PATH: bin, HOME: home, ORCA_HOME: join(home, 'state') };
  const prefix = join(home, 'prefix');
  const as = { ...user, env, cwd: home, encoding: 'utf8' } as const;
  execFileSync(
    npm,
    ['install', '-g', '--offline', '--no-audit', '--no-fund', '--silent', '--prefix', prefix, tarball],
    as,
  );

  const installed = join(prefix, 'lib/node_modules/orca-runs');
  assert.ok(!existsSync(join(installed, 'node_modules')), 'it needs no other package');
  for (const name of ['orca', 'orcactl'])
    assert.match(execFileSync(join(prefix, 'bin', name), ['--version'], as), /\b0\.\d+\.\d+/);
  const orca = join(prefix, 'bin/orca');
  try {
    assert.equal(
      execFileSync(orca, ['run', '--', process.execPath, '-p', '6 * 7'], { ...as, timeout: 60_000 }),
      '42\n',
    );
    const status: unknown = JSON.parse(execFileSync(orca, ['status', '--json'], as));
    assert.deepEqual((status as { daemon: DaemonJson }).daemon.keeper, { kind: 'native', why: null });
  } finally {
    execFileSync(orca, ['down'], { ...as, stdio: 'ignore', timeout: 60_000 });
  }

  const keeper = join(installed, `native/prebuilt/${process.platform}-${process.arch}/orca-keep`);
  assert.equal(statSync(keeper).mode & 0o111, 0o111);
  assert.equal(execFileSync(keeper, ['version'], as).trim(), '1');
});

test('the tarball holds the program, the keepers, the licence and the pages, and no source of the tests', () => {
  const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n');
  for (const file of [
    'LICENSE',
    'README.md',
    'bin/orca.js',
    'dist/packed.js',
    'native/orca-keep.sh',
    'native/build.sh',
  ])
    assert.ok(files.includes(`package/${file}`), file);
  assert.deepEqual(
    files.filter((file) => /^package\/(src|test|tools|bench|node_modules|native\/build\/|\.)/.test(file)),
    [],
  );
  assert.equal(files.filter((file) => /^package\/dist\/[0-9a-f]{16}\/main\.js$/.test(file)).length, 1);
});
