import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Console } from '../../../tools/vm/console.ts';

test('words of the guest’s init are told from the suite’s lines, however the pieces are cut', () => {
  const text = 'boot\r\norca-vm: begin 4.75\r\n✔ a test says orca-vm: end 0\r\norca-vm: end 1\r\n';
  for (const size of [1, 7, text.length]) {
    const console = new Console();
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    assert.deepEqual(
      pieces.flatMap((piece) => console.take(piece)),
      [
        { kind: 'line', text: 'boot' },
        { kind: 'begin', seconds: 4.75 },
        { kind: 'line', text: '✔ a test says orca-vm: end 0' },
        { kind: 'end', status: 1 },
      ],
    );
    assert.equal(console.rest, '');
  }
});

test('a last line without an end is not lost', () => {
  const console = new Console();
  assert.deepEqual(console.take('Kernel panic'), []);
  assert.equal(console.rest, 'Kernel panic');
});
