import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { watchExits, type ExitWatch } from '../../../src/keeper/watch-exits.ts';
import { eventually } from './eventually.ts';

let folder: string;
let looked: string[];
let exits: ExitWatch;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orca-exits-'));
  looked = [];
  exits = watchExits((at) => looked.push(at));
});
afterEach(() => {
  exits.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a folder is looked into once when it is added, and again when a record is renamed into place', async () => {
  exits.add(folder);
  await eventually('the first look', () => looked.length === 1);
  writeFileSync(join(folder, 'draft'), '{}');
  renameSync(join(folder, 'draft'), join(folder, 'exit'));
  await eventually('another look', () => looked.length > 1);
});

test('a folder that cannot be watched is looked into once, and stops no other', async () => {
  exits.add('/nonexistent/7.1');
  exits.add(folder);
  await eventually('both first looks', () => looked.length === 2);
  assert.deepEqual(looked, ['/nonexistent/7.1', folder]);
});

test('after a removal nothing is looked into any more, though something is due', async () => {
  exits.add(folder);
  exits.remove(folder);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  assert.deepEqual(looked, []);
});
