import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FrameDecoder, MalformedFrame } from '../../../src/keeper/frame.ts';
import type { StartRequest } from '../../../src/keeper/keepers.ts';
import { programFrame, readReport, startFrame } from '../../../src/keeper/messages.ts';

const request: StartRequest = {
  folder: '/s/1.2',
  run: 1,
  start: 2,
  uuid: 'u',
  cwd: '/',
  args: ['sh', '-c', '', 'é\n'],
  env: ['A=1', 'A=2'],
  stdin: '/dev/null',
  stdout: '/o',
  stderr: '/e',
};
const words = (frame: Buffer): string[] => new FrameDecoder().push(frame)[0]?.map(String) ?? [];
const fields = (...list: string[]): Buffer[] => list.map((word) => Buffer.from(word));
const pairs = (list: readonly string[]): string[] =>
  list.slice(1).flatMap((word, index) => (index % 2 === 0 ? [`${word}=${list[index + 2]}`] : []));

describe('what is sent', () => {
  test('a start keeps the order of arguments and environment and leaves out what is not given', () => {
    assert.deepEqual(pairs(words(startFrame(request))), [
      ...['folder=/s/1.2', 'run=1', 'start=2', 'uuid=u', 'cwd=/'],
      ...['arg=sh', 'arg=-c', 'arg=', 'arg=é\n', 'env=A=1', 'env=A=2'],
      ...['stdin=/dev/null', 'stdout=/o', 'stderr=/e'],
    ]);
  });

  test('umask is octal, durations are whole milliseconds and never fall to none', () => {
    const more = { umask: 0o27, timeoutMs: 0.2, graceMs: 0, nice: -5, oomScoreAdj: 0, rlimits: ['core 0 0'] };
    const sent = pairs(words(startFrame({ ...request, ...more, cgroup: '/c', shared: null })));
    assert.deepEqual(sent.slice(14), [
      ...['cgroup=/c', 'oom_score_adj=0', 'nice=-5', 'umask=27', 'timeout_ms=1', 'grace_ms=0', 'rlimit=core 0 0'],
    ]);
  });

  test('the cgroup of another start is entered, and is not sent as its own', () => {
    assert.deepEqual(pairs(words(startFrame({ ...request, cgroup: null, enter: '/p' }))).slice(14), ['enter=/p']);
  });

  test('a zero byte in any text, no program, and more than 16 MiB are refused before anything is sent', () => {
    for (const wrong of [{ args: ['a\0b'] }, { env: ['A=\0'] }, { cwd: '/\0' }, { args: [] }]) {
      assert.throws(() => startFrame({ ...request, ...wrong }), { errno: 22 });
    }
    assert.throws(() => startFrame({ ...request, env: [`A=${'x'.repeat(17 * 2 ** 20)}`] }), { errno: 7 });
  });

  test('a hand-over names the program as `program` does', () => {
    const program = { args: ['node', 'd'], env: ['P=1'], log: '/l' };
    assert.deepEqual(words(programFrame('handover', program)), [
      ...['handover', 'arg', 'node', 'arg', 'd', 'env', 'P=1', 'log', '/l'],
    ]);
  });
});

describe('what comes in', () => {
  test('every report is read', () => {
    assert.deepEqual(readReport(fields('hello', 'protocol', '1', 'pid', '9', 'active', '0')), {
      ...{ type: 'hello', protocol: 1, pid: 9, active: 0 },
    });
    assert.deepEqual(readReport(fields('running', 'run', '1', 'start', '2', 'keeper', '3', 'pid', '4')), {
      ...{ type: 'running', run: 1, start: 2, keeper: 3, pid: 4 },
    });
    assert.deepEqual(readReport(fields('void', 'start', '2', 'run', '1')), { type: 'void', run: 1, start: 2 });
    const refused = fields('refused', 'run', '1', 'start', '2', 'stage', 'fork', 'errno', '11', 'message', 'No');
    assert.deepEqual(readReport(refused), {
      ...{ type: 'refused', run: 1, start: 2, stage: 'fork', errno: 11, message: 'No' },
    });
  });

  test('an end with a corrupt record is still an end', () => {
    const report = readReport(fields('ended', 'run', '1', 'start', '2', 'record', ''));
    assert.deepEqual(report, { type: 'ended', run: 1, start: 2, record: { value: null, why: 'it is empty' } });
  });

  test('a verb of a later version is passed over, a known one without its keys is malformed', () => {
    assert.equal(readReport(fields('news', 'a', 'b')), null);
    assert.throws(() => readReport(fields('void', 'run', '1')), MalformedFrame);
    assert.throws(() => readReport(fields('void', 'run', '1', 'start')), MalformedFrame);
    assert.throws(() => readReport(fields('void', 'run', 'one', 'start', '2')), MalformedFrame);
    assert.throws(() => readReport([]), MalformedFrame);
  });
});
