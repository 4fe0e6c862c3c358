import { countNamed } from './memory-events.ts';

/** CPU time that a cgroup used, in seconds, by the text of its `cpu.stat`; null where that does not say (cgroup-v2.rst: usage_usec). */
export const cgroupCpuSeconds = (text: string): number | null => {
  const us = countNamed(text, 'usage_usec');
  return us === null ? null : Number(us) / 1e6;
};
