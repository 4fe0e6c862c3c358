import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseBootId } from '../../../src/machine/boot-id.ts';
import { countNamed, event, parseMemoryEvents } from '../../../src/machine/memory-events.ts';
import { parseLimit } from '../../../src/machine/memory-limit.ts';
import { parseMeminfo } from '../../../src/machine/meminfo.ts';
import { ownPath, ownPathV1, pathsUp } from '../../../src/machine/own-path.ts';
import { parseAuxv } from '../../../src/machine/proc-units.ts';
import { parsePss } from '../../../src/machine/smaps-rollup.ts';

const events = 'low 0\nhigh 12\nmax 3\noom 1\noom_kill 2\noom_group_kill 1\n';

test('memory.events gives the counts of exactly those names', () => {
  assert.deepEqual(parseMemoryEvents(events), { oom: 1n, oomKill: 2n, groupKill: 1n });
  assert.equal(event(events, 'oom_group_kill'), 1n);
});

test('oom_group_kill is never read as oom_kill, nor oom_kill as oom', () => {
  assert.deepEqual(parseMemoryEvents('oom_group_kill 5\n'), { oom: 0n, oomKill: 0n, groupKill: 5n });
  assert.deepEqual(parseMemoryEvents('oom_kill 5\n'), { oom: 0n, oomKill: 5n, groupKill: null });
});

test('a count above 2^53 keeps every digit', () => {
  assert.equal(event('oom_kill 9007199254740993\n', 'oom_kill'), 9007199254740993n);
  assert.ok(event('oom_kill 18446744073709551615', 'oom_kill') > event('oom_kill 18446744073709551614', 'oom_kill'));
});

test('a count that is missing or no number is 0, and null for who must know', () => {
  for (const text of [
    '',
    'oom what\noom_kill later\n',
    'oom_kill\n',
    'oom_kill -1',
    'oom_kill 1 2',
    'oom_kill max',
    'oom_kill 1.5',
  ]) {
    assert.equal(event(text, 'oom_kill'), 0n, text);
    assert.equal(countNamed(text, 'oom_kill'), null, text);
  }
});

test('vmstat gives its oom_kill', () => {
  assert.equal(event('pgfault 123\nnr_oom_kill 9\noom_kill 4\nthp_split_page 1\n', 'oom_kill'), 4n);
});

test('meminfo gives bytes by name and leaves out what is no size', () => {
  const sizes = parseMeminfo(
    'MemTotal:       24684084 kB\nMemAvailable:   100 kB\nHugePages_Total:       0\nBad: max kB\n',
  );
  assert.equal(sizes.get('MemTotal'), 24684084 * 1024);
  assert.equal(sizes.get('MemAvailable'), 102400);
  assert.equal(sizes.get('HugePages_Total'), undefined);
  assert.equal(sizes.get('Bad'), undefined);
  assert.equal(parseMeminfo('').size, 0);
});

test('smaps_rollup gives Pss alone, not its parts', () => {
  const text =
    '00400000-7ffd ---p 00000000 00:00 0    [rollup]\nRss:    900 kB\nPss:    100 kB\nPss_Dirty:   50 kB\nSwapPss:   7 kB\n';
  assert.equal(parsePss(text), 102400);
  for (const bad of ['', 'Pss_Dirty: 50 kB\n', 'Pss: max kB', 'SwapPss: 7 kB']) assert.equal(parsePss(bad), null);
});

test('a boot id is a uuid, and anything else is none', () => {
  assert.equal(parseBootId('a16827e8-17a6-40dd-847e-062544493ccc\n'), 'a16827e8-17a6-40dd-847e-062544493ccc');
  for (const bad of ['', 'max', 'a16827e8', 'g16827e8-17a6-40dd-847e-062544493ccc'])
    assert.equal(parseBootId(bad), null);
});

test('the own cgroup is the unified line, and empty without it', () => {
  const hybrid = '4:memory,hugetlb:/box\n1:name=systemd:/\n0::/user.slice/a b:c\n';
  assert.equal(ownPath(hybrid), '/user.slice/a b:c');
  assert.equal(ownPath('4:memory:/box\n'), '');
  assert.equal(ownPath('garbage 0::/x'), '');
  assert.equal(ownPath(''), '');
  assert.equal(ownPathV1(hybrid, 'memory'), '/box');
  assert.equal(ownPathV1(hybrid, 'mem'), '');
  assert.equal(ownPathV1(hybrid, 'cpu'), '');
});

test('the paths upwards end at the root, and one that leads out of sight is only the root', () => {
  assert.deepEqual(pathsUp('/a/b'), ['/a/b', '/a', '/']);
  assert.deepEqual(pathsUp('/'), ['/']);
  assert.deepEqual(pathsUp('/../other'), ['/']);
});

test('a limit is bytes, max, or nothing', () => {
  assert.equal(parseLimit('1073741824\n'), 1073741824);
  assert.equal(parseLimit('max\n'), 'max');
  for (const bad of ['', 'maximum', '-1', '1 2']) assert.equal(parseLimit(bad), null);
});

test('the auxiliary vector gives page size and ticks, and what it lacks is 4096 and 100', () => {
  const auxv = (pairs: readonly (readonly [bigint, bigint])[]): Buffer => {
    const buffer = Buffer.alloc(pairs.length * 16);
    for (const [i, [key, value]] of pairs.entries()) {
      buffer.writeBigUInt64LE(key, i * 16);
      buffer.writeBigUInt64LE(value, i * 16 + 8);
    }
    return buffer;
  };
  assert.deepEqual(
    parseAuxv(
      auxv([
        [6n, 65536n],
        [17n, 1000n],
        [0n, 0n],
      ]),
    ),
    { pageBytes: 65536, ticksPerSecond: 1000 },
  );
  assert.deepEqual(
    parseAuxv(
      auxv([
        [6n, 0n],
        [17n, 2n ** 63n],
      ]),
    ),
    { pageBytes: 4096, ticksPerSecond: 100 },
  );
  assert.deepEqual(parseAuxv(Buffer.alloc(7)), { pageBytes: 4096, ticksPerSecond: 100 });
});

test('no parser throws on any text', () => {
  const words = fc.constantFrom(
    'oom_kill',
    'oom',
    ' ',
    '\n',
    '0::/',
    ':memory:',
    '/..',
    'Pss:',
    'kB',
    'max',
    '123',
    '-1',
    ':',
    '99999999999999999999999',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(text, (s) => {
      parseMemoryEvents(s);
      parseMeminfo(s);
      parsePss(s);
      parseBootId(s);
      pathsUp(ownPath(s));
      ownPathV1(s, 'memory');
      parseLimit(s);
      parseAuxv(Buffer.from(s));
    }),
  );
});
