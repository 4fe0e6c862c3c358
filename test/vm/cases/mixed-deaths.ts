import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { Orca } from '../../e2e/support/orca.ts';
import { randomFrom } from '../../e2e/support/random.ts';
import { until } from '../../e2e/support/until.ts';
import { bringAbout } from '../support/bring-about.ts';
import { drawDeaths, isAlone, type DaemonName } from '../support/deaths.ts';
import { baseCgroup } from '../support/place.ts';
import { verdictTable, wrongIn } from '../support/verdict-table.ts';

const seed = Number(process.env['ORCA_TEST_SEED'] ?? 20261130);
/** 150 is the long form. */
const count = Number(process.env['ORCA_TEST_DEATHS'] ?? 40);

describe('mixed deaths', () => {
  const orca = (env: NodeJS.ProcessEnv): Orca =>
    new Orca({ after }, { ORCA_RUN_MEMORY_HELD_SECONDS: '3', ORCA_KILL_GRACE_SECONDS: '1', ...env });
  // Under a wide margin a run creeps on for most of a minute and is held; past a narrow one the kernel kills it at once.
  const orcas: Readonly<Record<DaemonName, Orca>> = {
    narrow: orca({ ORCA_CAPACITY_CPUS: '6', ORCA_RUN_MEMORY_MARGIN: '1' }),
    wide: orca({ ORCA_CAPACITY_CPUS: '6', ORCA_RUN_MEMORY_MARGIN: '25' }),
    alone: orca({ ORCA_CAPACITY_CPUS: '2', ORCA_RUN_MEMORY_MARGIN: '1', ORCA_OOM_GROUP: '0' }),
  };

  test('every verdict is the truth, and nothing is left', { timeout: 680_000 }, async () => {
    const deaths = drawDeaths(count, randomFrom(seed));
    const begun = Date.now();
    const seen = await Promise.all(
      Object.entries(orcas).map(async ([name, each]) => {
        const { status, stderr } = await each.run(['up']);
        assert.equal(status, 0, stderr);
        return bringAbout(
          each,
          'together',
          deaths.filter((death) => death.daemon === name && !isAlone(death)),
        );
      }),
    );
    const all = seen.flat();
    for (const [index, death] of deaths.filter(isAlone).entries())
      all.push(...(await bringAbout(orcas[death.daemon], `alone-${index}`, [death])));
    console.log(`seed ${seed}, ${Math.round((Date.now() - begun) / 1000)} s\n${verdictTable(all)}`);
    assert.deepEqual(
      all.map(wrongIn).filter((wrong) => wrong !== null),
      [],
    );
    assert.equal(all.length, count);
    const left = (): string[] =>
      readdirSync(baseCgroup, { recursive: true, encoding: 'utf8' }).filter((path) => /orca-run-\d/.test(path));
    await until(() => (left().length === 0 ? true : null), 'no cgroup of a run is left');
  });
});
