import type { Verdict } from '../runs/states.ts';
import { shellWord } from '../units/shell-words.ts';
import { visibleText } from '../units/visible-text.ts';
import { oomdMarked, ownCounts, sharedRise } from './counters.ts';
import type { Evidence, ExitFacts, KillMark } from './evidence.ts';
import * as words from './verdict-text.ts';

/** How we know. Null: the ending itself says all. */
export type EvidenceName =
  | 'user-kill'
  | 'timer'
  | 'held'
  | 'own-cgroup'
  | 'host'
  | 'sampled-cap'
  | 'runner'
  | 'parent-cgroup'
  | 'parent-end'
  | 'declared'
  | 'kernel-log'
  | 'shared-counter'
  | 'keeper-died'
  | 'reboot'
  | 'heartbeat'
  | 'start';

/** What is concluded from the evidence of one start. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly evidence: EvidenceName | null;
  /** What a person reads. What the next start gets is said by `next-words.ts`. */
  readonly text: string;
  /** A bigger limit would have helped: the next start may get one. */
  readonly raises: boolean;
  /** A clean success: its peak is what such a run needs, and it counts among those after which a raise ends. */
  readonly teaches: boolean;
  /** False for what is only reported: a counter shared with others, or no counter at all. Retried only with `--oom-retry=reported`. */
  readonly proven: boolean;
  /** What to say besides a success. */
  readonly warning: string | null;
  readonly exitCode: number | null;
  readonly signal: number | null;
}

/** The verdict on one start: the first row of the table that applies (docs/verdicts.md). Never throws. */
export const verdict = (evidence: Evidence): Judgement => {
  const { exit } = evidence;
  const say = judge(exit);
  const own = ownCounts(evidence);
  const ownKills = own?.oomKill ?? 0n;
  const first = firstOwnMark(exit);

  // 1
  if (exit?.how === 'exited' && exit.code === 0) {
    const clean = own === null || ownKills === 0n;
    const warning = clean ? null : words.childrenKilled(own);
    return say('succeeded', null, words.succeeded(evidence), { teaches: clean, warning });
  }
  // 2
  if (killedByPerson(evidence)) return say('killed', 'user-kill', words.killed(evidence));
  // 3
  if (first?.mark === 'timer' && (first.oom_kill ?? 0) <= 0) return say('timed-out', 'timer', words.timedOut(evidence));
  // 4
  if (first?.mark === 'held') return say('out-of-memory', 'held', words.held(evidence, first), { raises: true });
  if (noWordOfTheEnd(exit) && evidence.lost === 'heartbeat' && evidence.heldWhenLost)
    return say('out-of-memory', 'held', words.heldAndSilent(evidence), { raises: true });
  // 5
  if (own !== null && ownKills > 0n && own.oom > 0n)
    return say('out-of-memory', 'own-cgroup', words.ownCgroup(evidence, own), { raises: true });
  // 6
  const atLimit = seenAtLimit(evidence);
  if (ownKills > 0n) return say('out-of-memory', 'host', words.host(evidence, atLimit), { raises: atLimit });
  if (oomdMarked(exit) && endedBySigkill(exit))
    return say('out-of-memory', 'host', words.oomd(evidence, atLimit), { raises: atLimit });
  // 7
  if (first?.mark === 'cap')
    return say('out-of-memory', 'sampled-cap', words.sampledCap(evidence, first), { raises: true });
  // 8
  if (evidence.runnerWord !== null)
    return say('out-of-memory', 'runner', words.runner(evidence, evidence.runnerWord), { raises: true });
  // 9
  const declared = declaredEnding(evidence);
  if (declared !== null) return say('out-of-memory', 'declared', words.declared(evidence, declared), { raises: true });
  // A run inside another dies with it, and has no cgroup of its own to tell by.
  const shared = sharedRise(exit);
  const { parent } = evidence;
  if (parent !== null && (endedBySigkill(exit) || exit?.code === 137)) {
    if (shared.kind === 'rose' && parent.counted)
      return say('out-of-memory', 'parent-cgroup', words.parentCgroup(parent.run));
    if (parent.ended) return say('killed', 'parent-end', words.parentEnd(parent.run));
  }
  // 10
  const log = evidence.inPidNamespace ? 'unread' : evidence.kernelLog;
  if (own === null && typeof log === 'object') {
    const raises = log.ownMemcg || atLimit;
    return say('out-of-memory', 'kernel-log', words.kernelLog(evidence, log.pid, log.ownMemcg, atLimit), { raises });
  }
  // 11
  if (own === null && shared.kind === 'rose' && (endedBySigkill(exit) || exit?.code === 137))
    return say('out-of-memory', 'shared-counter', words.sharedCounter(evidence, shared.file, shared.by), {
      proven: false,
    });
  // 12
  if (exit?.how === 'keeper-died' || (exit === null && evidence.begun)) {
    const why = evidence.lost ?? 'keeper-died';
    return say('lost', why, words.lost(why));
  }
  // 13
  if (exit === null || exit.how === 'not-started') return say('failed', 'start', words.notStarted(evidence));
  // 14
  const blind = endedBySigkill(exit) && own === null && shared.kind === 'none' && log === 'unread';
  return say('failed', null, words.failed(exit, { own, shared, blind }), { proven: !blind });
};

