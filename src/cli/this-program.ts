import { realpathSync } from 'node:fs';
import { builtAt, type Program } from '../client/program.ts';
import { buildStamp, version } from './version.ts';

/** The program that runs, by the file that `node` was given. */
export function thisProgram(entryFile: string): Program {
  const entry = realpathSync(entryFile);
  return { version: version(), builtAt: builtAt(buildStamp(), entry), entry, node: process.execPath };
}
