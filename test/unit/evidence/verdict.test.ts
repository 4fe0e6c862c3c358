import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Evidence } from '../../../src/evidence/evidence.ts';
import { verdict, type Judgement } from '../../../src/evidence/verdict.ts';
import { code, exitOf, mark, mb, own, shared, signal, start, unknown } from './a-start.ts';

const is = (evidence: Evidence, verdictName: Judgement['verdict'], how: Judgement['evidence']): Judgement => {
  const judged = verdict(evidence);
  assert.deepEqual([judged.verdict, judged.evidence], [verdictName, how], judged.text);
  return judged;
};
const raising = (judged: Judgement, raises: boolean): Judgement => {
  assert.equal(judged.raises, raises, judged.text);
  return judged;
};

test('exit 0 is succeeded and teaches', () => {
  const judged = is(start(code(0)), 'succeeded', null);
  assert.deepEqual([judged.teaches, judged.warning, judged.exitCode, judged.signal], [true, null, 0, null]);
});

test('exit 0 is succeeded whatever the marks, the counters and the runner say', () => {
  const facts = { marks: [mark('timer'), mark('held'), mark('cap')], cgroup: own(1, 1), shared: shared(0, 9) };
  is(start(code(0, facts), { runnerWord: 'OOMKilled', oomExitCodes: [0] }), 'succeeded', null);
});

test('exit 0 after a request to stop says that it was asked and ended well', () => {
  const judged = is(start(code(0, { marks: [mark('user', 'orca kill by ada')] })), 'succeeded', null);
  assert.equal(judged.text, 'was asked to stop (orca kill by ada), ended well');
  assert.match(verdict(start(code(0, { marks: [mark('timer')] }))).text, /at its time limit, ended well/);
});

test('exit 0 with a child that the kernel killed is succeeded with the count, and teaches nothing', () => {
  const judged = is(start(code(0, { cgroup: own(2, 2, 0) })), 'succeeded', null);
  assert.match(judged.warning ?? '', /killed 2 processes of it for memory/);
  assert.deepEqual([judged.teaches, judged.raises], [false, false]);
});

test("a person's kill names who, and wins over counters, timer, held and cap in either order", () => {
  for (const marks of [
    [mark('user', 'orca kill by ada')],
    [mark('timer'), mark('user', 'orca kill by ada')],
    [mark('user', 'orca kill by ada'), mark('timer')],
    [mark('held'), mark('user', 'orca kill by ada')],
    [mark('cap'), mark('user', 'orca kill by ada')],
  ]) {
    const judged = is(start(signal(9, { marks, cgroup: own(3, 3), shared: shared(0, 3) })), 'killed', 'user-kill');
    assert.equal(judged.text, 'killed (orca kill by ada); killed by signal 9 (SIGKILL)');
  }
});

test("exit 3 after a person's kill is killed, and the text has the code", () => {
  const judged = is(start(code(3, { marks: [mark('user', 'Interrupt of orca run')] })), 'killed', 'user-kill');
  assert.equal(judged.text, 'killed (Interrupt of orca run); exit code 3');
  assert.equal(judged.exitCode, 3);
});

test('a kill that was recorded after the process had ended does not make it killed', () => {
  is(start(code(3), { personKill: { by: 'ada' } }), 'failed', null);
});

test('a recorded kill counts where no keeper was left to mark it', () => {
  const judged = is(start(null, { personKill: { by: 'ada' }, lost: 'keeper-died' }), 'killed', 'user-kill');
  assert.equal(judged.text, 'killed (ada)');
  is(start(exitOf({ how: 'keeper-died' }), { personKill: { by: 'ada' } }), 'killed', 'user-kill');
});

test('the time limit is timed-out and its text names the limit', () => {
  const judged = is(start(signal(15, { marks: [mark('timer', '', 0)], cgroup: own(0, 0) })), 'timed-out', 'timer');
  assert.equal(judged.text, 'ended at its time limit of 1m');
  is(start(code(3, { marks: [mark('timer', '', null)] })), 'timed-out', 'timer');
});

