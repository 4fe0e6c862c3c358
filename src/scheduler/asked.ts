import { noExtras, type Extras } from '../runs/extras.ts';
import { noNeeds, type After, type Needs } from '../runs/needs.ts';
import type { Run } from '../store/run.ts';
import { runId } from '../units/brands.ts';
import type { AfterRequest, SubmitRequest } from '../wire/api.ts';

type Asked<T> = { readonly [Key in keyof T]?: T[Key] };

/** What a request says that its runs need besides cpus and memory; undefined for nothing, so that nothing is stored. */
export const needsOf = (request: SubmitRequest): Needs | undefined => {
  const { gpus, locks, resources, after, max_parallel } = request;
  const said = given({ gpus, locks, resources, after: after?.map(afterOf), max_parallel });
  return said === null ? undefined : { ...noNeeds, ...said };
};

export const extrasOf = (request: SubmitRequest): Extras | undefined => {
  const { tags, inputs, retry_on, memory_env, capture, keys, key_window_ms } = request;
  const said = given({ tags, inputs, retry_on, memory_env, capture, cpus_asked: cpusAsked(request) });
  // A window of 0 says something: that a success holds nothing.
  if (keys !== undefined && key_window_ms !== undefined) return { ...noExtras, ...said, key_window_ms };
  return said === null ? undefined : { ...noExtras, ...said };
};

/** Whether its cpus were asked for, and not just counted; an older client does not say it. */
export const cpusAsked = ({ cpus, cpus_asked: asked }: Pick<SubmitRequest, 'cpus' | 'cpus_asked'>): boolean =>
  asked ?? cpus !== 1;

/** What was asked of a run, to be asked again for another one of the same command; what it comes after is in `again.ts`. */
export const askedAgain = (run: Run): Asked<SubmitRequest> => ({
  gpus: run.needs.gpus,
  locks: run.needs.locks,
  resources: run.needs.resources,
  tags: run.extras.tags,
  ...(run.extras.retry_on === null ? {} : { retry_on: run.extras.retry_on }),
  memory_env: run.extras.memory_env,
  capture: run.extras.capture,
  cpus_asked: run.extras.cpus_asked,
  submitter: run.submitter,
  placement: run.placement,
  secrets: run.secrets,
  ...(run.key === null ? {} : { keys: [run.key] }),
  ...(run.extras.key_window_ms === null ? {} : { key_window_ms: run.extras.key_window_ms }),
});

const afterOf = (one: AfterRequest): After =>
  'run' in one ? { run: runId(one.run), any: one.any } : { group: one.group, any: one.any };

/** Null when nothing of it says anything. */
const given = <T extends object>(fields: T): Given<T> | null => {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined && !isNothing(value));
  return said.length === 0 ? null : (Object.fromEntries(said) as Given<T>);
};

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

const isNothing = (value: unknown): boolean =>
  value === 0 ||
  value === false ||
  value === 'all' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
