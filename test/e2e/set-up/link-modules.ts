import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives `to` the packages that `from` has installed, as links in a folder of its own: an `npm ci` there removes links only.
 * npm's record is new, so that the packages count as fit.
 */
export const linkModules = (from: string, to: string): void => {
  const folder = join(to, 'node_modules');
  mkdirSync(folder);
  for (const name of readdirSync(join(from, 'node_modules')))
    if (name !== '.package-lock.json') symlinkSync(join(from, 'node_modules', name), join(folder, name));
  writeFileSync(join(folder, '.package-lock.json'), '{}');
};
