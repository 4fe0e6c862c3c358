import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OrcaError } from '../errors/orca-error.ts';
import { withoutStartVariables } from '../settings/start-variables.ts';
import type { ErrorJson } from '../wire/api.ts';
import { parseErrorJson } from './answered-error.ts';
import { daemonCommand, type Program } from './program.ts';
import { systemErrorWords } from './system-error.ts';

/** How a daemon that a client started is doing. */
export interface StartedDaemon {
  /** Null while it runs; status null when a signal ended it. */
  ended(): { readonly status: number | null; readonly signal: string | null } | null;
}

/** Starts a daemon of its own session that outlives the caller; its output goes to `<state>/daemon.log`. */
export function startDaemon(state: string, program: Program, env: Readonly<Record<string, string>>): StartedDaemon {
  const log = join(state, 'daemon.log');
  let output: number;
  try {
    output = openSync(log, 'a', 0o600);
  } catch (cause) {
    throw new OrcaError('state-unwritable', { path: state, why: systemErrorWords(cause) }, cause);
  }
  try {
    const [command, ...args] = daemonCommand(program);
    const child = spawn(command, args, {
      cwd: '/',
      detached: true,
      stdio: ['ignore', output, output],
      env: daemonEnv(state, env),
    });
    let ended: { status: number | null; signal: string | null } | null = null;
    child.once('exit', (status, signal) => (ended = { status, signal }));
    child.once('error', () => (ended = { status: 1, signal: null }));
    child.unref();
    return { ended: () => ended };
  } finally {
    closeSync(output);
  }
}

/** The caller's environment without what makes a process part of a run, and with the state folder that was found. */
export const daemonEnv = (state: string, env: Readonly<Record<string, string>>): Record<string, string> => ({
  ...withoutStartVariables(env),
  ORCA_HOME: state,
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
