import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { avg10Of, parsePressure, stallMs, stallTotalUs } from '../../../src/machine/pressure.ts';
import { parseProgress } from '../../../src/containment/progress.ts';
import { parseBytes } from '../../../src/machine/parse-bytes.ts';

const pressure =
  'some avg10=98.50 avg60=40.00 avg300=10.00 total=12166226\nfull avg10=95.25 avg60=30.00 avg300=9.00 total=4794908\n';

test('memory.pressure gives the averages and the totals of both lines', () => {
  assert.deepEqual(parsePressure(pressure), {
    someAvg10: 98.5,
    fullAvg10: 95.25,
    someTotalUs: 12166226,
    fullTotalUs: 4794908,
  });
});

test('some is never read as full, nor avg100 as avg10', () => {
  assert.equal(avg10Of('some avg10=1.00 total=5\n', 'full'), null);
  assert.equal(stallTotalUs('some avg10=1.00 total=5\n', 'full'), null);
  assert.equal(avg10Of('full avg100=1.00\n', 'full'), null);
  assert.equal(avg10Of('fully avg10=1.00\n', 'full'), null);
});

test('what is missing or no number is unknown, not 0', () => {
  for (const bad of [
    '',
    'max\n',
    'full',
    'full avg10= total=\n',
    'full avg10=-1 total=-1',
    'full avg10=x total=1.5',
    'full avg10=1e9 total=max',
  ]) {
    assert.equal(avg10Of(bad, 'full'), null, bad);
    assert.equal(stallTotalUs(bad, 'full'), null, bad);
  }
  assert.equal(avg10Of('full avg10=0.00 total=0', 'full'), 0);
  assert.equal(stallTotalUs('full avg10=0.00 total=0', 'full'), 0);
});

test('stall times are microseconds in the file and whole milliseconds on the attempts', () => {
  assert.equal(stallMs(stallTotalUs(pressure, 'full')), 4794);
  assert.equal(stallMs(999), 0);
  assert.equal(stallMs(null), null);
});

test('a number of bytes is one whole number', () => {
  assert.equal(parseBytes('33554432\n'), 33554432);
  assert.equal(parseBytes('0\n'), 0);
  for (const bad of [null, '', 'max\n', '-1', '1 2', '1.5', '99999999999999999999'])
    assert.equal(parseBytes(bad), null);
});

test('progress is read from the cache that can be reclaimed, not from tmpfs', () => {
  const memory =
    'file 900\nshmem 600\ninactive_file 100\nactive_file 200\nworkingset_refault_file 7\npgsteal 5\npgsteal_direct 4\npgmajfault 3\n';
  const io = '8:0 rbytes=1 wbytes=20 rios=1 wios=1 dbytes=0 dios=0\n8:16 rbytes=9 wbytes=22 rios=0\n7:0 \n';
  assert.deepEqual(parseProgress(memory, 'usage_usec 12\nuser_usec 8\nsystem_usec 4\n', io), {
    cacheBytes: 300,
    stolenPages: 5,
    refaultPages: 7,
    majorFaults: 3,
    writtenBytes: 42,
    readBytes: 10,
    userUs: 8,
  });
});

test('what the kernel does not say of progress is unknown; older kernels have one count of refaults', () => {
  const none = { cacheBytes: null, stolenPages: null, refaultPages: null, majorFaults: null };
  assert.deepEqual(parseProgress('garbage', null, null), {
    ...none,
    writtenBytes: null,
    readBytes: null,
    userUs: null,
  });
  assert.deepEqual(parseProgress('max\ninactive_file max', 'max', ''), {
    ...none,
    writtenBytes: 0,
    readBytes: 0,
    userUs: null,
  });
  assert.equal(parseProgress('workingset_refault 4\n', null, null).refaultPages, 4);
});

test('no parser throws on any text', () => {
  const piece = fc.constantFrom(
    'some',
    'full',
    ' ',
    '\n',
    'avg10=',
    'total=',
    '1.50',
    '99999999999999999999',
    'max',
    '-1',
    'wbytes=',
    'rbytes=',
    'pgsteal',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(text, (s) => {
      const { someAvg10, fullTotalUs } = parsePressure(s);
      assert.ok(someAvg10 === null || (someAvg10 >= 0 && someAvg10 < 1000));
      assert.ok(fullTotalUs === null || Number.isSafeInteger(fullTotalUs));
      parseProgress(s, s, s);
      parseBytes(s);
    }),
  );
});
