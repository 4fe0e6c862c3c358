import type { OomCounts } from '../machine/memory-events.ts';
import { parseBytes } from '../machine/parse-bytes.ts';
import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';
import { signalText } from '../units/signal-name.ts';
import type { SharedRise } from './counters.ts';
import type { Evidence, ExitFacts, KillMark, LostReason } from './evidence.ts';
import { processesKilled } from './killed-words.ts';
import { startFailureText } from './start-failure-text.ts';

/** The sentences of the verdicts: what happened, how we know, and what is not proved. */

export const succeeded = (evidence: Evidence): string => {
  const marks = evidence.exit?.marks ?? [];
  const user = marks.find(({ mark }) => mark === 'user');
  if (user !== undefined || evidence.personKill !== null) return `was asked to stop (${whose(evidence)}), ended well`;
  if (marks.some(({ mark }) => mark === 'timer')) return 'was asked to stop at its time limit, ended well';
  return 'ended well';
};

export const childrenKilled = (own: OomCounts): string =>
  `the kernel killed ${processesKilled(own)} of it for memory, and it ended with exit code 0 all the same`;

export const killed = (evidence: Evidence): string => {
  const end = evidence.exit === null ? null : endOf(evidence.exit);
  return end === null ? `killed (${whose(evidence)})` : `killed (${whose(evidence)}); ${end}`;
};

export const timedOut = ({ timeoutMs }: Evidence): string =>
  timeoutMs === null ? 'ended at its time limit' : `ended at its time limit of ${formatDuration(timeoutMs)}`;

export const held = (evidence: Evidence, mark: KillMark): string =>
  `${head(evidence)}: held there, every process waiting for memory, so orca ended it${bracket(mark.text)}${killAt(evidence)}`;

export const heldAndSilent = (evidence: Evidence): string =>
  `${head(evidence)}: held there when its heartbeat stopped, every process waiting for memory${killAt(evidence)}`;

export const ownCgroup = (evidence: Evidence, own: OomCounts): string =>
  `${head(evidence)}: the kernel killed ${whatOfIt(own)} at its own limit${killAt(evidence)}`;

/** A group kill leaves nothing of it. */
const whatOfIt = (own: OomCounts): string =>
  own.groupKill !== null && own.groupKill > 0n ? 'it whole' : `${processesKilled(own)} of it`;

export const host = (evidence: Evidence, atLimit: boolean): string =>
  `${head(evidence)}: the kernel killed it, and not for want at its own memory.max: the machine or a cgroup above ran out${unproved(evidence, atLimit)}`;

export const oomd = (evidence: Evidence, atLimit: boolean): string =>
  `${head(evidence)}: systemd-oomd killed it to relieve the machine${unproved(evidence, atLimit)}`;

export const sampledCap = (evidence: Evidence, { text }: KillMark): string => {
  const cap = evidence.capBytes === null ? '' : ` of ${formatSize(evidence.capBytes)}`;
  return `${head(evidence)}: ${text === '' ? `orca saw it over its cap${cap} and ended it` : text}`;
};

export const parentCgroup = (run: number): string =>
  `out of memory with run ${run}, inside which it ran: the kernel killed processes of that run's cgroup; that a bigger limit of its own would have helped is not proved`;

export const parentEnd = (run: number): string => `killed: run ${run}, inside which it ran, ended before it`;

export const runner = (evidence: Evidence, word: string): string => `${head(evidence)}: the runner says ${word}`;

export const declared = (evidence: Evidence, how: string): string => `${head(evidence)}: ${how}`;

export const kernelLog = (evidence: Evidence, pid: number, ownMemcg: boolean, atLimit: boolean): string =>
  ownMemcg
    ? `${head(evidence)}: the kernel log says that it killed process ${pid} of it at its own limit`
    : `${head(evidence)}: the kernel log says that it killed process ${pid} of it, and does not name this run's own limit${unproved(evidence, atLimit)}`;

