import { serviceVariable } from './service-word.ts';

/** A start's uuid, by which its tree is found. */
export const startVariable = 'ORCA_START';
/** Names the variables of a start that hold its secrets, with commas between. */
export const secretsVariable = 'ORCA_SECRETS';
/** What orca itself put into a start's environment from the start's size, and what was there before. */
export const hintsVariable = 'ORCA_HINTS';

/** By variable; null: it was not there. */
export type Hints = Readonly<Record<string, readonly [set: string, before: string | null]>>;

/** What every start's environment carries, and nothing else may: a tree is found by its `ORCA_START`. */
const startVariables: ReadonlySet<string> = new Set([
  'ORCA_RUN_ID',
  startVariable,
  'ORCA_MEMORY_MB',
  'ORCA_CPUS',
  'ORCA_CGROUP',
  'ORCA_KEEPER_FD',
  secretsVariable,
  hintsVariable,
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
  takeBack(kept, env[hintsVariable]);
  return kept;
}

/** Threads and heaps of that start are no wish of the caller's; what its command changed since is. */
function takeBack(env: Record<string, string>, hints: string | undefined): void {
  for (const [name, [set, before]] of Object.entries(parsed(hints))) {
    if (env[name] !== set) continue;
    if (before === null) delete env[name];
    else env[name] = before;
  }
}

/** A variable can hold anything. */
function parsed(text: string | undefined): Hints {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isHints(value) ? value : {};
  } catch {
    return {};
  }
}

const isHints = (value: unknown): value is Hints =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(
    (hint: unknown) =>
      Array.isArray(hint) &&
      hint.length === 2 &&
      typeof hint[0] === 'string' &&
      (hint[1] === null || typeof hint[1] === 'string'),
  );
