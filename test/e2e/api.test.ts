import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorJson, EventJson, WaitEvent } from '../../src/wire/api.ts';
import { ask, linesOf, textOf } from './support/http.ts';
import { Orca } from './support/orca.ts';
import { plainSubmission } from './support/plain-submission.ts';

const errorOf = async (answer: Awaited<ReturnType<typeof ask>>): Promise<ErrorJson['error']> =>
  (JSON.parse(await textOf(answer)) as ErrorJson).error;

test('what cannot be used is refused with a code, a sentence and what to do, never a stack', async (t) => {
  const orca = new Orca(t);
  await orca.run(['up']);
  const cases = [
    [ask(orca.state, 'GET', '/api/nothing'), 404, 'route-unknown'],
    [ask(orca.state, 'GET', '/api/daemon', { headers: { 'orca-api': '99' } }), 426, 'api-mismatch'],
    [ask(orca.state, 'POST', '/api/runs', { raw: '{"half":' }), 400, 'request-invalid'],
    [ask(orca.state, 'POST', '/api/runs', { body: { token: 'x' } }), 400, 'request-invalid'],
    [ask(orca.state, 'GET', '/api/runs/12'), 404, 'run-unknown'],
    [ask(orca.state, 'GET', '/api/runs/abc'), 400, 'request-invalid'],
    [ask(orca.state, 'GET', '/api/runs?state=sleepy'), 400, 'request-invalid'],
    [ask(orca.state, 'POST', '/api/wait', { body: { runs: [7], detail: 'final' } }), 404, 'run-unknown'],
    [ask(orca.state, 'GET', '/api/runs/7/logs'), 404, 'run-unknown'],
    [ask(orca.state, 'POST', '/api/kill', { body: { runs: [], by: 'me' } }), 400, 'request-invalid'],
  ] as const;
  for (const [asked, status, code] of cases) {
    const answer = await asked;
    assert.equal(answer.status, status, code);
    const error = await errorOf(answer);
    assert.equal(error.code, code);
    assert.ok(error.hint.length > 0);
    assert.doesNotMatch(error.message, /\n\s+at |zod/i);
  }
});

test('a submission sent twice with one token makes its runs once', async (t) => {
  const orca = new Orca(t);
  await orca.run(['up']);
  const body = { ...plainSubmission('twice', ['true']), commands: [['true'], ['true']] };
  const answers = await Promise.all([1, 2, 3].map(() => ask(orca.state, 'POST', '/api/runs', { body })));
  const texts = await Promise.all(answers.map(textOf));
  assert.deepEqual(new Set(texts), new Set(['{"runs":[1,2],"group":null,"known":[]}']));
  await orca.run(['wait', '1', '2']);
  const { runs } = JSON.parse(await textOf(await ask(orca.state, 'GET', '/api/runs?limit=10'))) as { runs: object[] };
  assert.equal(runs.length, 2);
});

test('retries sent twice with one token make their runs and their group once', async (t) => {
  const orca = new Orca(t);
  assert.equal((await orca.run(['submit', '--wait', '--each-line', '-', 'false'], { input: 'a\nb\nc\n' })).status, 1);
  const runs = [1, 2, 3].map((run) => ({ run, of: 1 }));
  const body = { token: 'again', env: {}, runs };
  const texts: string[] = [];
  for (let sent = 0; sent < 2; sent += 1)
    texts.push(await textOf(await ask(orca.state, 'POST', '/api/retry', { body })));
  const answer = '{"runs":[4,5,6],"groups":[{"of":1,"group":4}],"known":[],"not_after":[]}';
  assert.deepEqual(texts, [answer, answer]);
  assert.equal((await orca.run(['wait', 'g4'])).status, 1);
  const { runs: all } = JSON.parse(await textOf(await ask(orca.state, 'GET', '/api/runs?limit=10'))) as {
    runs: object[];
  };
  assert.equal(all.length, 6);
});

test('a wait has a heartbeat while nothing happens, tells each end once, and ends', async (t) => {
  const orca = new Orca(t);
  const [first, second] = [await orca.submit('--', 'sleep', '3'), await orca.submit('--', 'true')];
  const body = { runs: [first, second], detail: 'final' };
  const events: WaitEvent[] = [];
  for await (const line of linesOf(await ask(orca.state, 'POST', '/api/wait', { body }))) {
    events.push(JSON.parse(line) as WaitEvent);
  }
  assert.ok(events.some(({ type }) => type === 'beat'));
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'run' ? [[event.run.id, event.run.state]] : [])),
    [
      [second, 'succeeded'],
      [first, 'succeeded'],
    ],
  );
  assert.equal(events.at(-1)?.type, 'end');
});

test('events come in order as they happen, and resume after the last one that was heard', async (t) => {
  const orca = new Orca(t);
  await orca.run(['up']);
  const heard = async (until: string, headers: Record<string, string> = {}): Promise<EventJson[]> => {
    const answer = await ask(orca.state, 'GET', '/api/events', { headers });
    assert.match(answer.headers['content-type'] ?? '', /^text\/event-stream/);
    const events: EventJson[] = [];
    for await (const line of linesOf(answer)) {
      if (!line.startsWith('data: ')) continue;
      events.push(JSON.parse(line.slice('data: '.length)) as EventJson);
      if (events.at(-1)?.kind === until) break;
    }
    answer.body.destroy();
    return events;
  };
  const listening = heard('finished');
  const run = await orca.submit('--', 'sleep', '0.2');
  const kinds = (await listening).map(({ kind }) => kind);
  assert.deepEqual(kinds, ['submitted', 'running', 'start-ended', 'finished']);

  await orca.run(['run', '--', 'false']);
  const all = await heard('finished', { 'last-event-id': '4' });
  assert.ok(all.every(({ id, run: of }) => id > 4 && of === run + 1));
});

test('a log can be read from any byte on', async (t) => {
  const orca = new Orca(t);
  const run = await orca.submit('--', 'printf', '0123456789');
  await orca.run(['wait', String(run)]);
  const answer = await ask(orca.state, 'GET', `/api/runs/${run}/logs?offset=7`);
  assert.equal(answer.headers['orca-start'], '1');
  assert.equal(answer.headers['orca-offset'], '7');
  assert.equal(await textOf(answer), '789');
});
