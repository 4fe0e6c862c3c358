/** One line of `/proc/<pid>/stat` (proc_pid_stat(5)), as far as we use it. */
export interface PidStat {
  readonly pid: number;
  /** `R`, `S`, `D`, `Z` …; empty when the line was malformed. */
  readonly state: string;
  /** -1 when the line was malformed. */
  readonly parent: number;
  /** utime + stime, in clock ticks. */
  readonly ownTicks: number;
  /** cutime + cstime: of the children that it waited for. */
  readonly waitedTicks: number;
  /** Start time, in clock ticks since boot: with the pid it names a process for good. */
  readonly startTicks: number;
  readonly rssPages: number;
}

const closing = 41;
const space = 32;
const zero = 48;
const minus = 45;

/** Reads a line from the first `length` bytes of a buffer; null when it is malformed. Never throws. */
export const parseStatBytes = (buffer: Uint8Array, length: number): PidStat | null => {
  const line = buffer.subarray(0, length);
  // The command's name may hold anything, spaces, newlines and parentheses too; the last `)` ends it.
  let at = line.length - 1;
  while (at >= 0 && line[at] !== closing) at -= 1;
  if (at < 0) return null;
  const pid = numberAt(line, 0);
  const state = line[at + 2];
  if (pid === null || state === undefined || line[at + 1] !== space || line[at + 3] !== space) return null;
  const fields: number[] = [];
  let from = at + 4;
  for (let field = 4; field <= 24; field += 1) {
    const value = numberAt(line, from);
    if (value === null) return null;
    fields.push(value);
    while (from < line.length && line[from] !== space) from += 1;
    from += 1;
  }
  const field = (n: number): number => fields[n - 4] ?? 0;
  // No kernel writes such numbers; sums of them would be none.
  if (![4, 14, 15, 16, 17, 22, 24].every((n) => Number.isSafeInteger(field(n)))) return null;
  const ticks = (n: number): number => Math.max(0, field(n));
  return {
    pid,
    state: String.fromCharCode(state),
    parent: field(4),
    ownTicks: ticks(14) + ticks(15),
    waitedTicks: ticks(16) + ticks(17),
    startTicks: field(22),
    rssPages: Math.max(0, field(24)),
  };
};

export const parsePidStat = (text: string): PidStat | null => {
  const line = Buffer.from(text);
  return parseStatBytes(line, line.length);
};

/** Seed 001's reading: parent -1 when the line was malformed; ticks with those of the children that it waited for. */
export const parsePidUsage = (text: string): { parent: number; rssPages: number; cpuTicks: number } => {
  const stat = parsePidStat(text);
  return stat === null
    ? { parent: -1, rssPages: 0, cpuTicks: 0 }
    : { parent: stat.parent, rssPages: stat.rssPages, cpuTicks: stat.ownTicks + stat.waitedTicks };
};

/** The decimal number that begins there; null when none does. */
const numberAt = (line: Uint8Array, from: number): number | null => {
  const negative = line[from] === minus;
  let at = negative ? from + 1 : from;
  let value = 0;
  const first = at;
  for (; at < line.length; at += 1) {
    const digit = (line[at] ?? 0) - zero;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return at === first ? null : negative ? -value : value;
};
