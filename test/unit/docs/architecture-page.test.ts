import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { everywhere, folders } from '../../../tools/imports/folders.ts';
import { page, root } from './page.ts';

const there = readdirSync(join(root, 'src'));

/** The rows on folders of `src/`: name, and the words on what each may import. */
const rows = new Map(
  [...page('ARCHITECTURE.md').matchAll(/^\| `src\/(\w+)\/` +\|[^|]*\| ([^|]*?) *\|$/gm)].map(
    ([, name = '', may = '']) => [name, may],
  ),
);

test('ARCHITECTURE.md has a row on every folder of src, and on no other', () => {
  assert.deepEqual(new Set(rows.keys()), new Set(there));
});

test('what ARCHITECTURE.md says that a folder may import is what the check of imports goes by', () => {
  for (const [name, words] of rows) {
    const [plain = ''] = words.split(';');
    const told = plain === 'all above' ? [...rows.keys()].slice(0, [...rows.keys()].indexOf(name)) : plain.split(', ');
    const may = (folders[name] ?? []).filter((folder) => there.includes(folder));
    const named = told.filter((folder) => folder !== '–' && !everywhere.includes(folder));
    assert.deepEqual(new Set(named), new Set(may), name);
  }
});
