import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { fetchSecrets, type SecretSources } from '../../../src/secrets/fetch-secrets.ts';
import { faults, modelMissing, readModel } from './aws-model.ts';
import { startSecretsManager, type Answer, type Exchange, type FakeSecretsManager } from './fake-secrets-manager.ts';

const missing = modelMissing(process.env['ORCA_TEST_REQUIRE']);
const value = 'tr0ub4dor&3 "quoted"';

/** The client looks for credentials by itself, in the environment of its process. */
const signedIn = (t: TestContext): void => {
  const mine = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'an-example-key', AWS_REGION: 'eu-west-1' };
  const before = Object.keys(mine).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, mine);
  t.after(() => {
    for (const [name, was] of before) {
      if (was === undefined) delete process.env[name];
      else process.env[name] = was;
    }
  });
};

const sourcesOf = ({ endpoint }: FakeSecretsManager, timeoutMs = 60_000): SecretSources => ({
  command: [],
  endpoint,
  env: { AWS_REGION: 'eu-west-1' },
  kept: new Map(),
  timeoutMs,
});

const fetchOne = async (fake: FakeSecretsManager, id = 'prod/db', timeoutMs?: number): Promise<string> => {
  const secrets = await fetchSecrets({ DB: id }, sourcesOf(fake, timeoutMs), new AbortController().signal);
  return secrets[0]?.value ?? '';
};

const failureOf = async (fetching: Promise<string>): Promise<Error> => {
  try {
    await fetching;
  } catch (error) {
    assert.ok(error instanceof Error);
    return error;
  }
  return assert.fail('it gave a value');
};

const started = (t: TestContext, ...answers: Answer[]): Promise<FakeSecretsManager> => {
  signedIn(t);
  return startSecretsManager(t, { 'prod/db': answers });
};

test('a secret comes through the client as its text, whole', async (t) => {
  assert.equal(await fetchOne(await started(t, { text: `${value}\n\n` })), value);
});

test('a JSON secret is taken as its text, not as its fields', async (t) => {
  const json = '{"username":"ada","password":"x y\\n"}';
  assert.equal(await fetchOne(await started(t, { text: json })), json);
});

test('a binary secret that holds text is that text; any other is refused, and its bytes are in no message', async (t) => {
  const text = Buffer.from('from bytes\n').toString('base64');
  assert.equal(await fetchOne(await started(t, { binary: text })), 'from bytes');
  const bytes = Buffer.from([0xff, 0xfe, 0x41, 0x42]);
  const { message } = await failureOf(fetchOne(await started(t, { binary: bytes.toString('base64') })));
  assert.match(message, /^prod\/db \(for DB\): its value is binary, which no variable can hold/);
});

test('a throttled request is tried again by the client, and the secret comes', async (t) => {
  const throttled: Answer = { error: 'ThrottlingException', status: 400, message: 'Rate exceeded' };
  const fake = await started(t, throttled, throttled, { text: value });
  assert.equal(await fetchOne(fake), value);
  assert.equal(fake.exchanges.length, 3);
});

test('throttling without end is told as such after three tries', async (t) => {
  const fake = await started(t, { error: 'ThrottlingException', status: 400, message: 'Rate exceeded' });
  const { message } = await failureOf(fetchOne(fake));
  assert.equal(message, 'prod/db (for DB): Secrets Manager did not give it: ThrottlingException: Rate exceeded');
  assert.equal(fake.exchanges.length, 3);
});

test('expired credentials and a secret that is not there are told by name, in the words of the service', async (t) => {
  const expired: Answer = {
    error: 'ExpiredTokenException',
    status: 400,
    message: 'The security token included in the request is expired',
  };
  const { message } = await failureOf(fetchOne(await started(t, expired)));
  assert.match(message, /ExpiredTokenException: The security token included in the request is expired$/);
  const { message: absent } = await failureOf(fetchOne(await started(t, { text: value }), 'prod/other'));
  assert.match(
    absent,
    /^prod\/other \(for DB\): .*ResourceNotFoundException: Secrets Manager can't find the specified secret\.$/,
  );
});

test('a service that hangs for 5 s is waited for, and one that hangs for longer than allowed is not', async (t) => {
  const hanging: Answer = { afterMs: 5000, answer: { text: value } };
  assert.equal(await fetchOne(await started(t, hanging)), value);
  const { message } = await failureOf(fetchOne(await started(t, hanging), 'prod/db', 300));
  assert.equal(message, 'prod/db (for DB): it did not come within 0.3 s');
});

