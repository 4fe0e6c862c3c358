import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { RunJson } from '../../../src/wire/api.ts';
import { Orca } from '../../e2e/support/orca.ts';
import { until } from '../../e2e/support/until.ts';
import { cgroupOfProcess, countIn } from '../support/cgroup.ts';
import { duringStorm } from '../support/during-storm.ts';
import { eat } from '../support/place.ts';

const mib = 1048576;
const storyOf = ({ starts }: RunJson): unknown[] =>
  starts.map(({ verdict, evidence, limit_bytes, next_limit_bytes }) => [
    verdict,
    evidence,
    (limit_bytes ?? 0) / mib,
    (next_limit_bytes ?? 0) / mib,
  ]);

describe('what is only reported', () => {
  const orca = new Orca({ after }, { ORCA_CGROUPS: '0', ORCA_KILL_GRACE_SECONDS: '1', ORCA_RETRY_DELAY_SECONDS: '0' });

  /** Its first start stays, and gets its signal while others die for memory; a second one ends at once. */
  const signalledInStorm = async (signal: 'SIGKILL' | 'SIGTERM', ...options: string[]): Promise<RunJson> => {
    const once = join(orca.folder, `once-${options.length}-${signal}`);
    const words = ['sh', '-c', `mkdir '${once}' || exit 0; exec '${eat}' anon 4M hold`];
    const run = await orca.submit('--memory', '32MB..96MB', ...options, '--', ...words);
    const { starts } = await orca.untilRun(run, ({ state }) => state === 'running', 'running');
    await duringStorm(() => void process.kill(starts[0]?.pid ?? 0, signal));
    await orca.run(['wait', String(run)]);
    return orca.status(run);
  };

  test('a SIGKILL while the shared counter rose is reported, raises nothing and is not tried again by itself', async () => {
    const run = await signalledInStorm('SIGKILL');
    assert.deepEqual(storyOf(run), [['out-of-memory', 'shared-counter', 32, 0]]);
    assert.match(
      run.text ?? '',
      /as reported, not proved: .*\S+ rose by .*the kernel log names no process of it\..*`--oom-retry=reported`/,
    );
  });

  test('with --oom-retry reported it is tried again, at the same size', async () => {
    assert.deepEqual(storyOf(await signalledInStorm('SIGKILL', '--oom-retry', 'reported')), [
      ['out-of-memory', 'shared-counter', 32, 32],
      ['succeeded', null, 32, 0],
    ]);
  });

  test('another signal while the shared counter rose is a failure', async () => {
    assert.deepEqual(storyOf(await signalledInStorm('SIGTERM', '--oom-retry', 'reported')), [['failed', null, 32, 0]]);
  });
});

describe('without the group kill', () => {
  const orca = new Orca({ after }, { ORCA_OOM_GROUP: '0', ORCA_RUN_MEMORY_MARGIN: '1' });

  test('a child that dies for memory, its parent ending well, is a success with a warning', async () => {
    const run = await orca.submit('--memory', '24MB..96MB', '--', 'sh', '-c', `'${eat}' anon 64M; exit 0`);
    await orca.run(['wait', String(run)]);
    const found = await orca.status(run);
    assert.deepEqual(storyOf(found), [['succeeded', null, 24, 0]]);
    assert.match(found.starts[0]?.text ?? '', /the kernel killed \d+ process(es)? of it for memory/);
  });

  test('a person’s kill while children die for memory one after the other is killed', async () => {
    const storm = `while :; do '${eat}' anon 64M; done`;
    const run = await orca.submit('--memory', '24MB..96MB', '--retries', '3', '--', 'sh', '-c', storm);
    const { starts } = await orca.untilRun(run, ({ state }) => state === 'running', 'running');
    const events = join('/sys/fs/cgroup', cgroupOfProcess(starts[0]?.pid ?? 0), 'memory.events');
    const kills = (): number => countIn(readFileSync(events, 'utf8'), 'oom_kill');
    await until(() => (kills() >= 2 ? true : null), 'two children have died for memory');
    await orca.run(['kill', String(run)]);
    await orca.run(['wait', String(run)]);
    assert.deepEqual(storyOf(await orca.status(run)), [['killed', 'user-kill', 24, 0]]);
  });
});
