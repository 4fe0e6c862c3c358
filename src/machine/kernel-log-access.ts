import type { KernelLogFile, NoKernelLog } from './kernel-log-file.ts';

/** Whether the kernel log can say who was killed, and why not: in a pid namespace of ours its pids are other ones. */
export type KernelLogAccess = 'readable' | 'pid-namespace' | NoKernelLog;

export const kernelLogAccess = (inPidNamespace: boolean, open: () => KernelLogFile | NoKernelLog): KernelLogAccess => {
  if (inPidNamespace) return 'pid-namespace';
  const log = open();
  if (typeof log === 'string') return log;
  log.close();
  return 'readable';
};