type Rest = Partial<Pick<Judgement, 'raises' | 'teaches' | 'proven' | 'warning'>>;

const judge =
  (exit: ExitFacts | null) =>
  (verdict: Verdict, evidence: EvidenceName | null, text: string, rest: Rest = {}): Judgement => ({
    verdict,
    evidence,
    // It may hold words from outside: a program's name, a person's, a runner's.
    text: visibleText(text),
    raises: false,
    teaches: false,
    proven: true,
    warning: null,
    exitCode: exit?.code ?? null,
    signal: exit?.signal ?? null,
    ...rest,
  });

/** Of the timer's, the held and the cap's mark the first written counts. */
const firstOwnMark = (exit: ExitFacts | null): KillMark | undefined =>
  exit?.marks.find(({ mark }) => mark === 'timer' || mark === 'held' || mark === 'cap');

/** Nobody saw the leader end. */
const noWordOfTheEnd = (exit: ExitFacts | null): boolean => exit === null || exit.how === 'keeper-died';

/**
 * The keeper marks before it signals, and only a live process: so its mark is proof. A kill that only the store knows came
 * too late for a start whose end the keeper reported; where no keeper was left to mark it, the store's record counts.
 */
const killedByPerson = ({ exit, personKill, begun }: Evidence): boolean =>
  (exit?.marks.some(({ mark }) => mark === 'user') ?? false) || (personKill !== null && begun && noWordOfTheEnd(exit));

/** By SIGKILL; the `sh` keeper's 137 may be that, and is taken for it. */
const endedBySigkill = (exit: ExitFacts | null): boolean =>
  (exit?.how === 'signalled' && exit.signal === 9) || (exit?.how === 'unknown' && exit.code === 137);

/** Within 5 % of the limit, or over it (cases H1). */
const seenAtLimit = ({ lastRssBytes, limitBytes }: Evidence): boolean =>
  lastRssBytes !== null && limitBytes !== null && limitBytes > 0 && lastRssBytes * 20 >= limitBytes * 19;

/** What the user declared and it did; a death by signal n is also the 128 + n that a shell shows. */
const declaredEnding = ({ exit, oomExitCodes, oomTextMatched }: Evidence): string | null => {
  if (exit === null || !['exited', 'signalled', 'unknown'].includes(exit.how)) return null;
  const code = exit.code ?? (exit.signal === null ? null : 128 + exit.signal);
  if (code !== null && oomExitCodes.includes(code)) return `it ended with ${code}, which --oom-exit declares`;
  return oomTextMatched === null
    ? null
    : `its standard error has, near its end, the text of --oom-text ${shellWord(oomTextMatched)}`;
};
