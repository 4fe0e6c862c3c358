import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { SampleLine } from '../../src/sample/sample-line.ts';
import { program } from './support/orca.ts';
import { bucket, freePort, startS3 } from './support/s3.ts';
import { linesOf, Samplers } from './support/sampler.ts';
import { until } from './support/until.ts';

const key = 'logs/etl/7/metrics/local.jsonl';
const out = `s3://${bucket}/${key}`;

const stage = (samplers: Samplers): string => {
  const folder = samplers.path('orca-logs');
  const [name = ''] = readdirSync(folder);
  return join(folder, name);
};

/** The lines in the staging file. */
const staged = (samplers: Samplers): SampleLine[] => linesOf(readFileSync(stage(samplers), 'utf8'));

test('an object has the first line at once, all lines at the end, and the same ones lie in the staging file', async (t) => {
  const samplers = new Samplers(t);
  const s3 = await startS3(t);
  const { ended } = samplers.start(['--out', out, '--seconds', '0.1', '--until', 'over'], s3.env);
  await until(() => (s3.object(key) === null ? null : true), 'the first upload');
  writeFileSync(samplers.path('over'), '');
  const { status, stderr } = await ended;
  assert.deepEqual([status, stderr], [0, '']);
  const text = s3.object(key) ?? '';
  assert.ok(linesOf(text).length >= 2);
  assert.deepEqual(linesOf(text), staged(samplers));
  assert.equal(statSync(samplers.path('orca-logs')).mode & 0o777, 0o700);
  assert.equal(statSync(stage(samplers)).mode & 0o777, 0o600);
});

test('new lines are uploaded at their interval while the sampler goes on', async (t) => {
  const samplers = new Samplers(t);
  const s3 = await startS3(t);
  const often = { ...s3.env, ORCA_SAMPLE_UPLOAD_SECONDS: '0.3' };
  const { child } = samplers.start(['--out', out, '--seconds', '0.1'], often);
  await until(() => (linesOf(s3.object(key) ?? '').length >= 6 ? true : null), 'several uploads');
  assert.equal(child.exitCode, null);
});

test('another sampler of the same location adds to the object, it does not begin anew', async (t) => {
  const samplers = new Samplers(t);
  const s3 = await startS3(t);
  for (const lines of [1, 2]) {
    assert.equal((await samplers.run(['--out', out, '--count', '1'], s3.env)).status, 0);
    assert.equal(linesOf(s3.object(key) ?? '').length, lines);
  }
});

test('a storage that does not answer is told once, keeps the lines here, and gets them when it is back', async (t) => {
  const samplers = new Samplers(t);
  const port = await freePort();
  const env = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
    ORCA_SAMPLE_UPLOAD_SECONDS: '0.2',
  };
  const { ended, child } = samplers.start(['--out', out, '--seconds', '0.1', '--until', 'over'], env);
  let said = '';
  child.stderr?.on('data', (part: Buffer) => (said += part.toString()));
  await until(() => (said.includes('could not be uploaded') ? true : null), 'it is told');
  const s3 = await startS3(t, port);
  await until(() => (s3.object(key) === null ? null : true), 'the lines are there');
  writeFileSync(samplers.path('over'), '');
  const { status, stderr } = await ended;
  assert.equal(status, 0);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  assert.deepEqual(linesOf(s3.object(key) ?? ''), staged(samplers));
});

test('a staging folder that is open to others is not used, and the sampler still ends well', async (t) => {
  const samplers = new Samplers(t);
  const s3 = await startS3(t);
  mkdirSync(samplers.path('orca-logs'));
  chmodSync(samplers.path('orca-logs'), 0o777);
  const { status, stderr } = await samplers.run(['--out', out, '--seconds', '0.1', '--count', '3'], s3.env);
  assert.equal(status, 0);
  assert.match(stderr, /^orca: a sample could not be written to its staging file: .* is open to other users[^\n]*\n$/);
  assert.deepEqual(readdirSync(samplers.path('orca-logs')), []);
});

test('without the client of the storage one message says what to install, and the lines are kept here', async (t) => {
  const samplers = new Samplers(t);
  // A build away from any packages, as that of a tarball is.
  cpSync(realpathSync(dirname(program)), samplers.path('alone'), { recursive: true });
  const args = [samplers.path('alone/main.js'), 'sample', '--out', out, '--seconds', '0.1', '--count', '3'];
  const env = { HOME: samplers.folder, TMPDIR: samplers.folder };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', cwd: samplers.folder });
  assert.equal(status, 0);
  assert.match(stderr, /^orca: samples could not be uploaded to [^\n]*npm install -g @aws-sdk\/client-s3[^\n]*\n$/);
  assert.equal(linesOf(readFileSync(stage(samplers), 'utf8')).length, 3);
});
