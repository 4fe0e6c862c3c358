/** A process that the kernel log says was killed for memory. */
export interface OomKill {
  /** Microseconds since boot, by the log's own clock. */
  readonly atUs: number;
  readonly pid: number;
  /** The cgroup whose limit was reached, as a path below the root; null for the whole machine, or where the log does not surely say. */
  readonly memcg: string | null;
}

/**
 * Finds kills for memory in the records of `/dev/kmsg` (Documentation/ABI/testing/dev-kmsg), given one by one in their order. Only what
 * the kernel itself wrote counts: a program's own records have another facility. Names of commands and of cgroups stand in the lines as
 * their owners chose them, so nothing is looked for behind one that may hold it too. Never throws.
 */
export class OomKillFinder {
  #named: { readonly pid: number; readonly memcg: string | null } | null = null;

  take(record: string): OomKill | null {
    const [header, text] = split(record);
    if (header === null) return null;
    if (text.startsWith('oom-kill:')) {
      this.#named = namedIn(text);
      return null;
    }
    const pid = Number(killed.exec(text)?.[1] ?? 0);
    if (pid === 0) return null;
    // The line before is left out when there are many, and stands once for a whole group: it says nothing of another process.
    const memcg = this.#named?.pid === pid ? this.#named.memcg : null;
    return { atUs: header.atUs, pid, memcg };
  }
}

/** `Out of memory: Killed process 7 (name) total-vm:…`, also of a cgroup's memory; before Linux 5 without what is before the colon. */
const killed =
  /^(?:(?:Out of memory|Memory cgroup out of memory)(?: \(oom_kill_allocating_task\))?: )?Killed process (\d{1,10})[ ,]/;

/** `priority,number,µs,flags[,more];text`, then lines that begin with a space. */
const split = (record: string): [{ readonly atUs: number } | null, string] => {
  const found = /^(\d{1,4}),\d{1,20},(\d{1,16}),[^;\n]*;([^\n]*)/.exec(record);
  // Priority is facility × 8 + level; facility 0 is the kernel's own.
  if (found === null || Number(found[1]) >= 8) return [null, ''];
  return [{ atUs: Number(found[2]) }, found[3] ?? ''];
};

/** `oom-kill:constraint=…,oom_memcg=/a,task_memcg=/a/b,task=name,pid=7,uid=0`; instead of oom_memcg `global_oom` for the machine. */
const namedIn = (text: string): { pid: number; memcg: string | null } | null => {
  const pid = Number(/,pid=(\d{1,10}),uid=\d+$/.exec(text)?.[1] ?? 0);
  if (pid === 0) return null;
  const parts = text.split(/,(?=oom_memcg=|task_memcg=|global_oom,)/);
  const [, memcg, task] = parts;
  // With a cgroup or a command of such a name there are more parts, and which is which cannot be told.
  const plain = parts.length === 3 && memcg?.startsWith('oom_memcg=/') && task?.startsWith('task_memcg=/');
  return { pid, memcg: plain === true ? (memcg ?? '').slice('oom_memcg='.length) : null };
};
