import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusLine } from '../../../src/cli/status-line.ts';
import { MemoryOutput } from './fake-context.ts';

test('a line that is wider than the terminal says that it is cut', async () => {
  const out = new MemoryOutput({ isTTY: true, columns: 20 });
  await new StatusLine(out).show('orca: run 18 waits: needs 1 core');
  assert.equal(out.text, '\r\x1b[2Korca: run 18 waits…');
});
