import type { DaemonClient } from '../client/daemon-client.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { groupHandle, type Handle } from '../runs/handle.ts';
import type { AfterRequest } from '../wire/api.ts';
import type { Context } from './context.ts';
import { isFinalState } from './final-state.ts';
import { say } from './say.ts';

/** A run to be tried again; those of a group make a group again. */
export interface Planned {
  readonly run: number;
  /** The group that it is of; null: it was named itself. */
  readonly of: number | null;
  /** What it came after; read only where something else is tried again too. */
  readonly after: readonly AfterRequest[];
}

/**
 * The runs that handles stand for, in the order in which they were typed. Refuses runs that are not there, or not over, before one of them is
 * tried again.
 */
export async function retryPlan(
  context: Context,
  client: DaemonClient,
  handles: readonly Handle[],
): Promise<{ readonly planned: readonly Planned[]; readonly groups: readonly number[] }> {
  const several = handles.length > 1;
  const failed = new Map<number, readonly number[]>();
  for (const group of new Set(handles.flatMap((handle) => ('group' in handle ? [handle.group] : []))))
    failed.set(group, (await client.group(group)).failed);
  const grouped = new Set([...failed.values()].flat());
  const planned: Planned[] = [];
  for (const run of new Set(handles.flatMap((handle) => ('run' in handle ? [handle.run] : [])))) {
    // The daemon itself looks at one alone.
    const after = several ? await overRun(client, run) : [];
    if (!grouped.has(run)) planned.push({ run, of: null, after });
  }
  for (const [of, runs] of failed) {
    if (runs.length === 0) await say(context, `group ${groupHandle(of)} has no run that is over and did not succeed`);
    for (const run of runs) planned.push({ run, of, after: several ? await overRun(client, run) : [] });
  }
  return { planned, groups: [...failed].flatMap(([group, runs]) => (runs.length === 0 ? [] : [group])) };
}

async function overRun(client: DaemonClient, run: number): Promise<readonly AfterRequest[]> {
  const { state, after } = await client.run(run);
  if (!isFinalState(state)) throw new OrcaError('retry-too-early', { run, state });
  return after;
}
