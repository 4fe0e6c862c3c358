import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folders } from '../../../tools/imports/folders.ts';
import { forbiddenImports } from '../../../tools/imports/forbidden-imports.ts';

const refused = (file: string, source: string): boolean => forbiddenImports(file, source).length > 0;

test('an import upwards is found and names both files', () => {
  assert.deepEqual(forbiddenImports('src/runs/retry.ts', `import { openStore } from '../store/open-store.ts';`), [
    'src/runs/retry.ts may not import src/store/open-store.ts.',
  ]);
});

test('the form of an import makes no difference', () => {
  for (const source of [
    `import type { Store } from '../store/store.ts';`,
    `import {\n  type Store,\n} from "../store/store.ts";`,
    `export * from '../store/store.ts';`,
    `export type { Store } from '../store/store.ts';`,
    `const store = await import('../store/store.ts');`,
    `let store: import('../store/store.ts').Store;`,
    `import '../store/store.ts';`,
  ])
    assert.ok(refused('src/runs/retry.ts', source), source);
});

test('imports of the own folder, of a folder below, of Node and of packages are allowed', () => {
  const source = `
    import { join } from 'node:path';
    import { Hono } from 'hono';
    import { state } from './states.ts';
    import { bytes } from '../units/brands.ts';
    import { OrcaError } from '../errors/orca-error.ts';
    import type { Settings } from '../settings/settings.ts';`;
  assert.deepEqual(forbiddenImports('src/runs/retry.ts', source), []);
});

test('an import that only a comment mentions is none', () => {
  assert.ok(!refused('src/runs/retry.ts', `/** as import '../store/store.ts' did */\n// from '../store/store.ts'\n`));
});

test('nothing in src/ imports tests or tools', () => {
  assert.ok(refused('src/api/app.ts', `import { build } from '../../tools/build.ts';`));
  assert.ok(refused('src/api/app.ts', `import { fake } from '../../test/e2e/fake.ts';`));
});

test('of the commands only the daemon reaches the API and the store', () => {
  const source = `const { openStore } = await import('../store/open-store.ts'); const api = await import('../api/app.ts');`;
  assert.deepEqual(forbiddenImports('src/cli/daemon.ts', source), []);
  assert.equal(forbiddenImports('src/cli/kill.ts', source).length, 2);
});

test('a folder that the table does not know is refused', () => {
  assert.ok(refused('src/helpers/misc.ts', ''));
  assert.ok(refused('src/misc.ts', ''));
});

test('every folder of src/ is in the table, and the table has no cycle', () => {
  for (const folder of readdirSync(join(import.meta.dirname, '../../../src')))
    assert.ok(folder in folders, `src/${folder}/`);
  const visit = (folder: string, path: readonly string[]): void => {
    assert.ok(!path.includes(folder), [...path, folder].join(' → '));
    for (const below of folders[folder] ?? []) visit(below, [...path, folder]);
  };
  for (const folder of Object.keys(folders)) visit(folder, []);
});