test('kills for memory that follow the timer are not its cause, those before it are', () => {
  is(start(signal(9, { marks: [mark('timer', '', 0)], cgroup: own(1, 1) })), 'timed-out', 'timer');
  is(start(signal(9, { marks: [mark('timer', '', 1)], cgroup: own(1, 1) })), 'out-of-memory', 'own-cgroup');
});

test('of timer, held and cap the first written counts', () => {
  is(start(signal(9, { marks: [mark('timer', '', 0), mark('held')] })), 'timed-out', 'timer');
  is(start(signal(9, { marks: [mark('held'), mark('timer', '', 0)] })), 'out-of-memory', 'held');
  is(start(signal(9, { marks: [mark('cap'), mark('timer', '', 0)] })), 'out-of-memory', 'sampled-cap');
  is(start(signal(9, { marks: [mark('none'), mark('cap'), mark('held')] })), 'out-of-memory', 'sampled-cap');
});

test('a start held at its limit is out of memory there, in words of its own', () => {
  const judged = raising(is(start(signal(9, { marks: [mark('held', 'for 120 s')] })), 'out-of-memory', 'held'), true);
  assert.match(judged.text, /^out of memory at 1000 MB: held there/);
  assert.match(judged.text, /for 120 s/);
  assert.match(judged.text, /memory\.max 1250 MB/);
  assert.notEqual(judged.text, verdict(start(signal(9, { cgroup: own(1, 1) }))).text);
});

test('a heartbeat that goes stale while held is out of memory, elsewhere lost', () => {
  const silent = start(null, { lost: 'heartbeat', heldWhenLost: true });
  raising(is(silent, 'out-of-memory', 'held'), true);
  is({ ...silent, heldWhenLost: false }, 'lost', 'heartbeat');
  is({ ...silent, lost: 'keeper-died' }, 'lost', 'keeper-died');
});

