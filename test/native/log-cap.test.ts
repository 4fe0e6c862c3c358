import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, test } from 'node:test';
import { withoutKeeper } from './support/binary.ts';
import { Resident } from './support/resident.ts';

const mb = 1048576;

describe('the cap of a log', { skip: withoutKeeper() }, () => {
  test('gives the middle of a log back to the disk, says first what is gone, and moves nothing', async () => {
    await using resident = new Resident();
    const started = resident.sh('seq -f %09.0f 0 2999999', { keys: [['log_max', String(4 * mb)]] });
    await resident.ended(started);
    const log = started.out;
    const { size, blocks } = statSync(log);
    assert.equal(size, 30_000_000);
    assert.ok(blocks * 512 <= 4 * mb + 8192, `${blocks * 512}`);
    const [from, to] = readFileSync(`${log}.gone`, 'utf8').trim().split(' ').map(Number);
    assert.ok(from !== undefined && to !== undefined);
    assert.ok(from <= mb && from > mb - 10 && from % 10 === 0 && to % 10 === 0 && to > size - 3 * mb);
    const bytes = readFileSync(log);
    const line = (at: number): string => bytes.subarray(at, at + 10).toString();
    for (const at of [0, from - 10, to, size - 10]) assert.equal(line(at), `${String(at / 10).padStart(9, '0')}\n`);
    assert.ok(!existsSync(`${started.err}.gone`) && !existsSync(`${log}.gone.tmp`));
  });

  test('a log under it, and one without a cap, is left alone', async () => {
    await using resident = new Resident();
    const under = resident.sh('seq -f %09.0f 0 99999', { keys: [['log_max', '1000000']] });
    const without = resident.sh('seq -f %09.0f 0 999999');
    await resident.ended(under);
    await resident.ended(without);
    for (const { out } of [under, without]) assert.ok(!existsSync(`${out}.gone`));
    assert.equal(statSync(without.out).blocks * 512 >= 10_000_000, true);
  });
});
