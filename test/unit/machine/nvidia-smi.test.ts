import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { findNvidiaSmi, NvidiaSmi } from '../../../src/machine/nvidia-smi.ts';
import { until } from '../../e2e/support/until.ts';

let box = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'orca-smi-'));
});
afterEach(() => {
  rmSync(box, { recursive: true });
});

const fake = (script: string, withinMs?: number): NvidiaSmi => {
  const file = join(box, 'nvidia-smi');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return new NvidiaSmi(file, { PATH: process.env['PATH'] }, withinMs);
};

test('it is the first on PATH that can be run; folders that are not absolute do not count', () => {
  const there = new Set(['/opt/bin/nvidia-smi', '/usr/bin/nvidia-smi', 'bin/nvidia-smi']);
  const find = (path: string | undefined): string | null => findNvidiaSmi(path, (file) => there.has(file));
  assert.equal(find('bin:/sbin:/opt/bin:/usr/bin'), '/opt/bin/nvidia-smi');
  assert.equal(find('/sbin::bin'), null);
  assert.equal(find(''), null);
  assert.equal(find(undefined), null);
});

test('its output is the answer, in no other language', async () => {
  assert.deepEqual(await fake('echo "$1 $LC_ALL"').ask(['-L']), { ok: true, text: '-L C\n' });
});

test('a failure is told in its own words, else by its status', async () => {
  const words = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.";
  assert.deepEqual(await fake(`echo "${words}"; exit 9`).ask([]), { ok: false, why: `nvidia-smi: ${words}` });
  assert.deepEqual(await fake('exit 6').ask([]), { ok: false, why: 'nvidia-smi failed: 6' });
  assert.deepEqual(await new NvidiaSmi(join(box, 'none'), {}).ask([]), { ok: false, why: 'nvidia-smi failed: ENOENT' });
});

test('one that says too much is a failure', async () => {
  assert.equal((await fake('head -c 3000000 /dev/zero; sleep 60').ask([])).ok, false);
});

test('one that hangs is given up and killed, and the next is asked once it is gone', async () => {
  const smi = fake(`echo $$ > ${box}/pid; exec sleep 1000`, 1500);
  assert.deepEqual(await smi.ask([]), { ok: false, why: 'nvidia-smi does not answer' });
  const pid = Number(readFileSync(join(box, 'pid'), 'utf8'));
  await until(() => (existsSync(`/proc/${pid}`) ? null : true), 'the program is gone');
  writeFileSync(join(box, 'nvidia-smi'), '#!/bin/sh\necho well\n');
  const answer = await until(async () => {
    const said = await smi.ask([]);
    return said.ok ? said : null;
  }, 'it answers again');
  assert.equal(answer.text, 'well\n');
});

test('while one is going on no other is started', async () => {
  const smi = fake(`echo x >> ${box}/count; sleep 0.3`);
  const [one, other] = await Promise.all([smi.ask([]), smi.ask([])]);
  assert.deepEqual([one.ok, other.ok], [true, false]);
  assert.equal(readFileSync(join(box, 'count'), 'utf8'), 'x\n');
});
