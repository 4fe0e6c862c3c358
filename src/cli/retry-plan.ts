import type { DaemonClient } from '../client/daemon-client.ts';
import { groupHandle, type Handle } from '../runs/handle.ts';
import type { Context } from './context.ts';
import { say } from './say.ts';

/** A run to be tried again; those of a group make a group again. */
export interface Planned {
  readonly run: number;
  /** The group that it is of; null: it was named itself. */
  readonly of: number | null;
}

/** The runs that handles stand for, each once, in the order in which they were typed. */
export async function retryPlan(
  context: Context,
  client: DaemonClient,
  handles: readonly Handle[],
): Promise<readonly Planned[]> {
  const groups = new Map<number, readonly number[]>();
  for (const group of new Set(handles.flatMap((handle) => ('group' in handle ? [handle.group] : [])))) {
    const { failed } = await client.group(group);
    if (failed.length === 0)
      await say(context, `group ${groupHandle(group)} has no run that is over and did not succeed`);
    groups.set(group, failed);
  }
  const of = new Map([...groups].flatMap(([group, failed]) => failed.map((run) => [run, group] as const)));
  const runs = handles.flatMap((handle) => ('run' in handle ? [handle.run] : (groups.get(handle.group) ?? [])));
  return [...new Set(runs)].map((run) => ({ run, of: of.get(run) ?? null }));
}
