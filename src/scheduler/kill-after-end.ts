import type { ExitRecord } from '../keeper/records.ts';
import type { Run } from '../store/run.ts';

/**
 * Whether the start was over before a person's kill of its run was recorded: then the kill stops further starts, and says nothing of how
 * this one ended. The end may be stored long after it was, for want of room or of a daemon. Where nobody saw the end, it is not known.
 */
export const killCameAfterEnd = (
  { kill_at: killAt }: Pick<Run, 'kill_at'>,
  record: Pick<ExitRecord, 'how' | 'ended_ms' | 'marks'> | null,
): boolean => {
  if (killAt === null || record?.ended_ms == null || record.how === 'keeper-died') return false;
  return record.ended_ms < killAt && !record.marks.some(({ mark }) => mark === 'user');
};
