import { groupHandle } from '../runs/handle.ts';
import { visibleText } from '../units/visible-text.ts';
import type { AfterRequest, RunSummaryJson } from '../wire/api.ts';

/** An older daemon does not say it. */
type Told = Partial<
  Pick<
    RunSummaryJson,
    'gpus' | 'locks' | 'resources' | 'after' | 'group' | 'max_parallel' | 'key' | 'tags' | 'retry_on'
  >
>;

/** `2 GPUs, lock db, 3 of licence`; null for nothing. */
export function needsWords({ gpus = 0, locks = [], resources = {} }: Told): string | null {
  return listed([
    ...(gpus === 0 ? [] : [gpus === 1 ? '1 GPU' : `${gpus} GPUs`]),
    ...locks.map((lock) => `lock ${lock}`),
    ...Object.entries(resources).map(([name, count]) => `${count} of ${name}`),
  ]);
}

/** What it waited for when it was submitted: `run 12, group g7 however it ends`. */
export const afterWords = ({ after = [] }: Told): string | null => listed(after.map(oneAfter));

const oneAfter = (one: AfterRequest): string =>
  `${'run' in one ? `run ${one.run}` : `group ${groupHandle(one.group)}`}${one.any ? ' however it ends' : ''}`;

/** `g12, at most 3 at once`. */
export function groupWords({ group = null, max_parallel: most = null }: Told): string | null {
  if (group === null) return null;
  return `${groupHandle(group)}${most === null ? '' : `, at most ${most} of it at once`}`;
}

export const keyWords = ({ key = null }: Told): string | null => (key === null ? null : visibleText(key));

export const tagsWords = ({ tags = [] }: Told): string | null => listed(tags);

/** What `--retries` covers, where that was said: ` on exit code 75 or timed-out`. */
export function retryOnWords({ retry_on: on = null }: Told): string {
  if (on === null) return '';
  const codes =
    on.codes.length === 0 ? [] : [`exit ${on.codes.length === 1 ? 'code' : 'codes'} ${on.codes.join(', ')}`];
  return ` on ${[...codes, ...on.verdicts].join(' or ')}`;
}

const listed = (words: readonly string[]): string | null => (words.length === 0 ? null : visibleText(words.join(', ')));
