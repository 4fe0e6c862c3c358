/** What every start's environment carries, and nothing else may: a tree is found by its `ORCA_START`. */
const startVariables = new Set(['ORCA_RUN_ID', 'ORCA_START', 'ORCA_MEMORY_MB', 'ORCA_CPUS', 'ORCA_KEEPER_FD']);

/**
 * An environment for processes that belong to no start. With a start's variables in it the resident, or a daemon
 * that a run's command started, would be ended as a leftover of that run.
 */
export function withoutStartVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !startVariables.has(name)) kept[name] = value;
  }
  return kept;
}
