import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseExit, parseMarks, parsePid } from '../../../src/keeper/records.ts';

const pid =
  '{"boot":"b1","uuid":"u","keeper":{"pid":1,"start":123},"command":{"pid":2,"start":124},"at_ms":1764500000000}';
const exit = `{"protocol":1,"keeper":"native","how":"exited","code":3,"signal":null,"failed":null,
 "max_rss_bytes":1048576,"user_us":1000,"system_us":500,
 "boot":"b1","started_ms":1764500000000,"ended_ms":1764500001000,"elapsed_us":1000000,
 "marks":[{"mark":"timer","at_ms":1764500000900,"oom_kill":0,"text":"t"}],
 "cgroup":{"path":"/c","events":"oom 1\\n","peak":"5\\n","pressure":null,"cpu":"","oomd_kill":null,"oomd_ooms":null},
 "shared":{"file":"/s","before":"a","after":null}}`;

describe('the pid record', () => {
  test('a whole one is read', () => {
    assert.deepEqual(parsePid(pid), { value: JSON.parse(pid), why: null });
  });

  for (const [text, why] of [
    ['', 'it is empty'],
    ['{"boot":"b1"', 'it is not JSON'],
    ['[]', 'it is no object'],
    ['null', 'it is no object'],
    [pid.replace('"b1"', '1'), '`boot` is no text'],
    [pid.replace('{"pid":1,"start":123}', 'null'), '`keeper` is no object'],
    [pid.replace('"pid":2', '"pid":-2'), '`pid` is no count'],
    [pid.replace('"pid":2', '"pid":2.5'), '`pid` is no count'],
    [pid.replace('"start":124', '"start":"124"'), '`start` is no number'],
  ] as const) {
    test(`one where ${why} is null with that reason`, () => {
      assert.deepEqual(parsePid(text), { value: null, why });
    });
  }
});

describe('the exit record', () => {
  test('a whole one is read', () => {
    assert.deepEqual(parseExit(exit), { value: JSON.parse(exit), why: null });
  });

  test('keys of a later version are left out, absent optional ones are null', () => {
    const read = parseExit('{"protocol":1,"keeper":"sh","how":"keeper-died","new":1}');
    assert.equal(read.value?.code, null);
    assert.deepEqual(read.value?.marks, []);
    assert.ok(read.value !== null && !('new' in read.value));
  });

  for (const [from, to, why] of [
    ['"exited"', '"flew"', '`how` is none of exited, signalled, not-started, keeper-died, unknown'],
    ['"native"', '"x"', '`keeper` is none of native, sh'],
    ['"code":3', '"code":"3"', '`code` is no number'],
    ['"timer"', '"clock"', '`mark` is none of timer, user, held, cap, none'],
    ['"oom 1\\n"', '1', '`events` is no text'],
  ] as const) {
    test(`one with ${to} is null with the reason`, () => {
      assert.notEqual(exit.replace(from, to), exit);
      assert.deepEqual(parseExit(exit.replace(from, to)), { value: null, why });
    });
  }

  test('no text at all makes a parser throw', () => {
    const part = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc.nat(exit.length).map((n) => exit.slice(0, n)),
    );
    fc.assert(
      fc.property(part, (text) => {
        for (const parse of [parsePid, parseExit]) {
          const { value, why } = parse(text);
          assert.equal(value === null, why !== null);
        }
        parseMarks(text);
      }),
    );
  });
});

describe('marks', () => {
  test('each line is a mark, in order; a torn last line is not one yet', () => {
    const user = '{"mark":"user","at_ms":1,"oom_kill":null,"text":"orca kill by ada"}';
    const timer = '{"mark":"timer","at_ms":2,"oom_kill":3,"text":""}';
    assert.deepEqual(parseMarks(`${user}\n${timer}\n{"mark":"ca`), {
      marks: [JSON.parse(user), JSON.parse(timer)],
      problems: [],
    });
  });

  test('a line that cannot be read is told of and hides no other', () => {
    const read = parseMarks('nonsense\n{"mark":"cap","at_ms":2}\n');
    assert.deepEqual(read.problems, ['line 1: it is not JSON']);
    assert.deepEqual(read.marks, [{ mark: 'cap', at_ms: 2, oom_kill: null, text: '' }]);
  });
});
