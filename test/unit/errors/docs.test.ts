import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue, parts } from '../../../src/errors/catalogue.ts';
import { stalePages } from '../../../tools/write-docs.ts';

test('the pages on settings and errors say what the tables say; `node tools/write-docs.ts` makes them', async () => {
  assert.deepEqual(await stalePages(), []);
});

test('every error is a whole sentence with an advice, and exits with a status that Q4 knows', () => {
  for (const [code, entry] of Object.entries(catalogue)) {
    assert.match(entry.message, /^\S.*[.}]$/s, code);
    assert.match(entry.hint, /\S/, code);
    assert.ok([120, 121, 122, 124, 125, 127].includes(entry.exit), code);
    assert.ok(entry.http >= 400 && entry.http < 600, code);
  }
});

test('no code is in two parts of the catalogue', () => {
  const codes = parts.flatMap((part) => Object.keys(part));
  assert.deepEqual(codes.toSorted(), Object.keys(catalogue).toSorted());
});
