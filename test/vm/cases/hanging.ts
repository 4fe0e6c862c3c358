import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { realCgroupFs } from '../../../src/containment/cgroup-fs.ts';
import { held } from '../../../src/containment/held.ts';
import { readCurrent, readEvents, readPressure } from '../../../src/containment/read.ts';
import type { RunJson, StartJson } from '../../../src/wire/api.ts';
import { Orca } from '../../e2e/support/orca.ts';
import { plainSubmission } from '../../e2e/support/plain-submission.ts';
import { until } from '../../native/support/until.ts';
import { PatientClient } from '../support/patient-client.ts';
import { baseCgroup, eat } from '../support/place.ts';

const heldSeconds = 3;
const limitBytes = 64 << 20;

interface Looks {
  /** Wall clock, ms, of the first look that found it at its limit. */
  readonly atLimit: number | null;
  /** The same of the look since which every one found it held. */
  readonly held: number | null;
  /** Kills for memory at the last look. */
  readonly oomKill: bigint;
}

/** Looks at a cgroup as orca does, but by itself, until it is gone. */
const watch = async (path: string): Promise<Looks> => {
  let looks: Looks = { atLimit: null, held: null, oomKill: 0n };
  while (existsSync(path)) {
    const now = Date.now();
    const current = readCurrent(realCgroupFs, path);
    if (current === null) break;
    const events = readEvents(realCgroupFs, path);
    const pressure = readPressure(realCgroupFs, path)?.fullAvg10 ?? null;
    // Once it is being ended its memory goes first: what is at its limit no more was held until then.
    const isHeld = held(current, limitBytes, pressure);
    const ending = looks.held !== null && now - looks.held >= heldSeconds * 1000;
    looks = {
      atLimit: looks.atLimit ?? (current >= limitBytes * 0.95 ? now : null),
      held: isHeld ? (looks.held ?? now) : ending ? looks.held : null,
      oomKill: events?.oomKill ?? looks.oomKill,
    };
    await pause(100);
  }
  return looks;
};

describe('runs that the kernel would leave hanging at their limits', { timeout: 300_000 }, () => {
  const orca = new Orca({ after }, { ORCA_RUN_MEMORY_HELD_SECONDS: String(heldSeconds), ORCA_RUN_MEMORY_MARGIN: '25' });
  const client = new PatientClient(orca.state);
  const memory = { min_bytes: limitBytes, max_bytes: limitBytes };

  const pathOf = async (run: number): Promise<string> => {
    const find = (): string | undefined =>
      readdirSync(baseCgroup, { recursive: true, encoding: 'utf8' }).find((path) =>
        basename(path).startsWith(`orca-run-${run}-1-`),
      );
    return join(baseCgroup, await until(`the cgroup of run ${run}`, find, 30_000));
  };

  test('one process that allocates, and four, are ended as held within the set time and 5 s of the look that finds them so', async (t) => {
    await orca.run(['up']);
    const kinds = { one: ['anon', '1G'], four: ['fork', '4', 'anon', '1G'] };
    for (const [name, words] of Object.entries(kinds)) {
      const run = await client.submit({ ...plainSubmission(name, [eat, ...words]), memory });
      const seen: RunJson[] = [];
      const [looks] = await Promise.all([watch(await pathOf(run)), client.watch([run], (told) => seen.push(told))]);
      const start: StartJson | undefined = seen.at(-1)?.starts[0];
      assert.deepEqual([start?.verdict, start?.evidence], ['out-of-memory', 'held'], start?.text ?? '');
      assert.equal(looks.oomKill, 0n, 'the kernel itself killed nobody');
      assert.match(start?.text ?? '', /^out of memory at 64 MB: .*all of it waiting for memory \d+ % of the last 10 s/);
      assert.ok(looks.held !== null && looks.atLimit !== null && start !== undefined);
      const seconds = ((start.ended_at ?? Infinity) - looks.held) / 1000;
      const sinceLimit = ((start.ended_at ?? Infinity) - looks.atLimit) / 1000;
      t.diagnostic(
        `${name}: ended ${seconds.toFixed(1)} s after it was found held, ${sinceLimit.toFixed(1)} s after the limit`,
      );
      assert.ok(seconds <= heldSeconds + 5, `${name}: ended ${seconds} s after it was found held`);
      assert.ok(seconds >= heldSeconds - 0.5, `${name}: ended already after ${seconds} s`);
    }
  });

  test('their stall times are kept in ms, as they were at the end', () => {
    const store = new DatabaseSync(join(orca.state, 'orca.db'), { readOnly: true });
    const rows = store.prepare('select memory_stall_ms, memory_stall_full_ms from attempts').all();
    store.close();
    assert.equal(rows.length, 2);
    for (const { memory_stall_ms, memory_stall_full_ms } of rows) {
      const [some, full] = [Number(memory_stall_ms), Number(memory_stall_full_ms)];
      // Held for 3 s, most of it and the seconds before waiting; µs would be over a million.
      assert.ok(full >= heldSeconds * 500 && some >= full && some < 300_000, `${some} ms, all of it ${full} ms`);
    }
  });
});
