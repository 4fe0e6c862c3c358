import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { page, root } from './page.ts';

const names = readdirSync(join(root, 'docs/decisions')).toSorted();

test('decisions are numbered one after the other, and each says its number', () => {
  assert.deepEqual(
    names.map((name) => Number(name.slice(0, 4))),
    names.map((_, index) => index + 1),
  );
  for (const name of names) {
    assert.match(name, /^\d{4}-[a-z0-9-]+\.md$/);
    assert.match(page(`docs/decisions/${name}`), new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S`), name);
  }
});

test('a decision has its context, its choice, and what speaks for it or follows from it', () => {
  for (const name of names) {
    const text = page(`docs/decisions/${name}`);
    for (const heading of ['Context', 'Choice']) assert.ok(text.includes(`\n## ${heading}\n`), `${name}: ${heading}`);
    assert.match(text, /\n## (Evidence|Consequences)\n/, name);
  }
});
