/** Checks that imports in src/ go downwards only. The table is design.md's *Folders*; ARCHITECTURE.md explains it. */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { forbiddenImports } from './imports/forbidden-imports.ts';

const root = join(import.meta.dirname, '..');
const found: string[] = [];
let count = 0;
for await (const file of glob('src/**/*.{ts,tsx}', { cwd: root })) {
  count += 1;
  found.push(...forbiddenImports(relative(root, join(root, file)), readFileSync(join(root, file), 'utf8')));
}
for (const sentence of found.sort()) console.error(sentence);
if (found.length > 0) process.exitCode = 1;
else console.log(`The imports of ${count} files go downwards only.`);
