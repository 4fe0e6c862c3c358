import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as schemas from '../../../src/api/schemas.ts';

interface Parsing {
  readonly safeParse: (value: unknown) => { readonly success: boolean };
}

/** For each schema of an object a request that says all that it may say. */
const whole: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  submitSchema: {
    token: 't',
    commands: [['sort', '-u']],
    cwd: '/',
    env: { PATH: '/bin' },
    umask: 0o22,
    name: 'n',
    cpus: 1,
    memory: { min_bytes: 1, max_bytes: 2 },
    retries: 0,
    timeout_ms: 1,
    priority: 0,
    stdin: { kind: 'file', path: '/in' },
    owner: 'o',
    settings: { ORCA_NICE: '5' },
    inside: { run: 1, start: 's' },
    gpus: 1,
    locks: ['db'],
    resources: { licence: 1 },
    after: [
      { run: 1, any: true },
      { group: 1, any: false },
    ],
    group: 'new',
    max_parallel: 1,
    keys: ['k'],
    key_window_ms: 1,
    tags: ['night'],
    submitter: 'ada',
    inputs: [{ path: '/in', bytes: 1 }],
    retry_on: { codes: [1], verdicts: ['lost'] },
    memory_env: ['java'],
    capture: 'all',
    cpus_asked: true,
    more: 1,
    placement: 'worker:a',
    secrets: { TOKEN: 'env:T' },
    oom: { retry: 'never', exit_codes: [1], text: 'heap' },
  },
  retrySchema: {
    token: 't',
    env: { A: 'a' },
    set: { B: 'b' },
    submitter: 'ada',
    group: 1,
    instead: [{ run: 1, by: 2 }],
  },
  retryRunsSchema: {
    token: 't',
    env: { A: 'a' },
    set: { B: 'b' },
    submitter: 'ada',
    runs: [{ run: 1, of: null }],
    more: [2],
    instead: [{ run: 1, by: 2 }],
  },
  detachSchema: { owner: 'o' },
  killSchema: { runs: [1], groups: [1], tags: ['night'], by: 'ada', now: true, owner: 'o' },
  chooseSchema: { runs: [1], groups: [1], tags: ['night'], over: true },
  pauseSchema: { runs: [1], groups: [1], tags: ['night'], by: 'ada', reason: 'backup', drain: true },
  resumeSchema: { runs: [1], groups: [1], tags: ['night'], by: 'ada' },
  waitSchema: { runs: [1], owner: 'o', detail: 'full', next: { since: 1 }, inside: { run: 1, start: 's' } },
  gcSchema: { older_than_ms: 1, keep: 1, dry_run: true },
  downSchema: { drain: true },
  listSchema: { state: ['queued'], tag: ['night'], limit: '1', before: '1', group: '1', key: 'k', name: 'n' },
  logsSchema: { stream: 'stdout', start: '1', offset: '1', tail: '1', since_ms: '1', follow: '1' },
  eventsSchema: { at: '1', run: ['1'], group: ['1'], kind: ['paused'], queue: '0', follow: '0' },
};

/** The same value, once for each of its texts, with a NUL byte in that one; keys are texts, too, where any may be given. */
function* withNul(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield `${value}\0`;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    const rest = Object.entries(value).filter(([other]) => other !== key);
    const put = (name: string, content: unknown): unknown =>
      Array.isArray(value)
        ? value.map((old: unknown, at) => (String(at) === key ? content : old))
        : Object.fromEntries([...rest, [name, content]]);
    for (const changed of withNul(item)) yield put(key, changed);
  }
}

/** The names of the records with free keys. */
const records = ['env', 'set', 'settings', 'resources', 'secrets'];

const objects = Object.entries(schemas).filter(([name]) => name in whole);

test('no text of any request may hold a NUL byte, wherever it stands', () => {
  for (const [name, schema] of objects) {
    const request = whole[name] ?? {};
    const { safeParse } = schema as Parsing;
    assert.ok(safeParse(request).success, name);
    for (const changed of withNul(request))
      assert.ok(!safeParse(changed).success, `${name}: ${JSON.stringify(changed)}`);
    for (const record of records.filter((one) => one in request)) {
      const [value] = Object.values(request[record] as object) as unknown[];
      assert.ok(!safeParse({ ...request, [record]: { 'A\0': value } }).success, `${name}: a name in ${record}`);
    }
  }
});

test('that is so for every field of every schema', () => {
  const known = Object.keys(schemas).filter((name) => !['runSchema', 'sinceSchema'].includes(name));
  assert.deepEqual(Object.keys(whole).sort(), known.sort());
  for (const [name, schema] of objects) {
    const { shape } = schema as unknown as { shape: object };
    assert.deepEqual(Object.keys(whole[name] ?? {}).sort(), Object.keys(shape).sort(), name);
  }
});
