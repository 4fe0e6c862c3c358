import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cgroupCpuSeconds } from '../../../src/machine/cpu-stat.ts';

test('cpu.stat gives the CPU time of a cgroup in seconds', () => {
  assert.equal(cgroupCpuSeconds('usage_usec 1250000\nuser_usec 1000000\nsystem_usec 250000\nnr_periods 0\n'), 1.25);
  assert.equal(cgroupCpuSeconds('usage_usec 0\n'), 0);
});

test('cpu.stat that is missing, cut or hostile gives none', () => {
  for (const text of [
    '',
    'usage_usec',
    'usage_usec \n',
    'usage_usec max\n',
    'usage_usec -5\n',
    'usage_usec 1.5\n',
    'usage_usec 1 2\n',
    'user_usec 7\n',
    'core_usage_usec 7\n',
    `usage_usec ${'9'.repeat(21)}\n`,
  ]) {
    assert.equal(cgroupCpuSeconds(text), null, text);
  }
});

test('no text makes cpu.stat throw or go below zero', () => {
  const words = fc.constantFrom('usage_usec', 'user_usec', ' ', '\n', '0', '18446744073709551615', '-1', 'max', '\0');
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words).map((list) => list.join('')),
  );
  fc.assert(fc.property(text, (any) => assert.ok((cgroupCpuSeconds(any) ?? 0) >= 0)));
});
