import type { OomCounts } from '../machine/memory-events.ts';

/**
 * `2 processes`: how many the kernel killed for memory, as far as its counts tell that. A group kill counts its first victim twice
 * (`mm/oom_kill.c`: as the victim, and again as a member of the group), and a kernel before 5.17 does not say that there was one: no number then.
 */
export const processesKilled = ({ oomKill, groupKill }: Pick<OomCounts, 'oomKill' | 'groupKill'>): string => {
  if (groupKill !== 0n) return 'processes';
  return oomKill === 1n ? '1 process' : `${oomKill} processes`;
};
