import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aboutBuild } from '../../../src/cli/about-build.ts';
import { builtAt, programHeader } from '../../../src/client/program.ts';
import { temporaryState } from '../client/fake-daemon.ts';

test('a built program tells its version and time from the file beside it', (t) => {
  const folder = temporaryState(t);
  writeFileSync(join(folder, 'build.json'), '{"version":"1.2.3","built_at":1796029355921,"hash":"x"}');
  assert.deepEqual(aboutBuild(join(folder, 'main.js')), { version: '1.2.3', builtAt: 1796029355921 });
});

test('sources that run as they are have the package’s version, and the time of their entry', () => {
  const main = join(import.meta.dirname, '../../../src/cli/main.ts');
  const about = aboutBuild(main);
  assert.match(about.version, /^\d+\.\d+\.\d+$/);
  assert.equal(about.builtAt, null);
  assert.ok(builtAt(about.builtAt, main) > Date.UTC(2020));
});

test('a header carries the path of a program as ASCII', () => {
  const program = { version: '1.2.3', builtAt: 5, entry: '/opt/ä b/main.js', node: 'node' };
  assert.equal(programHeader(program), '1.2.3 5 /opt/%C3%A4%20b/main.js');
});
