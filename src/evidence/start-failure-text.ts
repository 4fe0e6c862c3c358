import { constants } from 'node:os';
import { shellWord } from '../units/shell-words.ts';
import type { Evidence } from './evidence.ts';

/** Why a start never began: the stage, the program, the system's words, and what to do. */
export const startFailureText = ({ exit, refused, program, cwd }: Evidence): string => {
  const failure = exit?.failed ?? refused;
  if (failure === null) return "never began, and why is not known: see the daemon's log";
  const { stage, errno, message } = failure;
  const subject = stage === 'cwd' ? quoted(cwd) : stage === 'exec' ? quoted(program) : null;
  const why = errno === null || errno === 0 ? message : `${message} (${errnoName(errno)})`;
  const what = whats.get(stage) ?? `it could not be started (${stage})`;
  const todo = (errno === null ? undefined : todos.get(stage)?.[errnoName(errno)]) ?? general[errnoName(errno ?? 0)];
  return `never began: ${what}${subject === null ? '' : ` ${subject}`}: ${why}${todo === undefined ? '' : `; ${todo}`}`;
};

const whats: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cwd: 'cannot enter the folder',
    stdin: 'cannot open its standard input',
    stdout: 'cannot open the file for its standard output',
    stderr: 'cannot open the file for its standard error',
    cgroup: 'cannot enter its cgroup',
    limits: 'cannot set its limits',
    fork: 'cannot make a process',
    exec: 'cannot execute',
    secret: 'cannot fetch a secret',
    folder: 'cannot use its start folder',
    begun: 'cannot claim its start folder',
    request: 'the keeper refused the request',
  }),
);

const todos: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  Object.entries({
    exec: {
      ENOENT: 'check its name and PATH; for a script, the interpreter in its first line',
      EACCES: 'make it executable with chmod +x, or name the interpreter',
      ENOEXEC: 'it is no program for this machine; for a script, name the interpreter',
      ENOTDIR: 'a part of its path is no folder',
      E2BIG: 'its arguments and environment are too long: pass a file instead',
      ETXTBSY: 'something is still writing the program: try again',
    },
    cwd: {
      ENOENT: 'make the folder, or start it from another one',
      ENOTDIR: 'start it from a folder',
      EACCES: 'give yourself access to the folder, or start it from another one',
    },
    stdin: { ENOENT: 'the input file is gone: check its path', EACCES: 'the input file cannot be read' },
  }),
);

const general: Readonly<Record<string, string>> = {
  ENOSPC: 'free some room on that disk',
  EDQUOT: 'your disk quota is used up: free some room',
  EROFS: 'that file system is read-only',
  EAGAIN: 'too many processes: raise the limit (ulimit -u, pids.max) or run fewer at once',
  ENOMEM: 'the machine has no memory left for it',
  EMFILE: 'too many open files: raise ulimit -n',
};

const names = new Map<number, string>(Object.entries(constants.errno).map(([name, number]) => [number, name]));

const errnoName = (errno: number): string => names.get(errno) ?? `errno ${errno}`;
const quoted = (text: string): string => (text === '' ? 'it' : shellWord(text));
