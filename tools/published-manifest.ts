/** `node tools/published-manifest.ts HASH`: makes package.json the tarball's, which has the build HASH and needs no package. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const file = join(import.meta.dirname, '..', 'package.json');
const hash = process.argv[2];
if (hash === undefined) throw new Error('usage: published-manifest.ts HASH');
const {
  dependencies: _bundled,
  devDependencies: _development,
  scripts: _scripts,
  files,
  ...kept
} = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
const packed = [...(Array.isArray(files) ? files : []), `dist/${hash}`];
await writeFile(file, `${JSON.stringify({ ...kept, files: packed }, null, 2)}\n`);
