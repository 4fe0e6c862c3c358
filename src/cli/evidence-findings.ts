import { kernelLogAccess } from '../machine/kernel-log-access.ts';
import { openKernelLog } from '../machine/kernel-log-file.ts';
import { inFirstPidNamespace } from '../machine/pid-namespace.ts';
import { sharedCounterFile } from '../machine/shared-counter.ts';
import type { DaemonJson } from '../wire/api.ts';
import type { Finding } from './doctor.ts';

const what = 'evidence';

/** What a death for memory can be told by here, the best first (cases E12, E20). A daemon of an older version says nothing of it. */
export function evidenceFindings(contained: boolean, seen: DaemonJson['evidence'] = evidenceHere()): Finding[] {
  const { kernel_log, shared_counter } = seen;
  const own = "a run's own cgroup counts its kills for memory, and tells whether its own limit was the cause";
  return [
    ...(contained ? [{ what, level: 'ok', found: own, help: null } as const] : []),
    kernelLogFinding(kernel_log, contained),
    sharedCounterFinding(shared_counter, contained || kernel_log === 'readable'),
  ];
}

function evidenceHere(): NonNullable<DaemonJson['evidence']> {
  const kernel = { procRoot: '/proc', cgroupRoot: '/sys/fs/cgroup' };
  return {
    kernel_log: kernelLogAccess(!inFirstPidNamespace(kernel.procRoot), openKernelLog),
    shared_counter: sharedCounterFile(kernel, null),
  };
}

/** Where every run has a cgroup nothing is lost without the log. */
function kernelLogFinding(access: NonNullable<DaemonJson['evidence']>['kernel_log'], contained: boolean): Finding {
  const level = contained ? 'ok' : 'warn';
  switch (access) {
    case 'readable':
      return {
        what,
        level: 'ok',
        found: 'the kernel log can be read: it names who was killed where no cgroup of its own tells',
        help: null,
      };
    case 'denied':
      return {
        what,
        level,
        found: 'the kernel log, which names who was killed, may not be read by this user',
        help: contained ? null : 'as root: sysctl -w kernel.dmesg_restrict=0',
      };
    case 'absent':
      return { what, level, found: 'the kernel log, which names who was killed, is not there (/dev/kmsg)', help: null };
    case 'pid-namespace':
      return {
        what,
        level,
        found: 'the kernel log is not used: orca runs in a pid namespace, and the log names other pids',
        help: contained ? null : 'give the container the pid namespace of its host (--pid=host)',
      };
  }
}

function sharedCounterFinding(file: string | null, better: boolean): Finding {
  if (file !== null) {
    const found = `${file} counts all programs' kills for memory: a rise is reported, not proved, and names no victim`;
    return { what, level: 'ok', found, help: null };
  }
  const found = 'no counter of all kills for memory can be read';
  return better
    ? { what, level: 'ok', found, help: null }
    : { what, level: 'warn', found: `${found}: an unexplained SIGKILL stays unexplained`, help: null };
}
