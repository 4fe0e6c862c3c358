import { posix } from 'node:path';
import { everywhere, exceptions, folders } from './folders.ts';

/** Static, dynamic and type-only imports and re-exports alike: a type's direction is a direction too. */
const specifiers = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])(\.{1,2}\/[^'"]+)\1/g;

const withoutComments = (source: string): string => source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

/** What a file of src/ imports that it may not, a sentence each. `file` is relative to the checkout's root. */
export const forbiddenImports = (file: string, source: string): readonly string[] => {
  const own = folderOf(file);
  if (own === null) return [`${file} lies in no folder of src/.`];
  const may = folders[own];
  if (may === undefined) return [`${file}: src/${own}/ is not in tools/imports/folders.ts.`];
  const allowed = new Set([own, ...everywhere, ...may, ...(exceptions[file] ?? [])]);
  const found: string[] = [];
  for (const [, , specifier = ''] of withoutComments(source).matchAll(specifiers)) {
    const target = posix.join(posix.dirname(file), specifier);
    const folder = folderOf(target);
    if (folder === null || !allowed.has(folder)) found.push(`${file} may not import ${target}.`);
  }
  return found;
};

/** `units` of `src/units/size.ts`; null for what does not lie in a folder of src/. */
const folderOf = (file: string): string | null => /^src\/([^/]+)\/./.exec(file)?.[1] ?? null;
