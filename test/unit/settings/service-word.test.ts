import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatServiceWord, parseServiceWord, type ServiceWord } from '../../../src/settings/service-word.ts';

test('how a daemon was started is read as it was written', () => {
  const words: ServiceWord[] = [
    { kind: 'service' },
    { kind: 'no-linger' },
    { kind: 'no-manager', uid: 1000 },
    { kind: 'no-systemd-run' },
    { kind: 'refused', why: 'Failed to connect to bus: No such file\nor directory' },
  ];
  for (const word of words) assert.deepEqual(parseServiceWord(formatServiceWord(word)), word);
});

test('anything else is not known', () => {
  for (const text of [undefined, '', 'Service', 'yes please']) assert.equal(parseServiceWord(text), null);
});
