import assert from 'node:assert/strict';
import { duplexPair, type Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { encodeFrame, FrameDecoder } from '../../../src/keeper/frame.ts';
import type { Keepers, KeeperReport, StartRequest } from '../../../src/keeper/keepers.ts';
import { nativeKeepers } from '../../../src/keeper/native-keepers.ts';
import { eventually } from './eventually.ts';

/** The other end of a stream: keeps what it was told, says what the test wants. */
interface FakeResident {
  readonly told: string[][];
  readonly chunks: number[];
  readonly stream: Duplex;
  ended: boolean;
  /** Whether it ends its side when the daemon ends its own. */
  answers: boolean;
}

let residents: FakeResident[];
let reports: KeeperReport[];
let keepers: Keepers;
let whenClosed: () => void;

const open = (): Duplex => {
  const [near, far] = duplexPair();
  const decoder = new FrameDecoder();
  const fake: FakeResident = { told: [], chunks: [], stream: far, ended: false, answers: true };
  far.on('data', (piece: Buffer) => {
    fake.chunks.push(piece.length);
    fake.told.push(...decoder.push(piece).map((fields) => fields.map(String)));
  });
  far.on('end', () => {
    fake.ended = true;
    if (fake.answers) far.end();
  });
  far.on('error', () => {});
  residents.push(fake);
  return near;
};

const program = { args: ['node', 'daemon'], env: [], log: '/log' };
const request = (run: number): StartRequest => ({
  ...{ folder: `/s/${run}.1`, run, start: 1, uuid: 'u', cwd: '/', args: ['true'], env: ['A=1'] },
  ...{ stdin: '/dev/null', stdout: '/o', stderr: '/e' },
});
const resident = (index = 0): FakeResident => {
  const found = residents[index];
  if (found === undefined) throw new Error(`there is no resident ${index}`);
  return found;
};
const verbs = (fake: FakeResident): string[] => fake.told.map((fields) => fields[0] ?? '');
const say = (fake: FakeResident, ...fields: string[]): boolean => fake.stream.write(encodeFrame(fields));

beforeEach(() => {
  residents = [];
  reports = [];
  whenClosed = () => {};
  keepers = nativeKeepers({
    ...{ binary: '/nonexistent', script: '/nonexistent', state: '/s', env: {}, program, inherited: null, open },
    onReport: (report) => {
      reports.push(report);
      if (report.type === 'closed') whenClosed();
    },
  });
});
afterEach(() => keepers.close());

describe('a stream to a resident', () => {
  test('the first frame says how a daemon is started again, the next whether runs wait', async () => {
    await eventually('two frames', () => resident().told.length === 2);
    assert.deepEqual(resident().told, [
      ['program', 'arg', 'node', 'arg', 'daemon', 'log', '/log'],
      ['work', 'queued', '0'],
    ]);
  });

  test('whether runs wait is sent only when it changes', async () => {
    for (const queued of [true, true, false, false, true]) keepers.work(queued);
    await eventually('five frames', () => resident().told.length >= 5);
    assert.deepEqual(
      resident()
        .told.slice(1)
        .map((fields) => fields[2]),
      ['0', '1', '0', '1'],
    );
  });

  test('reports come in order, with what was unreadable in a record told', async () => {
    say(resident(), 'hello', 'protocol', '1', 'pid', '5', 'active', '0');
    say(resident(), 'running', 'run', '1', 'start', '1', 'keeper', '6', 'pid', '7');
    say(resident(), 'ended', 'run', '1', 'start', '1', 'record', '{');
    await eventually('three reports', () => reports.length === 3);
    assert.deepEqual(
      reports.map((report) => report.type),
      ['hello', 'running', 'ended'],
    );
  });

  test('a request that no kernel could take is refused without a word to the resident', async () => {
    keepers.start({ ...request(3), args: ['a\0b'] });
    keepers.start(request(4));
    await eventually('a report and the other start', () => reports.length === 1 && verbs(resident()).includes('start'));
    const { message: _, ...report } = reports[0] as KeeperReport & { message: string };
    assert.deepEqual(report, { type: 'refused', run: 3, start: 1, stage: 'request', errno: 22 });
    assert.equal(verbs(resident()).filter((verb) => verb === 'start').length, 1);
  });
});

describe('a resident that is gone', () => {
  test('is told of once, replaced, and the new one learns program, work and what was asked since', async () => {
    keepers.work(true);
    whenClosed = () => keepers.start(request(2));
    resident().stream.end();
    await eventually('a second resident with a start', () => residents[1] && verbs(residents[1]).length === 3);
    assert.deepEqual(verbs(resident(1)), ['program', 'work', 'start']);
    assert.deepEqual(resident(1).told[1], ['work', 'queued', '1']);
    assert.deepEqual(reports, [{ type: 'closed', why: 'the resident ended the stream' }]);
  });

  test('what it was asked and perhaps never read is not asked again', async () => {
    keepers.start(request(1));
    await eventually('the start', () => verbs(resident()).includes('start'));
    resident().stream.destroy();
    await eventually('a second resident', () => residents[1] && verbs(residents[1]).length === 2);
    assert.ok(!verbs(resident(1)).includes('start'));
  });

  test('one that sends what is no frame is left', async () => {
    resident().stream.write(Buffer.alloc(8, 255));
    await eventually('a report', () => reports.length === 1);
    assert.equal(reports[0]?.type, 'closed');
    await eventually('a second resident', () => residents.length === 2);
  });

  test('one of another protocol is told goodbye, so that its running starts go on, and is replaced', async () => {
    say(resident(), 'hello', 'protocol', '2', 'pid', '5', 'active', '3');
    await eventually('its end', () => resident().ended);
    assert.equal(verbs(resident()).at(-1), 'goodbye');
    assert.deepEqual(reports, [{ type: 'closed', why: 'the resident speaks protocol 2, this daemon 1' }]);
    await eventually('a second resident', () => residents.length === 2);
  });
});

describe('leaving', () => {
  test('a resident that ends after goodbye is not missed', async () => {
    keepers.goodbye();
    await eventually('goodbye', () => verbs(resident()).includes('goodbye'));
    resident().stream.end();
    await eventually('the end', () => resident().ended);
    assert.deepEqual([reports, residents.length], [[], 1]);
  });

  test('what the resident says while the daemon leaves is still taken from it', async () => {
    resident().answers = false;
    keepers.handover(program);
    const closing = keepers.close();
    await eventually('the end', () => resident().ended);
    say(resident(), 'running', 'run', '1', 'start', '1', 'keeper', '6', 'pid', '7');
    let failed: Error | null = null;
    resident().stream.on('error', (error) => (failed = error));
    resident().stream.end();
    await closing;
    assert.deepEqual([failed, reports], [null, []]);
  });

  for (const [verb, leave] of [
    ['goodbye', () => keepers.goodbye()],
    ['handover', () => keepers.handover(program)],
  ] as const) {
    test(`after ${verb} all that was said arrives, the stream ends, and no resident is started again`, async () => {
      keepers.start(request(1));
      leave();
      await keepers.close();
      await eventually('the end', () => resident().ended);
      assert.deepEqual(verbs(resident()), ['program', 'work', 'start', verb]);
      assert.deepEqual(reports, []);
      assert.equal(residents.length, 1);
    });
  }
});
