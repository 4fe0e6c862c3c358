import { spawn } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { askCtl, ctlKind } from './ctl.ts';
import type { Keepers, KeeperReport, KillResult, Program, StartRequest } from './keepers.ts';
import { readText } from '../machine/read-text.ts';
import { killResult, runProgram } from './program.ts';
import { parsePid } from './records.ts';
import { askShCtl, type ShPlace } from './sh-ctl.ts';
import { errnoMessage, errnoOf, recordNotStarted } from './sh-not-begun.ts';
import { readBegun, readExit } from './start-folder.ts';
import { withoutStartVariables } from '../settings/start-variables.ts';

export interface ShOptions extends ShPlace {
  readonly why: string;
  readonly onReport: (report: KeeperReport) => void;
}

const shell = '/bin/sh';
const firstLook = 5;
const slowestLook = 250;
/** How `orca-keep.sh start` ends when it did not begin. */
const [badUsage, couldNotBegin, noRoom] = [2, 11, 12];
const einval = 22;
const enospc = 28;

/**
 * Starts each command through `orca-keep.sh`. There is no resident: nobody starts a daemon that died, and no `hello` comes.
 */
export function shKeepers(options: ShOptions): Keepers {
  const { script, env, onReport } = options;
  let successor: Program | null = null;
  const looks = new Set<NodeJS.Timeout>();

  const kill = async (folder: string, uuid: string): Promise<KillResult> => {
    const args = [script, 'kill', folder, uuid];
    return killResult((await runProgram(shell, args, { env: withoutStartVariables(env), timeoutMs: 60_000 })).code);
  };

  const start = (request: StartRequest): void => {
    const { run, start, folder } = request;
    const refused = (stage: string, errno: number, message: string): void => {
      onReport({ type: 'refused', run, start, stage, errno, message });
    };
    const entering = cannotEnter(request.cwd);
    if (entering !== 0) {
      setImmediate(() => {
        try {
          if (!recordNotStarted(folder, 'cwd', entering, Date.now())) onReport({ type: 'void', run, start });
          else onReport({ type: 'ended', run, start, record: readExit(folder) ?? gone });
        } catch (error) {
          const errno = errnoOf((error as NodeJS.ErrnoException).code);
          refused('folder', errno, errnoMessage(errno));
        }
      });
      return;
    }
    const running = tellRunning(request);
    let child;
    try {
      child = spawn(shell, [script, 'start', ...shArguments(request)], {
        cwd: request.cwd,
        env: environmentOf(request.env),
        detached: true,
        stdio: 'ignore',
      });
    } catch (error) {
      // Node refuses zero bytes by itself.
      const { code, message } = error as NodeJS.ErrnoException;
      setImmediate(() => refused('request', errnoOf(code) || einval, message));
      return;
    }
    child.unref();
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      running.stop();
      refused('fork', errnoOf(code), errnoMessage(errnoOf(code)));
    });
    child.once('exit', (code) => {
      running.stop();
      if (code === couldNotBegin) refused('begun', 0, 'the start folder cannot be written');
      else if (code === noRoom) refused('folder', enospc, errnoMessage(enospc));
      else if (code === badUsage) refused('request', einval, 'the script could not read the request');
      else void finish(request, running.look);
    });
  };

  /** The script has ended: its record tells how, or it never began, or it was killed and its tree must end. */
  const finish = async ({ run, start, folder, uuid }: StartRequest, look: () => void): Promise<void> => {
    if (readExit(folder) === null) {
      if (readBegun(folder) !== 'begun') return onReport({ type: 'void', run, start });
      while ((await kill(folder, uuid)) !== 'gone') await pause(1000);
    }
    const record = readExit(folder) ?? gone;
    if (record.value?.how !== 'not-started') look();
    onReport({ type: 'ended', run, start, record });
  };

  /** Looks for the `pid` record, more and more rarely, and tells of it once. */
  const tellRunning = ({ run, start, folder }: StartRequest): { look: () => void; stop: () => void } => {
    let told = false;
    let wait = firstLook;
    let timer: NodeJS.Timeout | null = null;
    const look = (): void => {
      if (told) return;
      const text = readText(`${folder}/pid`);
      const pid = text === null ? null : parsePid(text).value;
      if (pid === null) return;
      told = true;
      onReport({ type: 'running', run, start, keeper: pid.keeper.pid, pid: pid.command.pid });
    };
    const stop = (): void => {
      if (timer === null) return;
      clearTimeout(timer);
      looks.delete(timer);
    };
    const next = (): void => {
      stop();
      timer = setTimeout(() => {
        look();
        if (!told) next();
      }, wait);
      looks.add(timer);
      wait = Math.min(wait * 2, slowestLook);
    };
    next();
    return { look, stop };
  };

  return {
    kind: 'sh',
    why: options.why,
    start,
    work: () => {},
    goodbye: () => {},
    handover(program) {
      successor = program;
    },
    close() {
      for (const timer of looks) clearTimeout(timer);
      if (successor !== null) startAfterUs(successor);
      return Promise.resolve();
    },
    kill,
    ctl: (folder, request, timeoutMs) =>
      ctlKind(folder) === 'socket' ? askCtl(folder, request, timeoutMs) : askShCtl(options, folder, request, timeoutMs),
  };
}

const gone = { value: null, why: 'there is no exit record' } as const;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

function shArguments(request: StartRequest): string[] {
  const { folder, stdin, stdout, stderr, timeoutMs, graceMs, nice, umask, oomScoreAdj, shared } = request;
  const millis = [Math.ceil(timeoutMs ?? 0), Math.ceil(graceMs ?? 10_000)].map(String);
  const rest = [`${nice ?? ''}`, umask?.toString(8) ?? '', `${oomScoreAdj ?? ''}`, shared ?? '', `${process.pid}`];
  return [folder, stdin, stdout, stderr, ...millis, ...rest, '--', ...request.args];
}

function environmentOf(entries: readonly string[]): Record<string, string> {
  const env: Record<string, string> = {};
  for (const entry of entries) {
    const end = entry.indexOf('=');
    if (end > 0) env[entry.slice(0, end)] = entry.slice(end + 1);
  }
  return env;
}

/** The error with which a folder cannot be entered; 0 when it can. */
function cannotEnter(folder: string): number {
  try {
    if (!statSync(folder).isDirectory()) return errnoOf('ENOTDIR');
    accessSync(folder, constants.X_OK);
    return 0;
  } catch (error) {
    return errnoOf((error as NodeJS.ErrnoException).code);
  }
}

/** Starts the program that takes our place: by now the lock is free for it. */
function startAfterUs({ args, env, log }: Program): void {
  const [file, ...rest] = args;
  if (file === undefined) return;
  const output = openSync(log, 'a', 0o600);
  spawn(file, rest, { env: environmentOf(env), detached: true, cwd: '/', stdio: ['ignore', output, output] }).unref();
  closeSync(output);
}