test('any end but 0 is out of memory when the own cgroup counted oom and oom_kill', () => {
  for (const exit of [signal(9), signal(15), signal(11), code(1), code(5), code(137), unknown(137)]) {
    const judged = is(start({ ...exit, cgroup: own(1, 2) }), 'out-of-memory', 'own-cgroup');
    raising(judged, true);
    assert.match(
      judged.text,
      /^out of memory at 1000 MB: the kernel killed it whole at its own limit \(memory\.max 1250 MB/,
    );
  }
});

test('how many processes the kernel killed is said only where no group kill can have counted one of them twice', () => {
  const whole = verdict(start(signal(9, { cgroup: own(1, 2, 1) }))).text;
  assert.match(whole, /: the kernel killed it whole at its own limit/);
  const oldKernel = verdict(start(signal(9, { cgroup: own(1, 2, null) }))).text;
  assert.match(oldKernel, /: the kernel killed processes of it at its own limit/);
  const oneByOne = verdict(start(signal(9, { cgroup: own(1, 1, 0) }))).text;
  assert.match(oneByOne, /: the kernel killed 1 process of it at its own limit/);
  for (const groupKill of [1, null])
    assert.match(
      verdict(start(code(0, { cgroup: own(1, 2, groupKill) }))).warning ?? '',
      /^the kernel killed processes of it for memory/,
    );
});

test('the own cgroup is read by the daemon where the keeper died', () => {
  const events = own(1, 1).events;
  is(start(null, { ownEvents: events, lost: 'keeper-died' }), 'out-of-memory', 'own-cgroup');
  is(start(exitOf({ how: 'keeper-died' }), { ownEvents: events }), 'out-of-memory', 'own-cgroup');
});

test('oom that rose without oom_kill is never evidence', () => {
  const judged = is(start(signal(9, { cgroup: own(5, 0), shared: shared(0, 4) })), 'failed', null);
  assert.match(judged.text, /^killed by signal 9 \(SIGKILL\); .*its own cgroup counted no such kill/);
});

test('oom_kill without oom means that the machine ran out: host, the same size, nothing proved', () => {
  const far = raising(
    is(start(signal(9, { cgroup: own(0, 1) }), { lastRssBytes: 100 * mb }), 'out-of-memory', 'host'),
    false,
  );
  assert.match(far.text, /^out of memory at 1000 MB: .*last seen using 100 MB, below its limit: .*is not proved/);
  assert.match(verdict(start(signal(9, { cgroup: own(0, 1) }))).text, /is not proved/);
});

test('where nobody saw what it used, the highest figure of its cgroup tells that it was below its limit, and never that it was at it', () => {
  const text = (peak: string | null): string =>
    raising(is(start(signal(9, { cgroup: { ...own(0, 1), peak } })), 'out-of-memory', 'host'), false).text;
  assert.match(text(`${100 * mb}\n`), /; its cgroup never had more than 100 MB, below its limit; .*is not proved$/);
  for (const peak of [`${950 * mb}\n`, 'max', '', null]) assert.doesNotMatch(text(peak), /below its limit/);
});

test('a host kill raises when the run was last seen at 95 % of its limit, and not one byte below', () => {
  const exit = signal(9, { cgroup: own(0, 1) });
  raising(is(start(exit, { lastRssBytes: 950 * mb }), 'out-of-memory', 'host'), true);
  raising(is(start(exit, { lastRssBytes: 2000 * mb }), 'out-of-memory', 'host'), true);
  raising(is(start(exit, { lastRssBytes: 950 * mb - 1 }), 'out-of-memory', 'host'), false);
  raising(is(start(exit, { lastRssBytes: 950 * mb, limitBytes: null }), 'out-of-memory', 'host'), false);
});

test("systemd-oomd's mark counts with SIGKILL only", () => {
  for (const cgroup of [
    { ...own(0, 0), oomd_kill: '1' },
    { ...own(0, 0), oomd_ooms: '2\n' },
  ]) {
    const judged = is(start(signal(9, { cgroup })), 'out-of-memory', 'host');
    assert.match(judged.text, /systemd-oomd killed it/);
    raising(judged, false);
    is(start(signal(15, { cgroup })), 'failed', null);
    is(start(code(1, { cgroup })), 'failed', null);
  }
  for (const oomd of ['0', 'x', ''])
    is(start(signal(9, { cgroup: { ...own(0, 0), oomd_kill: oomd } })), 'failed', null);
});

test('a kill over the sampled cap repeats what was measured', () => {
  const text = 'used 1300 MB, over its limit 1000 MB plus the margin (cap 1250 MB), measured as resident memory';
  const judged = is(start(signal(9, { marks: [mark('cap', text)] })), 'out-of-memory', 'sampled-cap');
  assert.equal(judged.text, `out of memory at 1000 MB: ${text}`);
  raising(judged, true);
  assert.match(verdict(start(signal(9, { marks: [mark('cap')] }))).text, /over its cap of 1250 MB/);
});

test("the runner's word is taken", () => {
  const judged = raising(is(start(signal(9), { runnerWord: 'OOMKilled' }), 'out-of-memory', 'runner'), true);
  assert.equal(judged.text, 'out of memory at 1000 MB: the runner says OOMKilled');
});

test('a declared ending is out of memory, and none is declared by itself', () => {
  const judged = raising(is(start(code(134), { oomExitCodes: [3, 134] }), 'out-of-memory', 'declared'), true);
  assert.match(judged.text, /it ended with 134, which --oom-exit declares/);
  is(start(signal(6), { oomExitCodes: [134] }), 'out-of-memory', 'declared');
  is(start(code(134)), 'failed', null);
  const text = is(start(code(1), { oomTextMatched: 'heap out of memory' }), 'out-of-memory', 'declared');
  assert.match(text.text, /--oom-text 'heap out of memory'/);
});

test('an ending that nobody saw cannot be the declared one', () => {
  const unseen = { oomTextMatched: 'x', oomExitCodes: [2], lost: 'keeper-died' } as const;
  is(start(null, unseen), 'lost', 'keeper-died');
  is(
    start(exitOf({ how: 'not-started', failed: { stage: 'exec', errno: 2, message: 'No' } }), unseen),
    'failed',
    'start',
  );
});

const named = { pid: 41, ownMemcg: false };

test('the kernel log counts where the own cgroup cannot be read, and raises only for the own limit or at the limit', () => {
  const far = is(start(signal(9), { kernelLog: named, lastRssBytes: 10 * mb }), 'out-of-memory', 'kernel-log');
  assert.match(raising(far, false).text, /killed process 41 of it, .*is not proved/);
  raising(is(start(signal(9), { kernelLog: named }), 'out-of-memory', 'kernel-log'), false);
  raising(is(start(signal(9), { kernelLog: named, lastRssBytes: 950 * mb }), 'out-of-memory', 'kernel-log'), true);
  raising(is(start(signal(9), { kernelLog: { pid: 41, ownMemcg: true } }), 'out-of-memory', 'kernel-log'), true);
});

test('the kernel log is not used where the own cgroup was read, nor in a pid namespace', () => {
  is(start(signal(9, { cgroup: own(0, 0) }), { kernelLog: named }), 'failed', null);
  is(start(signal(9), { kernelLog: named, inPidNamespace: true }), 'failed', null);
});

test('SIGKILL with a risen shared counter is reported, not proved, and raises nothing', () => {
  for (const exit of [signal(9), code(137), unknown(137)]) {
    const judged = is(start({ ...exit, shared: shared(4, 6) }), 'out-of-memory', 'shared-counter');
    assert.deepEqual([judged.raises, judged.teaches, judged.proven], [false, false, false]);
    assert.match(judged.text, /^out of memory at 1000 MB, as reported, not proved: .*\/proc\/vmstat rose by 2/);
  }
});

test('where the kernel log can be read and names nothing of it, the report of a shared counter says so', () => {
  const exit = signal(9, { shared: shared(4, 6) });
  const named = /; the kernel log names no process of it$/;
  assert.match(is(start(exit, { kernelLog: 'nothing' }), 'out-of-memory', 'shared-counter').text, named);
  assert.doesNotMatch(verdict(start(exit)).text, named);
  assert.doesNotMatch(verdict(start(exit, { kernelLog: 'nothing', inPidNamespace: true })).text, named);
});

test('any other end with only the shared counter risen is failed', () => {
  for (const exit of [signal(15), signal(11), code(1), code(143), unknown(143)]) {
    is(start({ ...exit, shared: shared(0, 1) }), 'failed', null);
  }
});

test('a shared counter that was not readable before, fell, or is no number is no evidence', () => {
  for (const counter of [shared(null, 4), shared(5, 4), shared(4, null), shared('x', 4), shared(4, 'max'), null]) {
    const judged = is(start(signal(9, { shared: counter })), 'failed', null);
    assert.match(judged.text, /orca could not tell why/);
    assert.equal(judged.proven, false);
  }
});

test('the shared counter is compared in 64 bits', () => {
  is(start(signal(9, { shared: shared('9007199254740992', '9007199254740993') })), 'out-of-memory', 'shared-counter');
  is(start(signal(9, { shared: shared('9007199254740993', '9007199254740993') })), 'failed', null);
});

test('the shared counter is not asked where the own cgroup was read', () => {
  is(start(signal(9, { cgroup: own(0, 0), shared: shared(0, 5) })), 'failed', null);
  is(
    start(signal(9, { cgroup: { ...own(0, 0), events: null }, shared: shared(0, 5) })),
    'out-of-memory',
    'shared-counter',
  );
});

test('oom_group_kill is not taken for oom_kill, and a count that is no number is none', () => {
  is(start(signal(9, { cgroup: { ...own(0, 0), events: 'oom_group_kill 3\noom 1\n' } })), 'failed', null);
  is(start(signal(9, { cgroup: own('what', 'later') })), 'failed', null);
});

test('a begun start without a record is lost, with the reason', () => {
  for (const why of ['keeper-died', 'reboot', 'heartbeat'] as const) {
    assert.match(is(start(null, { lost: why }), 'lost', why).text, /^lost: /);
  }
  is(start(null), 'lost', 'keeper-died');
  is(start(exitOf({ how: 'keeper-died' })), 'lost', 'keeper-died');
});

test('a start that never began is failed and says stage, program, error and what to do', () => {
  const failed = (stage: string, errno: number, message: string): string =>
    is(
      start(exitOf({ how: 'not-started', failed: { stage, errno, message } }), { program: 'no such' }),
      'failed',
      'start',
    ).text;
  assert.equal(
    failed('exec', 2, 'No such file or directory'),
    "never began: cannot execute 'no such': No such file or directory (ENOENT); check its name and PATH; for a script, the interpreter in its first line",
  );
  assert.match(failed('exec', 13, 'Permission denied'), /EACCES\); make it executable with chmod \+x/);
  assert.match(failed('cwd', 2, 'No such file or directory'), /cannot enter the folder \/data: .*; make the folder/);
  assert.match(failed('stdout', 28, 'No space left on device'), /standard output: .*free some room/);
  assert.match(failed('constructor', 9999, 'odd'), /it could not be started \(constructor\): odd \(errno 9999\)$/);
});

