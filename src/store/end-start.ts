import type { Millis, RunId } from '../units/brands.ts';
import { changeStartState } from './change-state.ts';
import type { StartRow, Tx } from './schema.ts';
import { storableText } from './text.ts';

type Measured =
  | 'peak_rss_bytes'
  | 'cpu_seconds'
  | 'peak_cpus'
  | 'peak_source'
  | 'cpu_source'
  | 'kernel_peak_bytes'
  | 'kernel_cpu_seconds'
  | 'oom'
  | 'oom_kill'
  | 'oom_group_kill'
  | 'memory_stall_ms'
  | 'memory_stall_full_ms'
  | 'next_limit_bytes'
  | 'pid'
  | 'keeper_pid'
  | 'boot'
  | 'lost_output'
  | 'started_at'
  | 'gap';

export interface EndOfStart
  extends
    Pick<StartRow, 'run' | 'start' | 'verdict' | 'evidence' | 'text' | 'exit_code' | 'signal'>,
    Partial<Pick<StartRow, Measured>> {
  readonly run: RunId;
  readonly ended_at: Millis;
}

/**
 * Ends a start with its verdict. False, and nothing changes, when it had ended or is no longer its run's last one: a late "success" of a
 * start that was declared lost. The run's own change (`requeueRun`, `finishRun`) belongs into the same command.
 */
export const endStart = async (tx: Tx, { run, start, ...end }: EndOfStart): Promise<boolean> =>
  changeStartState(tx, { run, start, to: 'ended', change: { ...end, text: storableText(end.text) } });
