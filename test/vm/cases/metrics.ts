import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import type { MachineJson } from '../../../src/wire/api.ts';
import { Orca } from '../../e2e/support/orca.ts';
import { linesOf } from '../../e2e/support/sampler.ts';
import { until } from '../../e2e/support/until.ts';
import { eat } from '../support/place.ts';

const mib = 1048576;

describe("the daemon's own samples", () => {
  const orca = new Orca({ after }, { ORCA_SAMPLE_SECONDS: '1' });

  test("tell a contained run's own cgroup; orca top and orca metrics show it", async () => {
    const go = `${orca.folder}/go`;
    const run = await orca.submit('--memory', '64MB', '--', eat, 'anon', '24M', 'wait', go);
    const file = `${orca.state}/logs/_command/${run}/metrics/local.jsonl`;
    const line = await until(() => {
      const lines = existsSync(file) ? linesOf(readFileSync(file, 'utf8')) : [];
      return lines.find(({ mem }) => mem.rss >= 24 * mib) ?? null;
    }, 'the memory is in the samples');
    assert.equal(line.cgroup?.limit, 64 * mib);
    assert.ok((line.cgroup?.current ?? 0) >= 24 * mib, JSON.stringify(line.cgroup));
    assert.equal(typeof line.cgroup?.full, 'number');
    // Looked at every 5 s.
    const [seen] = await until(async () => {
      const { machine } = JSON.parse((await orca.run(['top', '--json'])).stdout) as { machine: MachineJson };
      return (machine.running[0]?.cgroup_bytes ?? 0) >= 24 * mib ? machine.running : null;
    }, 'orca top has its cgroup');
    assert.deepEqual([seen?.id, seen?.limit_bytes, typeof seen?.stall_percent], [run, 64 * mib, 'number']);
    writeFileSync(go, '');
    await orca.run(['wait', String(run)]);
    const { stdout } = await orca.run(['metrics', String(run)]);
    assert.match(stdout, /^memory +limit 64 MB, .*MB with page cache$/m);
    assert.match(stdout, /^ +64 MB │─+$/m);
  });
});
