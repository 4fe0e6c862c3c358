import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keeperAhead } from '../../../src/cli/keeper-ahead.ts';

const [built, packed] = ['/orca/native/build/orca-keep', '/orca/native/prebuilt/linux-x64/orca-keep'];
const ahead = (choice: 'auto' | 'native' | 'sh', ...there: string[]) =>
  keeperAhead({ root: '/orca', choice, platform: 'linux-x64', isExecutable: (file) => there.includes(file) });

test('the keeper that was compiled here is named before the one that came with the package', () => {
  assert.equal(ahead('auto', built, packed).found, `native: ${built}`);
  assert.deepEqual([ahead('auto', packed).level, ahead('auto', packed).found], ['ok', `native: ${packed}`]);
});

test('without a native keeper the next daemon uses sh, and both places are named', () => {
  const { level, found, help } = ahead('auto');
  assert.equal(level, 'warn');
  assert.ok(found.includes(`neither ${built} nor ${packed} is there`), found);
  assert.match(help ?? '', /apt-get install gcc.*build\.sh \/orca\/native\/build\/orca-keep/);
});

test('a native keeper that is demanded and missing is broken: no daemon would start', () => {
  assert.equal(ahead('native').level, 'broken');
  assert.equal(ahead('native', packed).level, 'ok');
});

test('sh is told as what was asked for, though a native keeper is there', () => {
  const { level, found } = ahead('sh', built);
  assert.equal(level, 'warn');
  assert.match(found, /ORCA_KEEPER is sh$/);
});
