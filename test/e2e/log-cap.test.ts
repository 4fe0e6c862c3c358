import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Orca } from './support/orca.ts';
import { until } from './support/until.ts';

const mb = 1048576;
const line = 'a line of the log that is neither long nor short, and says little';
const loud = (size: string): string => `yes '${line}' | head -c ${size}; echo; echo the end`;
const comes = (is: () => boolean, what: string): Promise<true> => until(() => (is() ? true : null), what, 60_000);
const said = /\norca: .* are not kept here, from byte \d+ to byte \d+ \(ORCA_LOG_MAX_MB\)\n/;

test('a log of 400 MB stays under its cap with both ends kept, while the run goes on and afterwards, and the run is not slowed to a stop', async (t) => {
  const orca = new Orca(t);
  const log = join(orca.state, 'logs', '_command', '1', '1.stdout');
  const run = await orca.submit(
    '--',
    'bash',
    '-c',
    `echo the beginning; ${loud('400M')}; until [ -e go ]; do sleep 0.05; done`,
  );
  assert.equal(run, 1);
  await comes(() => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 400 * mb, 'it has written');
  await comes(() => statSync(log).blocks * 512 <= 65 * mb, 'its middle is given back');
  const during = await orca.run(['logs', '1', '--stdout']);
  assert.ok(during.stdout.startsWith(`the beginning\n${line}\n`) && during.stdout.endsWith('\nthe end\n'));
  assert.match(during.stdout, said);
  assert.ok(!during.stdout.includes('\0'));
  assert.equal((await orca.run(['logs', '1', '--stdout', '--tail', '1'])).stdout, 'the end\n');
  await orca.shell('touch go');
  await orca.run(['wait', '1']);
  await comes(() => statSync(log).size <= 64 * mb, 'the file is under its cap');
  const text = readFileSync(log, 'utf8');
  assert.ok(text.length > 40 * mb && text.startsWith('the beginning\n') && text.endsWith('\nthe end\n'));
  assert.match(text, said);
  assert.equal((await orca.run(['logs', '1', '--stdout'])).stdout, text);
  assert.equal((await orca.run(['logs', '1', '-f', '--stdout'])).stdout, text);
});

test('the sh keeper’s logs are cut when the start is over; ORCA_LOG_MAX_MB is the run’s, and 0 is no cap', async (t) => {
  const orca = new Orca(t, { ORCA_KEEPER: 'sh' });
  const submit = async (max: string): Promise<string> => {
    const { stdout } = await orca.run(['submit', '--', 'bash', '-c', loud('3M')], { env: { ORCA_LOG_MAX_MB: max } });
    await orca.run(['wait', stdout.trim()]);
    return join(orca.state, 'logs', '_command', stdout.trim(), '1.stdout');
  };
  const capped = await submit('1');
  await comes(() => statSync(capped).size <= mb, 'it is cut');
  assert.match(readFileSync(capped, 'utf8'), said);
  assert.ok(statSync(await submit('0')).size > 3 * mb);
});

test('orca run passes the whole output on to a file or a pipe, whatever the cap', async (t) => {
  const orca = new Orca(t);
  const env = { ORCA_LOG_MAX_MB: '1' };
  const { stdout } = await orca.run(['run', '--', 'bash', '-c', loud('5M')], { env });
  assert.ok(stdout.length > 5 * mb && !said.test(stdout));
});
