/** A row of `ps -axo pid=,ppid=,rss=,stat=,lstart=`. */
export interface MacProcess {
  readonly pid: number;
  readonly parent: number;
  readonly rssBytes: number;
  readonly zombie: boolean;
  /** When it was started, to the second: with the pid it names a process. */
  readonly started: string;
}

export const parsePs = (text: string): MacProcess[] =>
  text.split('\n').flatMap((line) => {
    const found = /^ {0,20}(\d{1,10}) +(\d{1,10}) +(\d{1,15}) +(\S{1,20}) +(\S.{0,60})$/.exec(line.slice(0, 200));
    const [, pid, parent, kb, state = '', started = ''] = found ?? [];
    if (found === null) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        rssBytes: Number(kb) * 1024,
        zombie: state.startsWith('Z'),
        started: started.trim(),
      },
    ];
  });

/** Resident bytes of a process and all that descends from it, each once. */
export const treeRssOf = (processes: readonly MacProcess[], root: number): number => {
  const children = Map.groupBy(processes, ({ parent }) => parent);
  const found = new Set(processes.filter(({ pid }) => pid === root));
  // A set's iteration goes on to what is added meanwhile.
  for (const { pid } of found) for (const child of children.get(pid) ?? []) found.add(child);
  let bytes = 0;
  for (const { rssBytes } of found) bytes += rssBytes;
  return bytes;
};
