import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differing, fingerprintsOf } from '../../../src/secrets/fingerprints.ts';
import { maskValues } from '../../../src/secrets/mask-values.ts';
import { secretValue } from '../../../src/secrets/secret-value.ts';
import { withoutEnd } from '../../../src/secrets/without-end.ts';

test('only what is wanted goes, and only at the end', () => {
  for (const [text, left] of [
    ['\n\nx\n\r\n', '\n\nx\n\r'],
    ['x', 'x'],
    ['\n\n', ''],
    ['', ''],
  ] as const)
    assert.equal(Buffer.from(withoutEnd(Buffer.from(text), [0x0a])).toString(), left);
});

test('a value full of newlines keeps nobody waiting: some milliseconds, where an expression takes half a minute', async () => {
  const value = `${'\n'.repeat(65_000)}x`;
  const before = performance.now();
  for (let i = 0; i < 3; i += 1) assert.equal(secretValue(Buffer.from(value)), value);
  const prints = await fingerprintsOf([{ name: 'A', value }]);
  assert.deepEqual(await differing(prints, [{ name: 'A', value: `${value}\n` }]), { changed: [], missing: [] });
  assert.equal(maskValues([{ name: 'A', value }]).text('y'), 'y');
  assert.ok(performance.now() - before < 12_000);
});
