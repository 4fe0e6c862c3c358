import { groupHandle } from '../runs/handle.ts';
import { runStates } from '../runs/states.ts';
import { shellWords } from '../units/shell-words.ts';
import { visibleText } from '../units/visible-text.ts';
import type { GroupJson } from '../wire/api.ts';
import { rangeWords } from './printed-numbers.ts';
import { momentWords } from './story.ts';
import { outcomeWords } from './words.ts';

/** A group, for a person: how many of its runs are in each state, and the first that failed. */
export function groupLines(group: GroupJson, now: number): string[] {
  const { name, runs, max_parallel: most } = group;
  const facts: [string, string | null][] = [
    ['group', `${groupHandle(group.group)}${name === null ? '' : ` (${visibleText(name)})`}`],
    ['runs', `${rangeWords(runs)}: ${countsWords(group.counts)}`],
    ['first', shellWords(group.argv)],
    ['at once', most === null ? null : `at most ${most}`],
    ['submitted', momentWords(group.submitted_at, now)],
  ];
  const failures = group.failures.map((run) => visibleText(`run ${run.id} ${outcomeWords(run)}`));
  const more = group.failed.length - failures.length;
  return [
    ...facts.flatMap(([what, value]) => (value === null ? [] : [`${what.padEnd(10)} ${value}`])),
    ...(failures.length === 0 ? [] : ['', ...failures]),
    ...(more > 0 ? [`and ${more} more that did not succeed`] : []),
  ];
}

/** `3 queued, 1 running, 96 succeeded`, in the order that runs go through them. */
export const countsWords = (counts: GroupJson['counts']): string =>
  runStates.flatMap((state) => (counts[state] === undefined ? [] : [`${counts[state]} ${state}`])).join(', ');
