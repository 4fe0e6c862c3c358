import { OrcaError } from '../errors/orca-error.ts';
import { groupHandle } from '../runs/handle.ts';
import type { ChosenRuns } from '../wire/api.ts';
import { handleOf } from './handle.ts';

export interface TagOption {
  readonly tag?: readonly string[];
}

/** Runs as they are typed: numbers, groups, tags; each counts once. */
export type Chosen = Required<ChosenRuns>;

export function chosenOf(handles: readonly string[], { tag = [] }: TagOption): Chosen {
  const [runs, groups] = [new Set<number>(), new Set<number>()];
  for (const handle of handles.map(handleOf)) {
    if ('run' in handle) runs.add(handle.run);
    else groups.add(handle.group);
  }
  return { runs: [...runs], groups: [...groups], tags: [...new Set(tag)] };
}

export const namesNone = ({ runs, groups, tags }: Chosen): boolean => runs.length + groups.length + tags.length === 0;

/** The same, for a command that means nothing without any. */
export function someChosen(handles: readonly string[], options: TagOption, command: string): Chosen {
  const chosen = chosenOf(handles, options);
  if (!namesNone(chosen)) return chosen;
  const why = 'no run is named: give numbers (12), groups (g12) or --tag';
  throw new OrcaError('usage-invalid', { why, help: `orca help ${command}` });
}

/** `g12 and --tag nightly`: what stands for runs that were not named by their numbers; empty for nothing. */
export const handlesWords = ({ groups, tags }: Chosen): string =>
  [...groups.map(groupHandle), ...tags.map((tag) => `tag ${tag}`)].join(', ');
