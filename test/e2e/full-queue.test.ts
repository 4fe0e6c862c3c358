import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask, textOf } from './support/http.ts';
import { Orca } from './support/orca.ts';
import { plainSubmission } from './support/plain-submission.ts';

const full = { ORCA_MAX_QUEUED: '1500' };

const queued = async (orca: Orca): Promise<number> => (await orca.daemon()).runs.queued;

test('a file of more lines than there may be runs is refused as a whole, with the bound and what to do', async (t) => {
  const orca = new Orca(t, full);
  await orca.run(['pause']);
  const lines = join(orca.folder, 'lines');
  writeFileSync(lines, 'x\n'.repeat(1501));
  const refused = await orca.run(['submit', '--each-line', lines, '--', 'true', '{}']);
  assert.equal(refused.status, 120);
  assert.match(refused.stderr, /At most 1500 runs may be .*\(ORCA_MAX_QUEUED\): 0 are, and 1501 more were asked for/);
  assert.match(refused.stderr, /raise ORCA_MAX_QUEUED/);
  assert.equal(refused.stdout, '');
  assert.equal(await queued(orca), 0, 'none of them is accepted');

  writeFileSync(lines, 'x\n'.repeat(1499));
  assert.equal((await orca.run(['submit', '--each-line', lines, '--', 'true', '{}'])).status, 0);
  const keyed = await orca.submit('--key', 'k', '--', 'true');
  const more = await orca.run(['run', '--', 'true']);
  assert.equal(more.status, 120);
  assert.match(more.stderr, /1500 are, and 1 more were asked for/);
  assert.equal(await orca.submit('--key', 'k', '--', 'true'), keyed, 'who asks for what is there is answered');
  await orca.run(['kill', 'g1']);
  assert.equal((await orca.run(['submit', '--', 'true'])).status, 0, 'there is room again');
});

test('past orca’s own client, and however many ask at once, there are never more', async (t) => {
  const orca = new Orca(t, { ORCA_MAX_QUEUED: '5' });
  await orca.run(['pause']);
  const submit = async (token: string, change: object = {}): Promise<number> => {
    const answer = await ask(orca.state, 'POST', '/api/runs', {
      body: { ...plainSubmission(token, ['true']), ...change },
    });
    await textOf(answer);
    return answer.status;
  };
  assert.equal(await submit('announced', { more: 5 }), 429);
  assert.equal(await queued(orca), 0);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => submit(`token-${index}`)));
  assert.equal(answers.filter((status) => status === 200).length, 5);
  assert.equal(answers.filter((status) => status === 429).length, 15);
  assert.equal(await queued(orca), 5);
  const accepted = answers.indexOf(200);
  assert.equal(await submit(`token-${accepted}`), 200, 'a submission that is sent again has its answer');
  assert.equal(await queued(orca), 5);
});
