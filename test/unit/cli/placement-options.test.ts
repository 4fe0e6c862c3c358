import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placementFields, withoutSecretVariables, withSecretVariables } from '../../../src/cli/placement-options.ts';
import { OrcaError } from '../../../src/errors/orca-error.ts';

const fields = (options: Parameters<typeof placementFields>[0]): unknown =>
  placementFields(options, (path) => (path.startsWith('/') ? path : `/here/${path}`));

const refused = (options: Parameters<typeof placementFields>[0]): string => {
  try {
    fields(options);
  } catch (error) {
    assert.ok(error instanceof OrcaError && error.exitStatus === 120);
    return error.message;
  }
  return assert.fail('it was taken');
};

test('a placement is sent as it is stored: null for default; nothing is sent when nothing was typed', () => {
  assert.deepEqual(fields({}), {});
  assert.deepEqual(fields({ placement: 'default' }), { placement: null });
  assert.deepEqual(fields({ placement: 'worker:gpu' }), { placement: 'worker:gpu' });
  assert.equal(
    refused({ placement: 'worker:Gpu' }),
    "--placement worker:Gpu is refused: a pool's name has 1 to 32 characters of a-z, 0-9, - and _.",
  );
  assert.match(refused({ placement: 'here' }), /it is one of default, control, worker:<pool>, ec2, slurm, kube/);
});

test('secrets are sent as ids by their variables, a file with its whole path', () => {
  assert.deepEqual(fields({ secret: ['DB=prod/db', 'KEY=file:a=b', 'T=env:TOKEN', 'ARN=arn:aws:x:y=z'] }), {
    secrets: { DB: 'prod/db', KEY: 'file:/here/a=b', T: 'env:TOKEN', ARN: 'arn:aws:x:y=z' },
  });
});

test('what can be no secret is refused, and no word after the = is repeated: it may be the secret itself', () => {
  for (const [value, why] of [
    ['hunter2', 'it has no NAME before a ='],
    ['=hunter2', 'it has no NAME before a ='],
    ['2DB=hunter2', 'does not begin with a digit'],
    ['ORCA_START=hunter2', "orca's own"],
    ['DB=', 'it does not say where the secret is kept'],
    ['DB=-hunter2', 'would be read as an option'],
    ['DB=file:', 'not absolute'],
  ] as const) {
    const message = refused({ secret: [value] });
    assert.ok(message.includes(why), message);
    assert.ok(!message.includes('hunter2'), message);
  }
  assert.match(refused({ secret: ['DB=a', 'DB=b'] }), /that variable has a secret already/);
  assert.match(refused({ secret: ['DB=a'], env: ['A=1', 'DB=b'] }), /that variable is set with --env as well/);
});

test('the variables that env:NAME names are sent whatever else is left out', () => {
  const all = { TOKEN: 't0p', OTHER: 'x' };
  assert.deepEqual(withSecretVariables({}, all, { A: 'env:TOKEN', B: 'env:NONE', C: 'prod/db' }), { TOKEN: 't0p' });
  assert.deepEqual(withSecretVariables({ TOKEN: 'by --env' }, all, { A: 'env:TOKEN' }), { TOKEN: 'by --env' });
});

test('a daemon is started without them, and with what another secret goes into', () => {
  const env = { TOKEN: 't0p', AWS_REGION: 'eu-west-1', DB: 'x' };
  assert.deepEqual(withoutSecretVariables(env, { A: 'env:TOKEN', DB: 'prod/db' }), {
    AWS_REGION: 'eu-west-1',
    DB: 'x',
  });
  assert.deepEqual(withoutSecretVariables(env), env);
});
