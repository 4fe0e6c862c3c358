/** The counts of a cgroup that tell of kills for memory; 64-bit, so never a JavaScript number. */
export interface OomCounts {
  /** Times that the cgroup's own limit was reached and nothing could be freed. */
  readonly oom: bigint;
  /** Kills of its processes by any out-of-memory killer; not how many processes, where they were killed as a group. */
  readonly oomKill: bigint;
  /** Times that it, or a cgroup in it, was killed as a group; null before kernel 5.17, which does not tell. */
  readonly groupKill: bigint | null;
}

/**
 * The count of exactly that name in `key value` lines (`memory.events`, or `/proc/vmstat`); null when it is missing or no
 * whole number. `oom_group_kill` is not `oom_kill`.
 */
export const countNamed = (text: string, name: string): bigint | null => {
  for (const line of text.split('\n')) {
    const [key, value, ...more] = line.trim().split(/[ \t]+/);
    if (key === name)
      return value !== undefined && more.length === 0 && /^\d{1,20}$/.test(value) ? BigInt(value) : null;
  }
  return null;
};

/** As `countNamed`, and 0 for what cannot be read: the answer that acts least (seeds 000 and 004). */
export const event = (text: string, name: string): bigint => countNamed(text, name) ?? 0n;

/** A `memory.events` file's counts (Documentation/admin-guide/cgroup-v2.rst). */
export const parseMemoryEvents = (text: string): OomCounts => ({
  oom: event(text, 'oom'),
  oomKill: event(text, 'oom_kill'),
  groupKill: countNamed(text, 'oom_group_kill'),
});
