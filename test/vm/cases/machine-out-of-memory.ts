import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { RunJson } from '../../../src/wire/api.ts';
import { Orca, program } from '../../e2e/support/orca.ts';
import { until } from '../../e2e/support/until.ts';
import { cgroupOfProcess } from '../support/cgroup.ts';
import { fillMachine } from '../support/fill-machine.ts';
import { eat } from '../support/place.ts';

const mib = 1048576;
const gone = { timeout: 300_000 };

/** Uses little, far below its limit, and stays; a second start of it ends at once. */
const small = (orca: Orca, name: string, ...before: string[]): string[] => {
  const file = join(orca.folder, name);
  return [
    'sh',
    '-c',
    `mkdir '${file}' || exit 0; exec '${eat}' ${before.join(' ')} anon 48M write '${file}/up' 64K hold`,
  ];
};

const killedByMachine = async (orca: Orca, name: string, ...words: string[]): Promise<RunJson> => {
  const run = await orca.submit('--memory', '512MB..2GB', ...words, '--', ...small(orca, name));
  await upIn(orca, name);
  await orca.untilRun(run, ({ starts }) => (starts[0]?.peak_rss_bytes ?? 0) > 32 * mib, 'seen with its memory');
  await fillMachine();
  await orca.run(['wait', String(run)]);
  return orca.status(run);
};

const upIn = (orca: Orca, name: string): Promise<true> =>
  until(() => (existsSync(join(orca.folder, name, 'up')) ? true : null), 'the run holds its memory');

const storyOf = ({ starts }: RunJson): unknown[] =>
  starts.map(({ verdict, evidence, limit_bytes, next_limit_bytes }) => [
    verdict,
    evidence,
    (limit_bytes ?? 0) / mib,
    (next_limit_bytes ?? 0) / mib,
  ]);

describe('a machine that runs out of memory', () => {
  const env = { ORCA_CAPACITY_MB: '6000', ORCA_KILL_GRACE_SECONDS: '1', ORCA_RETRY_DELAY_SECONDS: '0' };

  describe('with cgroups', () => {
    const orca = new Orca({ after }, env);

    test(
      'a run far below its limit is out of memory by the host, raises nothing, and gets the same size where a second start is allowed',
      gone,
      async () => {
        const run = await killedByMachine(orca, 'contained');
        assert.deepEqual(storyOf(run), [
          ['out-of-memory', 'host', 512, 512],
          ['succeeded', null, 512, 0],
        ]);
        assert.match(
          run.starts[0]?.text ?? '',
          /^out of memory at 512 MB: .*below its limit.*is not proved.*same size, 512 MB/,
        );
        assert.equal(run.starts[0]?.signal, 9);
      },
    );

    test('systemd-oomd’s mark on the cgroup and a SIGKILL are out of memory by the host; the mark alone is nothing', async () => {
      for (const [name, signal, verdict, evidence] of [
        ['user.oomd_kill', 'SIGKILL', 'out-of-memory', 'host'],
        ['user.oomd_kill', 'SIGTERM', 'failed', null],
        ['user.other', 'SIGKILL', 'failed', null],
      ] as const) {
        const run = await orca.submit('--memory', '32MB', '--', eat, 'anon', '4M', 'hold');
        const { starts } = await orca.untilRun(run, ({ starts }) => starts[0]?.pid != null, 'known by its pid');
        const pid = starts[0]?.pid ?? assert.fail();
        const folder = join('/sys/fs/cgroup', cgroupOfProcess(pid));
        assert.equal(spawnSync(eat, ['mark', folder, name, '1']).status, 0);
        process.kill(pid, signal);
        await orca.run(['wait', String(run)]);
        const { state, evidence: said, text } = await orca.status(run);
        assert.deepEqual([state, said], [verdict, evidence], `${name} ${signal}: ${text}`);
        if (evidence !== null) assert.match(text ?? '', /systemd-oomd killed it/);
      }
    });
  });

  describe('without cgroups', () => {
    const orca = new Orca({ after }, { ...env, ORCA_CGROUPS: '0' });

    test(
      'the kernel log names the victim, which raises nothing, and gets the same size where a second start is allowed',
      gone,
      async () => {
        const run = await killedByMachine(orca, 'uncontained');
        assert.deepEqual(storyOf(run), [
          ['out-of-memory', 'kernel-log', 512, 512],
          ['succeeded', null, 512, 0],
        ]);
        assert.match(
          run.starts[0]?.text ?? '',
          new RegExp(`killed process ${run.starts[0]?.pid} of it, .*below its limit.*is not proved.*same size, 512 MB`),
        );
      },
    );

    test('a child that the kernel log names counts too, though its parent ends by itself', gone, async () => {
      const run = await orca.submit('--memory', '512MB', '--', ...small(orca, 'child', 'fork', '1'));
      await upIn(orca, 'child');
      await until(async () => ((await orca.status(run)).starts[0]?.pid == null ? null : true), 'known by its pid');
      await fillMachine();
      await orca.run(['wait', String(run)]);
      const { state, evidence, exit_code } = await orca.status(run);
      assert.deepEqual([state, evidence, exit_code], ['out-of-memory', 'kernel-log', 5]);
    });

    test('doctor says which evidence there is', async () => {
      const { stdout } = await orca.run(['doctor']);
      assert.match(stdout, /^ok +evidence +the kernel log can be read/m);
      assert.match(stdout, /^ok +evidence +\/\S+ counts all programs' kills for memory: .*not proved/m);
    });

    test('in a pid namespace the kernel log is not used, and doctor says so', async () => {
      const command = `unshare -p -f --mount-proc '${process.execPath}' '${program}' doctor`;
      const env = { ORCA_HOME: join(orca.folder, 'inside') };
      const { status, stdout, stderr } = await orca.shell(command, { env });
      assert.equal(status, 0, stderr);
      assert.match(stdout, /evidence +the kernel log is not used: orca runs in a pid namespace/);
    });
  });
});
