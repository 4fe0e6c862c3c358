import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { differing, fingerprintsOf, readFingerprints, writeFingerprints } from '../../../src/secrets/fingerprints.ts';

const place = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-prints-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'prints');
};

const secrets = [
  { name: 'A', value: 'correct horse' },
  { name: 'B', value: 'battery\nstaple' },
];

test('values are known again by their fingerprints; another one is told by its name, as is one that is not there', async () => {
  const prints = await fingerprintsOf(secrets);
  assert.deepEqual(await differing(prints, secrets), { changed: [], missing: [] });
  const others = [
    { name: 'A', value: 'correct horse!' },
    { name: 'C', value: 'x' },
  ];
  assert.deepEqual(await differing(prints, others), { changed: ['A'], missing: ['B'] });
  const swapped = secrets.map(({ name }, i) => ({ name, value: secrets[1 - i]?.value ?? '' }));
  assert.deepEqual(await differing(prints, swapped), { changed: ['A', 'B'], missing: [] });
  assert.deepEqual(await differing(prints, [{ name: 'A', value: '' }]), { changed: ['A'], missing: ['B'] });
});

test('newlines at the end of a value change nothing, as they change nothing of what is masked', async () => {
  const prints = await fingerprintsOf([{ name: 'A', value: 'correct horse\r' }]);
  assert.deepEqual(await differing(prints, [{ name: 'A', value: 'correct horse\n\n' }]), { changed: [], missing: [] });
});

test('the same value has another fingerprint in each start and under each name, and the file holds nothing of it but those', async (t) => {
  const same = [
    { name: 'A', value: 'one' },
    { name: 'B', value: 'one' },
  ];
  const [first, second] = [await fingerprintsOf(same), await fingerprintsOf(same)];
  assert.notEqual(first.salt, second.salt);
  const all = new Set([...first.of.values(), ...second.of.values()]);
  // Two of so few may be the same by chance.
  assert.ok(all.size >= 3, [...all].join(' '));
  const file = place(t);
  await writeFingerprints(file, first);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.match(readFileSync(file, 'utf8'), /^salt [0-9a-f]{32}\nA [0-9a-f]{4}\nB [0-9a-f]{4}\nend\n$/);
  assert.deepEqual(await readFingerprints(file), first);
});

test('a file that is not there, or not whole, has no fingerprints', async (t) => {
  const file = place(t);
  assert.equal(await readFingerprints(file), null);
  await writeFingerprints(file, await fingerprintsOf(secrets));
  const text = readFileSync(file, 'utf8');
  for (let length = 0; length < text.length; length += 1) {
    writeFileSync(file, text.slice(0, length));
    assert.equal(await readFingerprints(file), null, String(length));
  }
});

test('a link in the place of the file is not followed', async (t) => {
  const file = place(t);
  symlinkSync(`${file}.elsewhere`, file);
  await assert.rejects(writeFingerprints(file, await fingerprintsOf(secrets)), { code: 'ELOOP' });
});

test('a file that cannot be read now is not taken for none', async (t) => {
  const file = place(t);
  mkdirSync(file);
  await assert.rejects(readFingerprints(file), { code: 'EISDIR' });
});
