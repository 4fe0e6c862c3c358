import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const nativeFolder = join(import.meta.dirname, '../../../native');

/** The keeper under test: `ORCA_TEST_KEEP`, else one built once from the sources as they are now. */
export const keepBinary = (): string => {
  const given = process.env['ORCA_TEST_KEEP'];
  if (given) return given;
  const hash = createHash('sha256');
  for (const name of readdirSync(nativeFolder)
    .filter((n) => /\.(c|h|sh)$/.test(n))
    .toSorted())
    hash.update(readFileSync(join(nativeFolder, name)));
  const uid = process.getuid?.() ?? 0;
  const path = join(tmpdir(), `orca-test-keep-${uid}-${hash.digest('hex').slice(0, 16)}`, 'orca-keep');
  if (!existsSync(path)) execFileSync('sh', [join(nativeFolder, 'build.sh'), path]);
  return path;
};

/**
 * Why the native keeper cannot be tested here, for `skip`; false when it can. With `native` in ORCA_TEST_REQUIRE a keeper that
 * cannot be built is a failure instead.
 */
export const withoutKeeper = (): string | false => {
  if ((process.env['ORCA_TEST_REQUIRE'] ?? '').split(',').includes('native')) return false;
  if (process.platform !== 'linux') return 'the native keeper is for Linux';
  try {
    keepBinary();
    return false;
  } catch {
    return 'the native keeper cannot be built here';
  }
};
