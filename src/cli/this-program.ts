import { realpathSync } from 'node:fs';
import { builtAt, type Program } from '../client/program.ts';
import { aboutBuild } from './about-build.ts';

/** The program that runs, by the file that `node` was given. */
export function thisProgram(entryFile: string): Program {
  const entry = realpathSync(entryFile);
  const about = aboutBuild(entry);
  return { version: about.version, builtAt: builtAt(about.builtAt, entry), entry, node: process.execPath };
}
