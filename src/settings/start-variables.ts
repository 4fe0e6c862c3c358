import { serviceVariable } from './service-word.ts';

/** Names the variables of a start that hold its secrets, with commas between. */
export const secretsVariable = 'ORCA_SECRETS';

/** What every start's environment carries, and nothing else may: a tree is found by its `ORCA_START`. */
const startVariables: ReadonlySet<string> = new Set([
  'ORCA_RUN_ID',
  'ORCA_START',
  'ORCA_MEMORY_MB',
  'ORCA_CPUS',
  'ORCA_CGROUP',
  'ORCA_KEEPER_FD',
  secretsVariable,
  serviceVariable,
]);

/** Whether it is one of those: orca's own word to a start, and no setting. */
export const isStartVariable = (name: string): boolean => startVariables.has(name);

/**
 * An environment without what makes a process part of a start, and without that start's secrets, which no file may hold. With it in theirs the resident, or a daemon that a run's command
 * started, would be ended as a leftover of that run; a new run gets its own.
 */
export function withoutStartVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const secrets = new Set(env[secretsVariable]?.split(','));
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !startVariables.has(name) && !secrets.has(name)) kept[name] = value;
  }
  return kept;
}
