import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OrcaError } from '../errors/orca-error.ts';
import { formatServiceWord, serviceVariable, type ServiceWord } from '../settings/service-word.ts';
import { withoutStartVariables } from '../settings/start-variables.ts';
import type { ErrorJson } from '../wire/api.ts';
import { parseErrorJson } from './answered-error.ts';
import { daemonCommand, type Program } from './program.ts';
import { findServiceManager, thisManagerHost, type NoManager, type ServiceManager } from './service-manager.ts';
import { startService } from './start-service.ts';
import { systemErrorWords } from './system-error.ts';

/** How a daemon that a client started is doing. */
export interface StartedDaemon {
  ended(): DaemonEnd | null;
}

/** Both null: it was a service of systemd, which says no more of one that is gone. */
export interface DaemonEnd {
  readonly status: number | null;
  readonly signal: string | null;
}

export interface DaemonStart {
  readonly state: string;
  readonly program: Program;
  readonly env: Readonly<Record<string, string>>;
  /** Whether systemd shall run it, where there is one. */
  readonly asService: boolean;
  /** Services of it have ended without a word: it may see other files than we do. It is a process then. */
  readonly servicesFailed?: boolean;
}

/** Starts a daemon that outlives the caller, as a service where systemd can have one; its output goes to `<state>/daemon.log`. */
export function startDaemon(start: DaemonStart): StartedDaemon {
  const manager = start.asService ? findServiceManager(thisManagerHost(start.env['PATH'])) : noManager;
  if (manager.kind === 'manager' && start.servicesFailed === true)
    return startProcess(start, { kind: 'refused', why: 'its services ended without a word' });
  return manager.kind === 'none' ? startProcess(start, manager.word) : startAsService(start, manager);
}

const noManager: NoManager = { kind: 'none', word: null };

function startAsService(start: DaemonStart, manager: ServiceManager): StartedDaemon {
  const { state, program } = start;
  const log = join(state, 'daemon.log');
  closeSync(openLog(state));
  const since = Date.now();
  let started: StartedDaemon = { ended: () => null };
  startService(manager, { state, log, program, env: daemonEnv(start, { kind: 'service' }) }).then(
    (service) => {
      const gone: DaemonEnd = { status: null, signal: null };
      started = { ended: () => (daemonError(state, since) !== null || service.gone() ? gone : null) };
    },
    (cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      started = startProcess(start, { kind: 'refused', why });
    },
  );
  return { ended: () => started.ended() };
}

/** As a process of its own session. */
function startProcess(start: DaemonStart, word: ServiceWord | null): StartedDaemon {
  const output = openLog(start.state);
  try {
    const [command, ...args] = daemonCommand(start.program);
    const child = spawn(command, args, {
      cwd: '/',
      detached: true,
      stdio: ['ignore', output, output],
      env: daemonEnv(start, word),
    });
    let ended: DaemonEnd | null = null;
    child.once('exit', (status, signal) => (ended = { status, signal }));
    child.once('error', () => (ended = { status: 1, signal: null }));
    child.unref();
    return { ended: () => ended };
  } finally {
    closeSync(output);
  }
}

function openLog(state: string): number {
  try {
    return openSync(join(state, 'daemon.log'), 'a', 0o600);
  } catch (cause) {
    throw new OrcaError('state-unwritable', { path: state, why: systemErrorWords(cause) }, cause);
  }
}

/** The caller's environment without what makes a process part of a run, and with the state folder that was found. */
const daemonEnv = ({ state, env }: DaemonStart, word: ServiceWord | null): Record<string, string> => ({
  ...withoutStartVariables(env),
  ORCA_HOME: state,
  ...(word === null ? {} : { [serviceVariable]: formatServiceWord(word) }),
});

/** What a daemon that could not start left in `<state>/daemon.error` since `since` (ms), else null. */
export function daemonError(state: string, since: number): ErrorJson | null {
  const file = join(state, 'daemon.error');
  try {
    // File times may lag behind the clock by a tick.
    return statSync(file).mtimeMs >= since - 1000 ? parseErrorJson(readFileSync(file, 'utf8')) : null;
  } catch {
    return null;
  }
}

/**
 * Lets one of many clients start the daemon, so that twenty commands at once do not load twenty. Only courtesy: the daemon's own lock is what
 * makes it one. A claim older than three seconds counts as left behind. Returns the release, or null when another one is at it.
 */
export function claimStarting(state: string, now: number): (() => void) | null {
  const file = join(state, 'starting');
  const release = () => rmSync(file, { force: true });
  try {
    if (now - statSync(file).mtimeMs > 3000) release();
  } catch {
    // Nobody is starting one.
  }
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
    return release;
  } catch {
    return null;
  }
}
