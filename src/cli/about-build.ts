import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface AboutBuild {
  readonly version: string;
  /** When the program was built, ms since the epoch; null for sources that run as they are. */
  readonly builtAt: number | null;
}

/** What `build.json` beside a built entry says; else, for `src/cli/main.ts`, the package's version. */
export function aboutBuild(entryFile: string): AboutBuild {
  const folder = dirname(entryFile);
  const built = read(join(folder, 'build.json'));
  if (built !== null)
    return { version: versionOf(built), builtAt: 'built_at' in built ? Number(built.built_at) : null };
  return { version: versionOf(read(join(folder, '../../package.json')) ?? {}), builtAt: null };
}

const versionOf = (about: object): string => ('version' in about ? String(about.version) : '0.0.0');

function read(file: string): object | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
