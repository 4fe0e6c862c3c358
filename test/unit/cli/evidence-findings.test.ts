import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingLines } from '../../../src/cli/doctor.ts';
import { evidenceFindings } from '../../../src/cli/evidence-findings.ts';
import { kernelLogAccess } from '../../../src/machine/kernel-log-access.ts';

const linesOf = (...args: Parameters<typeof evidenceFindings>): string[] =>
  evidenceFindings(...args).flatMap(findingLines);

test('with cgroups the own one comes first, and nothing that it makes needless is a warning', () => {
  for (const kernel_log of ['readable', 'denied', 'absent', 'pid-namespace'] as const) {
    const findings = evidenceFindings(true, { kernel_log, shared_counter: null });
    assert.ok(
      findings.every(({ level, help }) => level === 'ok' && help === null),
      kernel_log,
    );
    assert.match(findings[0]?.found ?? '', /own cgroup counts its kills/);
  }
});

test('without cgroups a log that may not be read is a warning with the command that allows it', () => {
  assert.deepEqual(linesOf(false, { kernel_log: 'denied', shared_counter: '/proc/vmstat' }), [
    'warn   evidence  the kernel log, which names who was killed, may not be read by this user',
    '                 → as root: sysctl -w kernel.dmesg_restrict=0',
    "ok     evidence  /proc/vmstat counts all programs' kills for memory: a rise is reported, not proved, and names no victim",
  ]);
});

test('in a pid namespace the log is not used, and where nothing can be read that is said', () => {
  const lines = linesOf(false, { kernel_log: 'pid-namespace', shared_counter: null }).join('\n');
  assert.match(lines, /^warn +evidence +the kernel log is not used: orca runs in a pid namespace/);
  assert.match(lines, /^warn +evidence +no counter .*: an unexplained SIGKILL stays unexplained$/m);
  assert.match(linesOf(false, { kernel_log: 'absent', shared_counter: null })[0] ?? '', /^warn .*is not there/);
});

test('a readable log is told without a warning, and this machine is looked at where no daemon says it', () => {
  const [log] = evidenceFindings(false, { kernel_log: 'readable', shared_counter: null });
  assert.equal(log?.level, 'ok');
  assert.equal(evidenceFindings(false).length, 2);
});

test('a pid namespace comes before what could be read in it, and what was opened to look is closed', () => {
  let closed = 0;
  const open = () => ({ next: () => null, close: () => void (closed += 1) });
  assert.equal(kernelLogAccess(true, open), 'pid-namespace');
  assert.equal(closed, 0);
  assert.equal(kernelLogAccess(false, open), 'readable');
  assert.equal(closed, 1);
  assert.equal(
    kernelLogAccess(false, () => 'denied'),
    'denied',
  );
});
