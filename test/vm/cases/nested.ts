import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { RunJson } from '../../../src/wire/api.ts';
import { Orca, program } from '../../e2e/support/orca.ts';
import { until } from '../../e2e/support/until.ts';
import { cgroupOfProcess } from '../support/cgroup.ts';
import { eat } from '../support/place.ts';

describe('a run inside a run', { timeout: 300_000 }, () => {
  // With a narrow margin the kernel kills soon; else the parent would be held for long.
  const orca = new Orca({ after }, { ORCA_KILL_GRACE_SECONDS: '1', ORCA_RUN_MEMORY_MARGIN: '2' });
  // What a run calls as `orca`.
  const inner = join(orca.folder, 'inner');
  writeFileSync(inner, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
  const file = (name: string): string => join(orca.folder, name);
  const named = (name: string): Promise<RunJson> =>
    until(async () => {
      const { stdout } = await orca.run(['list', '--all', '--json']);
      const { runs } = JSON.parse(stdout) as { runs: RunJson[] };
      const id = runs.find((run) => run.name === name)?.id;
      return id === undefined ? null : orca.status(id);
    }, `run ${name} is there`);
  const pidOf = async (run: number): Promise<number> =>
    (await orca.untilRun(run, ({ state }) => state === 'running', 'running')).starts[0]?.pid ?? 0;

  test('is in its parent’s cgroup and has none of its own; its end takes nothing of its parent’s with it', async () => {
    const script = `${inner} run --name child --memory 100MB -- ${eat} anon 8M wait ${file('go')} exit 4; test $? = 4 && exec ${eat} anon 1M exit 6`;
    const parent = await orca.submit('--memory', '250MB', '--', 'sh', '-c', script);
    const child = await named('child');
    const pid = await pidOf(child.id);
    const place = cgroupOfProcess(await pidOf(parent));
    assert.match(place, new RegExp(`/orca-run-${parent}-1-\\d+$`));
    assert.equal(cgroupOfProcess(pid), place);
    assert.equal(child.inside, parent);
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    assert.ok(variables.includes(`ORCA_CGROUP=/sys/fs/cgroup${place}`), 'its environment names that cgroup');
    writeFileSync(file('go'), '');
    assert.equal((await orca.run(['wait', String(parent)])).status, 6);
    const { state, exit_code, starts } = await orca.status(child.id);
    assert.deepEqual([state, exit_code, starts[0]?.kernel_peak_bytes], ['failed', 4, null]);
  });

  test('dies with its parent’s cgroup when that runs out, and says so', async () => {
    const words = `${eat} anon 8M say up hold`;
    const script = `${inner} run --name doomed --memory 32MB..100MB --live -- ${words} & until [ -e ${file('now')} ]; do sleep 0.1; done; exec ${eat} fork 4 anon 400M`;
    const parent = await orca.submit('--memory', '200MB', '--', 'sh', '-c', script);
    const { id } = await named('doomed');
    await pidOf(id);
    writeFileSync(file('now'), '');
    await orca.run(['wait', String(parent)], { withinMs: 150_000 });
    const { state, evidence } = await orca.status(parent);
    assert.deepEqual([state, evidence], ['out-of-memory', 'own-cgroup']);
    await orca.run(['wait', String(id)]);
    const doomed = await orca.status(id);
    assert.deepEqual([doomed.state, doomed.evidence, doomed.starts_count], ['out-of-memory', 'parent-cgroup', 1]);
    assert.match(doomed.text ?? '', new RegExp(`^out of memory with run ${parent}, inside which it ran`));
  });

  test('ends with its parent that ends well', async () => {
    const script = `${inner} run --name rest -- ${eat} hold & until [ -e ${file('over')} ]; do sleep 0.1; done`;
    const parent = await orca.submit('--memory', '200MB', '--', 'sh', '-c', script);
    const { id } = await named('rest');
    await pidOf(id);
    writeFileSync(file('over'), '');
    await orca.run(['wait', String(parent), String(id)]);
    assert.equal((await orca.status(parent)).state, 'succeeded');
    const { state, text } = await orca.status(id);
    assert.equal(state, 'killed', text ?? '');
    assert.match(text ?? '', new RegExp(`run ${parent}, inside which it ran`));
  });
});
