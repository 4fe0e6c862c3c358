/** What usage stands on reads files whose text we do not make: whatever it is, nothing throws and nothing is below zero. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cgroupCpuSeconds } from '../../../src/machine/cpu-stat.ts';
import { countNamed, parseMemoryEvents } from '../../../src/machine/memory-events.ts';
import { parseBytes } from '../../../src/machine/parse-bytes.ts';
import { parsePidStat, parsePidUsage } from '../../../src/machine/pid-stat.ts';
import { parsePressure } from '../../../src/machine/pressure.ts';
import { parseAuxv } from '../../../src/machine/proc-units.ts';
import { parsePss } from '../../../src/machine/smaps-rollup.ts';
import { Meter } from '../../../src/usage/meter.ts';
import { treesOf } from '../../../src/usage/proc-pass.ts';

const statLine =
  '4242 (cat) S 17 4242 4242 0 -1 4194560 100 200 0 0 12 34 56 78 20 0 1 0 987654 12345678 321 18446744073709551615 1 1 0\n';
const rollup =
  '00400000-7ffd ---p 00000000 00:00 0    [rollup]\nRss:    900 kB\nPss:    100 kB\nPss_Dirty:   50 kB\nSwapPss:   7 kB\n';
const cpuStat = 'usage_usec 1250000\nuser_usec 1000000\nsystem_usec 250000\nnr_periods 0\n';
const events = 'low 0\nhigh 12\nmax 3\noom 1\noom_kill 2\noom_group_kill 1\n';
const pressure = 'some avg10=1.50 avg60=0.00 avg300=0.00 total=1234\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=99\n';

const number = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '-0',
    '18446744073709551615',
    '9'.repeat(400),
    '1e9',
    'NaN',
    'Infinity',
    '0x10',
    'max',
    '',
  ),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
);
const piece = fc.oneof(
  number,
  fc.constantFrom(' ', '\n', '\0', ')', '(', ') R 0 0', 'kB', 'total=', 'some', '\r\n', '数', '\ud800'),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

/** A real text with numbers put in the place of its own, cut anywhere, with pieces put in anywhere, or no such text at all. */
const likeText = (real: string): fc.Arbitrary<string> => {
  const replaced = fc.array(number, { minLength: 1, maxLength: 30 }).map((numbers) => {
    let at = 0;
    // Every third stays, so that some of what comes after is reached.
    return real.replace(/\d+/g, (own) => ((at += 1) % 3 === 0 ? own : (numbers[at % numbers.length] ?? own)));
  });
  const cut = fc.nat(real.length).map((length) => real.slice(0, length));
  const mixed = fc
    .array(fc.tuple(fc.nat(real.length), piece), { maxLength: 5 })
    .map((pieces) => pieces.reduce((text, [at, put]) => text.slice(0, at) + put + text.slice(at), real));
  return fc.oneof(replaced, cut, mixed, fc.string({ unit: 'binary' }));
};

const atLeastZero = (value: number | null, of: string): void => {
  if (value !== null) assert.ok(Number.isFinite(value) && value >= 0, `${of}: ${value}`);
};

test('any process line gives a reading whose sizes and times are none or not below zero', () => {
  fc.assert(
    fc.property(likeText(statLine), (text) => {
      const stat = parsePidStat(text);
      for (const key of ['ownTicks', 'waitedTicks', 'rssPages'] as const) atLeastZero(stat?.[key] ?? null, key);
      const usage = parsePidUsage(text);
      atLeastZero(usage.rssPages, 'rssPages');
      atLeastZero(usage.cpuTicks, 'cpuTicks');
    }),
    { numRuns: 2000 },
  );
});

test('any cgroup text gives figures that are unknown or not below zero', () => {
  fc.assert(
    fc.property(likeText(rollup), likeText(cpuStat), likeText(events), likeText(pressure), (pss, cpu, memory, psi) => {
      atLeastZero(parsePss(pss), 'Pss');
      atLeastZero(parseBytes(pss), 'bytes');
      atLeastZero(cgroupCpuSeconds(cpu), 'CPU');
      const { oom, oomKill } = parseMemoryEvents(memory);
      assert.ok(oom >= 0n && oomKill >= 0n && (countNamed(memory, 'high') ?? 0n) >= 0n);
      for (const [key, value] of Object.entries(parsePressure(psi))) atLeastZero(value, key);
    }),
    { numRuns: 2000 },
  );
});

test('a line of a megabyte is read or refused, and quickly', () => {
  const huge = 'x'.repeat(1 << 20);
  const began = performance.now();
  assert.equal(
    parsePidStat(`4242 (${huge}) S 17 4242 4242 0 -1 0 0 0 0 0 12 34 56 78 20 0 1 0 9 8 7 6\n`)?.rssPages,
    7,
  );
  for (const text of [
    huge,
    huge.replaceAll('x', '9'),
    huge.replaceAll('x', ' '),
    huge.replaceAll('x', ')'),
    `Pss: ${huge}`,
  ]) {
    assert.equal(parsePidStat(text), null);
    assert.equal(parsePss(text), null);
    assert.equal(parseBytes(text), null);
    assert.equal(cgroupCpuSeconds(`usage_usec ${text}`), null);
    assert.equal(parsePressure(`some avg10=${text} total=${text}`).someTotalUs, null);
    parseMemoryEvents(text);
  }
  assert.ok(performance.now() - began < 5000);
});

test('any auxiliary vector gives units that can be counted in', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const { pageBytes, ticksPerSecond } = parseAuxv(bytes);
      assert.ok(pageBytes >= 512 && ticksPerSecond >= 1);
    }),
  );
});

test('whatever the lines of a pass say, a meter of them never has a negative rate and its total never falls', () => {
  const units = { pageBytes: 4096, ticksPerSecond: 100 };
  const pass = fc.array(likeText(statLine.replace('4242 (cat) S 17', '4242 (cat) S 10')), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(pass, { maxLength: 8 }), (passes) => {
      const meter = new Meter(0);
      for (const [second, lines] of passes.entries()) {
        const stats = lines.map(parsePidStat).filter((stat) => stat !== null);
        const [tree] = treesOf(stats, [{ keeper: 10, command: 4242 }], units);
        meter.sample(tree?.rssBytes ?? 0, tree?.cpuSeconds ?? 0, second + 1);
      }
      for (const [i, { rss, cpu, cpus }] of meter.marks.entries()) {
        assert.ok(
          i === 0 || (rss >= 0 && (cpus === -1 || cpus >= 0) && Number.isFinite(cpus)),
          `${rss} bytes, ${cpus} cores`,
        );
        assert.ok(cpu >= (meter.marks[i - 1]?.cpu ?? 0));
      }
    }),
  );
});
