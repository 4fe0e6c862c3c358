import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { OrcaError } from '../errors/orca-error.ts';
import type { SubmitRequest } from '../wire/api.ts';

/** Refuses a folder, an input file or a program that is not there, before anything is accepted. */
export const checkCommands = async (
  request: Pick<SubmitRequest, 'cwd' | 'commands' | 'env' | 'stdin'>,
): Promise<void> => {
  if (!(await isFolder(request.cwd))) throw new OrcaError('folder-missing', { folder: request.cwd });
  if (request.stdin.kind === 'file' && !(await mayRead(request.stdin.path))) {
    throw new OrcaError('stdin-unreadable', { path: request.stdin.path });
  }
  const programs = new Set(request.commands.map((command) => command[0] ?? ''));
  for (const program of programs) await checkProgram(program, request.cwd, request.env['PATH'] ?? defaultPath);
};

/** What execvp searches when PATH is not set (confstr _CS_PATH). */
const defaultPath = '/bin:/usr/bin';

const checkProgram = async (program: string, cwd: string, path: string): Promise<void> => {
  if (program === '') throw new OrcaError('program-missing', { program: "''" });
  const places = program.includes('/')
    ? [resolve(cwd, program)]
    : path.split(delimiter).map((folder) => join(isAbsolute(folder) ? folder : resolve(cwd, folder), program));
  let there: string | null = null;
  for (const place of places) {
    if (!(await isFile(place))) continue;
    if (await mayExecute(place)) return;
    there ??= place;
  }
  if (there !== null) throw new OrcaError('program-not-executable', { program: told(there) });
  throw new OrcaError('program-missing', { program: told(program) });
};

const holds = async (question: Promise<boolean | void>): Promise<boolean> => {
  try {
    return (await question) ?? true;
  } catch {
    return false;
  }
};
const isFolder = (path: string): Promise<boolean> => holds(stat(path).then((found) => found.isDirectory()));
const isFile = (path: string): Promise<boolean> => holds(stat(path).then((found) => found.isFile()));
const mayRead = (path: string): Promise<boolean> => holds(access(path, constants.R_OK));
const mayExecute = (path: string): Promise<boolean> => holds(access(path, constants.X_OK));

/** So much of it that it can be known again. */
const told = (program: string): string => (program.length > 200 ? `${program.slice(0, 200)}…` : program);
