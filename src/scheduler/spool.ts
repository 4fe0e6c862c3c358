import { linkSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { OrcaError } from '../errors/orca-error.ts';
import type { RunId } from '../units/brands.ts';
import type { StdinRequest } from '../wire/api.ts';
import { stdinFile, type StateFolder } from './state-folder.ts';

/** Makes a client's spooled standard input the run's own file. The client's name stays until the runs are stored. */
export const takeSpool = (state: StateFolder, stdin: StdinRequest, run: RunId): void => {
  if (stdin.kind !== 'spool') return;
  // Only what lies where clients spool to: the file is deleted with the run.
  if (dirname(stdin.path) !== state.runs) throw new OrcaError('stdin-unreadable', { path: stdin.path });
  rmSync(stdinFile(state, run), { force: true });
  linkSync(stdin.path, stdinFile(state, run));
};

/** The runs have links of their own by now. */
export const dropClientSpool = (stdin: StdinRequest): void => {
  if (stdin.kind === 'spool') rmSync(stdin.path, { force: true });
};

export const dropSpool = (state: StateFolder, run: RunId): void => rmSync(stdinFile(state, run), { force: true });
