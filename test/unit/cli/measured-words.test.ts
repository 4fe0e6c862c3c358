import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measuredWords } from '../../../src/cli/measured-words.ts';
import { buildStart } from './build-run.ts';

test('a start says who measured its peak and its CPU', () => {
  assert.equal(measuredWords(buildStart()), 'peak by samples, CPU by wait4');
  assert.equal(
    measuredWords(buildStart({ peak_source: 'wait4', cpu_source: 'samples' })),
    'peak by wait4, of its largest process, CPU by samples',
  );
});

test("the kernel's own peak, CPU and waiting for memory stand beside it, as much as is known", () => {
  const contained = buildStart({
    kernel_peak_bytes: 300 * 1048576,
    kernel_cpu_seconds: 41.24,
    memory_stall_ms: 1200,
    memory_stall_full_ms: 300,
  });
  assert.equal(
    measuredWords(contained),
    'peak by samples, CPU by wait4; by its cgroup: peak 300 MB with its page cache, CPU 41.2 s, waited for memory 1.2 s (all of it at once 300 ms)',
  );
  assert.equal(
    measuredWords({ ...contained, kernel_peak_bytes: null, memory_stall_ms: 0, memory_stall_full_ms: 0 }),
    'peak by samples, CPU by wait4; by its cgroup: CPU 41.2 s',
  );
});

test('a start that was not measured all the time says so, also where nothing else is known', () => {
  const said = 'for a while no daemon was there to measure it: it may have used more';
  assert.equal(measuredWords(buildStart({ gap: true })), `peak by samples, CPU by wait4; ${said}`);
  assert.equal(measuredWords(buildStart({ peak_source: null, cpu_source: null, gap: true })), said);
});

test('of a start that nobody measured, and of a daemon that does not say, there is nothing', () => {
  assert.equal(measuredWords(buildStart({ peak_source: null, cpu_source: null })), '');
  assert.equal(measuredWords({}), '');
});
