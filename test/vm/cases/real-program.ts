import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, mkdtempSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { randomFrom } from '../../e2e/support/random.ts';
import { Orca } from '../../e2e/support/orca.ts';
import { cgroupOfProcess, countIn } from '../support/cgroup.ts';
import { diskFolder, eat } from '../support/place.ts';

const lineCount = 82_000;
const filler = '.'.repeat(900);

describe('a real program that needs more than it asked for', () => {
  // What is written to a tmpfs, where the logs would be else, counts as the run's memory.
  const orca = new Orca({ after }, { ORCA_RUN_MEMORY_MARGIN: '10' }, mkdtempSync(join(diskFolder, 'orca-')));

  test(
    'sort is killed at its own limit, gets more, and sorts the whole file; a neighbour never notices',
    { timeout: 400_000 },
    async () => {
      const keys = writeLines(join(orca.folder, 'unsorted'));
      const go = join(orca.folder, 'go');
      const neighbour = await orca.submit('--memory', '24MB', '--', eat, 'anon', '16M', 'wait', go, 'say', 'unhurt');
      const { starts } = await orca.untilRun(neighbour, ({ state }) => state === 'running', 'running');
      const beside = join('/sys/fs/cgroup', cgroupOfProcess(starts[0]?.pid ?? 0));

      const { status, stderr } = await orca.shell(
        'orca run --name sorting --memory 64MB..512MB --env LC_ALL=C -- sort -S 400M unsorted >sorted',
        { withinMs: 300_000 },
      );
      assert.equal(status, 0, stderr);
      const sorting = await orca.status(neighbour + 1);
      assert.equal(sorting.name, 'sorting');
      assert.deepEqual(
        sorting.starts.map(({ verdict, evidence, limit_bytes }) => [verdict, evidence, (limit_bytes ?? 0) / 1048576]),
        [
          ['out-of-memory', 'own-cgroup', 64],
          ['succeeded', null, 96],
        ],
        sorting.text ?? '',
      );
      assert.equal(await hashOf(join(orca.folder, 'sorted')), hashOfLines(keys.toSorted()));

      const events = readFileSync(join(beside, 'memory.events'), 'utf8');
      assert.deepEqual(
        ['high', 'max', 'oom', 'oom_kill'].map((name) => countIn(events, name)),
        [0, 0, 0, 0],
      );
      writeFileSync(go, '');
      assert.equal((await orca.run(['wait', String(neighbour)])).status, 0);
      const unhurt = await orca.status(neighbour);
      assert.deepEqual([unhurt.state, unhurt.starts_count, unhurt.text], ['succeeded', 1, 'ended well']);
      const peak = unhurt.peak_rss_bytes ?? 0;
      assert.ok(peak >= 16 * 1048576 && peak < 20 * 1048576, `its peak is ${peak}`);
    },
  );
});

/** Writes 72 MB of lines in random order and gives their beginnings: with that in memory `sort` is over the first start's 71 MB and well under 96. */
const writeLines = (file: string): string[] => {
  const random = randomFrom(7);
  const keys = Array.from(
    { length: lineCount },
    (_, n) => `${String(Math.floor(random() * 1e9)).padStart(9, '0')} ${n}`,
  );
  const out = openSync(file, 'w');
  for (let at = 0; at < keys.length; at += 1000) writeSync(out, textOf(keys.slice(at, at + 1000)));
  closeSync(out);
  return keys;
};

const textOf = (keys: readonly string[]): string => keys.map((key) => `${key} ${filler}\n`).join('');

const hashOfLines = (keys: readonly string[]): string => {
  const hash = createHash('sha256');
  for (let at = 0; at < keys.length; at += 1000) hash.update(textOf(keys.slice(at, at + 1000)));
  return hash.digest('hex');
};

const hashOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
};