export const sharedCounter = (evidence: Evidence, file: string, by: bigint): string =>
  `${head(evidence)}, as reported, not proved: it ended by SIGKILL while ${counter(file)} rose by ${by}; ` +
  `that counts other programs too, so it names no victim${evidence.kernelLog === 'nothing' && !evidence.inPidNamespace ? '; the kernel log names no process of it' : ''}`;

export const lost = (why: LostReason): string => {
  switch (why) {
    case 'reboot':
      return 'lost: the machine started again while it ran, so nobody saw how it ended';
    case 'heartbeat':
      return 'lost: no heartbeat came any more from where it ran';
    case 'keeper-died':
      return 'lost: nobody saw how it ended, since its keeper died or its records were deleted; what was left of it was ended';
  }
};

export const notStarted = (evidence: Evidence): string => startFailureText(evidence);

/** Any other end. A SIGKILL nobody explains is told as it is, with what was looked at. */
export const failed = (
  exit: ExitFacts,
  seen: { readonly own: OomCounts | null; readonly shared: SharedRise; readonly blind: boolean },
): string => {
  const end = endOf(exit) ?? 'ended, and how is not known';
  const kill = exit.signal === 9 || exit.code === 137;
  if (!kill) return end;
  if (seen.blind) return `${end}; orca could not tell why: it can read no counter of kills for memory here`;
  if (seen.own !== null)
    return `${end}; by whom is not known, but not by the kernel for memory: its own cgroup counted no such kill`;
  if (seen.shared.kind === 'same')
    return `${end}; by whom is not known, but not by the kernel for memory: ${counter(seen.shared.file)} did not rise`;
  return `${end}; by whom is not known: nothing that orca can read here says that it was for memory`;
};

/** `killed by signal 9 (SIGKILL)`, `exit code 3`; null where nobody saw it. */
export const endOf = ({ how, code, signal }: ExitFacts): string | null => {
  if (how === 'signalled' && signal !== null) return `killed by ${signalText(signal)}`;
  if (how === 'exited' && code !== null)
    return code === 137 ? 'exit code 137, which a shell gives for signal 9 (SIGKILL)' : `exit code ${code}`;
  if (how === 'unknown' && code !== null)
    return code > 128
      ? `ended with ${code}: killed by ${signalText(code - 128)}, or exit code ${code} (the sh keeper cannot tell)`
      : `exit code ${code}`;
  return null;
};

const head = ({ limitBytes }: Evidence): string =>
  limitBytes === null ? 'out of memory' : `out of memory at ${formatSize(limitBytes)}`;

const killAt = ({ killAtBytes }: Evidence): string =>
  killAtBytes === null ? '' : ` (memory.max ${formatSize(killAtBytes)})`;

const unproved = (evidence: Evidence, atLimit: boolean): string => {
  const { lastRssBytes, limitBytes } = evidence;
  if (lastRssBytes === null) return `${neverOver(evidence)}; that a bigger limit would have helped is not proved`;
  const seen = `; last seen using ${formatSize(lastRssBytes)}`;
  if (atLimit) return `${seen}, at its limit`;
  return `${seen}${limitBytes === null ? '' : ', below its limit'}: that a bigger limit would have helped is not proved`;
};

/** Where nobody saw what it used, as where the daemon died with it, the kernel's own highest figure can tell that much. */
const neverOver = ({ exit, limitBytes }: Evidence): string => {
  const peak = parseBytes(exit?.cgroup?.peak ?? null);
  return peak === null || limitBytes === null || peak * 20 >= limitBytes * 19
    ? ''
    : `; its cgroup never had more than ${formatSize(peak)}, below its limit`;
};

const whose = ({ exit, personKill }: Evidence): string => {
  const by = personKill?.by ?? exit?.marks.find(({ mark }) => mark === 'user')?.text ?? '';
  return by === '' ? 'who is not recorded' : by;
};

const counter = (file: string | null): string =>
  file === null ? 'the shared counter' : `the counter of kills for memory in ${file}`;
const bracket = (text: string): string => (text === '' ? '' : ` (${text})`);
