import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { HostLooks } from '../../../src/sample/host-looks.ts';

test('who asks within a tenth of a second shares a look; later there is a new one', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'orca-looks-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const procRoot = join(folder, 'proc');
  mkdirSync(procRoot);
  writeFileSync(join(procRoot, 'meminfo'), 'MemTotal: 2048 kB\nMemAvailable: 1024 kB\n');
  let nowMs = 5000;
  const looks = new HostLooks(
    { procRoot, sysRoot: join(folder, 'sys'), nowMs: () => nowMs, time: () => 1e12 + nowMs },
    [folder, join(folder, 'gone')],
  );
  const first = looks.look();
  nowMs += 49;
  assert.equal(looks.look(), first);
  nowMs += 51;
  const second = looks.look();
  assert.notEqual(second, first);
  assert.deepEqual([first.at, second.at, second.time], [5000, 5100, 1e12 + 5100]);
  assert.equal(second.counters.memory?.used, 1024 * 1024);
  assert.deepEqual(
    second.disks.map(({ path }) => path),
    [folder],
  );
  nowMs += 50;
  const newer = looks.look(second);
  assert.equal(newer.at, 5150, 'a line is the difference to an earlier look');
  assert.equal(looks.look(second), newer, 'others who ask then share it');
});
