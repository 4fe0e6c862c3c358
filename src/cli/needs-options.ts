import { parseHandle } from '../runs/handle.ts';
import { mostOfResource, resourceNameFault } from '../settings/resources.ts';
import type { AfterRequest, SubmitRequest } from '../wire/api.ts';
import { optionWord, refusedOption } from './option-word.ts';
import { wholeFault, wholeNumber } from './whole-number.ts';

/** What `run` and `submit` are told that a run needs besides cpus and memory, as it was typed. */
export interface NeedsOptions {
  readonly gpus?: string;
  readonly lock?: readonly string[];
  readonly resource?: readonly string[];
  readonly after?: readonly string[];
}

type NeedsFields = Pick<SubmitRequest, 'gpus' | 'locks' | 'resources' | 'after'>;

/** Only what was typed. */
export function needsFields({ gpus, lock, resource, after }: NeedsOptions): NeedsFields {
  return {
    ...(gpus === undefined ? {} : { gpus: wholeNumber('--gpus', gpus, 0, 4096) }),
    ...(lock === undefined ? {} : { locks: locksOf(lock) }),
    ...(resource === undefined ? {} : { resources: resourcesOf(resource) }),
    ...(after === undefined ? {} : { after: afterOf(after) }),
  };
}

const locksOf = (values: readonly string[]): string[] => [
  ...new Set(atMost('--lock', values, 100).map((value) => optionWord('--lock', value, 100, 'database'))),
];

function resourcesOf(values: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const value of atMost('--resource', values, 100)) {
    const [, name = value, , count = '1'] = /^([^=]*)(=(.*))?$/s.exec(value) ?? [];
    const why =
      resourceNameFault(name) ??
      (counts.has(name) ? 'that resource is named twice' : null) ??
      wholeFault(count, 1, mostOfResource);
    if (why !== null)
      throw refusedOption('--resource', value, why, 'Write for example --resource licence, or --resource licence=2.');
    counts.set(name, Number(count));
  }
  return Object.fromEntries(counts);
}

const afterHint = 'Write for example --after 12, --after g12 for a whole group, or --after 12:any for however it ends.';

function afterOf(values: readonly string[]): AfterRequest[] {
  const after = new Map<string, AfterRequest>();
  for (const word of values.flatMap((value) => value.split(','))) {
    const [, text = '', any] = /^(.*?)(:any)?$/s.exec(word) ?? [];
    const handle = parseHandle(text);
    if (handle === null)
      throw refusedOption('--after', word, 'it is neither the number of a run nor a group’s handle', afterHint);
    after.set(word, { ...handle, any: any !== undefined });
  }
  return atMost('--after', [...after.values()], 1000);
}

function atMost<T>(option: string, values: readonly T[], most: number): T[] {
  if (values.length > most)
    throw refusedOption(option, `(${values.length} of them)`, `at most ${most} can be given`, 'Give fewer.');
  return [...values];
}