test('an answer that cannot be read fails without a word of it', async (t) => {
  const fake = await started(t, { garbage: `{"SecretString":"${value}` });
  const failure = await failureOf(fetchOne(fake));
  assert.match(failure.message, /^prod\/db \(for DB\): Secrets Manager did not give it: \w+$/);
  assert.equal(failure.cause, undefined);
});

test('without credentials the client says so', async (t) => {
  const fake = await started(t, { text: value });
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) delete process.env[name];
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true';
  t.after(() => delete process.env['AWS_EC2_METADATA_DISABLED']);
  const { message } = await failureOf(fetchOne(fake));
  assert.match(message, /CredentialsProviderError: Could not load credentials/);
});

test('without a region the text says where one is set', async (t) => {
  signedIn(t);
  delete process.env['AWS_REGION'];
  Object.assign(process.env, { AWS_CONFIG_FILE: '/dev/null' });
  t.after(() => delete process.env['AWS_CONFIG_FILE']);
  const nowhere = { command: [], endpoint: '', env: {}, kept: new Map<string, string>(), timeoutMs: 60_000 };
  await assert.rejects(fetchSecrets({ DB: 'prod/db' }, nowhere, new AbortController().signal), {
    message:
      'prod/db (for DB): Secrets Manager did not give it: no region is set: give the daemon AWS_REGION, or name it by its ARN',
  });
});

test('an ARN says in which region it is asked for', async (t) => {
  const fake = await started(t, { text: value });
  const arn = 'arn:aws:secretsmanager:ap-south-1:123456789012:secret:prod/db-a1b2c3';
  await failureOf(fetchOne(fake, arn));
  assert.match(fake.exchanges[0]?.headers.authorization ?? '', /\/ap-south-1\/secretsmanager\/aws4_request/);
});

test("requests and answers are those of AWS's own model", { skip: missing ?? false }, async (t) => {
  const model = readModel();
  const operation = model.operations['GetSecretValue'];
  assert.ok(operation !== undefined);
  const fake = await started(
    t,
    { error: 'InternalServiceError', status: 500, message: 'try again' },
    { text: value },
    { binary: Buffer.from('x').toString('base64') },
  );
  await fetchOne(fake);
  await fetchOne(fake);
  await failureOf(fetchOne(fake, 'prod/other'));
  for (const { method, url, headers, body, answer } of fake.exchanges) {
    assert.deepEqual([method, url], [operation.http.method, operation.http.requestUri]);
    assert.equal(headers['content-type'], `application/x-amz-json-${model.metadata.jsonVersion}`);
    assert.equal(headers['x-amz-target'], `${model.metadata.targetPrefix}.GetSecretValue`);
    assert.match(
      headers.authorization ?? '',
      new RegExp(`^AWS4-HMAC-SHA256 .*/eu-west-1/${model.metadata.signingName}/aws4_request`),
    );
    assert.deepEqual(faults(model, operation.input.shape, JSON.parse(body)), []);
    assert.deepEqual(answerFaults(answer), []);
  }
  assert.equal(fake.exchanges.length, 4);

  function answerFaults(answer: Exchange['answer']): string[] {
    if (answer === null) return ['it has none'];
    if (answer.status === 200) return faults(model, operation?.output.shape ?? '', answer.body);
    const { __type: name, ...rest } = answer.body as { __type: string };
    const known = operation?.errors.some(({ shape }) => shape === name) ?? false;
    return known ? faults(model, name, rest) : [`${name}: no error of this operation`];
  }
});

test('what the model does not have is found', { skip: missing ?? false }, () => {
  const model = readModel();
  assert.deepEqual(faults(model, 'GetSecretValueRequest', { SecretIds: 'x' }), [
    'GetSecretValueRequest.SecretId: missing',
    'GetSecretValueRequest.SecretIds: not in the model',
  ]);
  assert.deepEqual(faults(model, 'GetSecretValueResponse', { SecretBinary: 'no base64!', ARN: 'short' }), [
    'GetSecretValueResponse.SecretBinary: no base64',
    'GetSecretValueResponse.ARN: 5 is not from 20 to 2048',
  ]);
});
