import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { Orca } from '../../e2e/support/orca.ts';
import { linesOf } from '../../e2e/support/sampler.ts';
import { until } from '../../e2e/support/until.ts';
import { eat } from '../support/place.ts';

const mib = 1048576;

describe('orca sample', () => {
  const orca = new Orca({ after });

  test("tells a run's own cgroup, its memory by processes, and the machine's pressure", async () => {
    const [go, filled] = [`${orca.folder}/go`, `${orca.folder}/filled`];
    const words = ['--memory', '64MB', '--', 'sh', '-c', `${eat} anon 24M wait ${go} & touch ${filled}; wait`];
    const run = await orca.submit(...words);
    const { starts } = await orca.untilRun(run, ({ state }) => state === 'running', 'running');
    const pid = String(starts[0]?.pid ?? 0);
    await until(() => (existsSync(filled) ? true : null), 'the command is at work');
    const line = await until(async () => {
      const { stdout } = await orca.run(['sample', '--out', '-', '--count', '1', '--pid', pid]);
      const [one] = linesOf(stdout);
      return one !== undefined && one.mem.rss >= 24 * mib ? one : null;
    }, 'the memory is there');
    writeFileSync(go, '');
    await orca.run(['wait', String(run)]);
    assert.equal(line.cgroup?.limit, 64 * mib);
    assert.ok(
      (line.cgroup?.current ?? 0) >= 24 * mib && (line.cgroup?.current ?? 0) <= 64 * mib,
      JSON.stringify(line.cgroup),
    );
    assert.equal(typeof line.cgroup?.full, 'number');
    assert.equal(typeof line.psi?.memory.full, 'number');
    assert.ok(line.mem.rss < 64 * mib, String(line.mem.rss));
  });
});
