import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { eventKinds } from '../../../src/runs/event-kinds.ts';

test('the page of the API lists all kinds of events, in their order', () => {
  const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const table = page.slice(page.search(/^\| Kind +\| What/m), page.indexOf('## Errors'));
  const first = [...table.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) +\|/gm)].flatMap(([, cell = '']) => cell.split(', '));
  assert.deepEqual(
    first.map((word) => word.slice(1, -1)),
    [...eventKinds],
  );
});