test('a start that was refused before it began is failed too', () => {
  const refused = { stage: 'secret', errno: null, message: 'no such secret' };
  const judged = is(start(null, { begun: false, refused }), 'failed', 'start');
  assert.equal(judged.text, 'never began: cannot fetch a secret: no such secret');
  assert.match(is(start(null, { begun: false }), 'failed', 'start').text, /why is not known/);
});

test('any other end is failed, by its code or its signal', () => {
  for (const [exit, text] of [
    [code(3), 'exit code 3'],
    [signal(11), 'killed by signal 11 (SIGSEGV)'],
    [unknown(143), 'ended with 143: killed by signal 15 (SIGTERM), or exit code 143 (the sh keeper cannot tell)'],
  ] as const) {
    assert.equal(is(start(exit), 'failed', null).text, text);
  }
});

test('a SIGKILL that nobody explains is told as it is, with what was looked at', () => {
  assert.match(
    verdict(start(signal(9, { shared: shared(3, 3) }))).text,
    /^killed by signal 9 \(SIGKILL\); by whom is not known, but not by the kernel for memory: .*\/proc\/vmstat did not rise$/,
  );
  const log = is(start(signal(9), { kernelLog: 'nothing' }), 'failed', null);
  assert.match(log.text, /by whom is not known/);
  assert.equal(log.proven, true);
});

test('where no evidence can be had the text says that orca could not tell', () => {
  const judged = is(start(signal(9)), 'failed', null);
  assert.equal(
    judged.text,
    'killed by signal 9 (SIGKILL); orca could not tell why: it can read no counter of kills for memory here',
  );
});

test('without a limit the text names none', () => {
  const judged = verdict(start(signal(9, { shared: shared(0, 1) }), { limitBytes: null }));
  assert.match(judged.text, /^out of memory, as reported/);
});

test('no byte of a text from outside reaches the terminal as it is', () => {
  const evil = 'x\u001b[2J\u202e';
  for (const evidence of [
    start(signal(9, { marks: [mark('user', evil)] })),
    start(signal(9, { marks: [mark('cap', evil)] })),
    start(signal(9, { marks: [mark('held', evil)] })),
    start(signal(9), { runnerWord: evil }),
    start(code(1), { oomTextMatched: evil }),
    start(exitOf({ how: 'not-started', failed: { stage: 'exec', errno: 2, message: evil } }), { program: evil }),
    start(signal(9, { shared: { ...shared(0, 1), file: evil } })),
  ]) {
    assert.doesNotMatch(verdict(evidence).text, /[\u0000-\u001f\u202e]/);
  }
});
