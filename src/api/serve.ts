import { rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import { pino, type Logger } from 'pino';
import { OrcaError } from '../errors/orca-error.ts';
import type { Program as Restart } from '../keeper/keepers.ts';
import { admitNow, admitOnceATurn } from '../scheduler/admit-now.ts';
import { followEnds } from '../scheduler/dependents.ts';
import { takeLock, type Lock } from '../scheduler/lock.ts';
import { keepHeld } from '../scheduler/keep-held.ts';
import { lookAfter } from '../scheduler/look-after.ts';
import { beginMoving } from '../scheduler/move-logs.ts';
import { openScheduler } from '../scheduler/open-scheduler.ts';
import { pruneDaily } from '../scheduler/prune.ts';
import { retainHourly } from '../scheduler/retention.ts';
import { recover } from '../scheduler/recover.ts';
import { sampleHost } from '../scheduler/sample-host.ts';
import { stateError } from '../scheduler/state-error.ts';
import { watchMachine } from '../scheduler/watch-machine.ts';
import { tellWaiting } from '../scheduler/tell-waiting.ts';
import type { LoadedSettings } from '../settings/load-settings.ts';
import { millis } from '../units/brands.ts';
import { apiNumber } from '../wire/api.ts';
import { createApp, errorJson } from './app.ts';
import { writeDaemonFile } from './daemon-file.ts';
import { Handover, type Program } from './handover.ts';
import { watchIdle } from './idle.ts';
import { keepState } from './keep-state.ts';
import { followSettings } from './follow-settings.ts';
import { listenOn, socketPath } from './socket.ts';
import { shutDown } from './shut-down.ts';
import { successorIsThere } from './starting-file.ts';

export interface Serving {
  /** The checked state folder. */
  readonly state: string;
  readonly loaded: LoadedSettings;
  /** What this process runs. */
  readonly program: Program;
  /** The command line of a daemon that runs another entry file. */
  readonly commandOf: (entry: string) => readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The exit status of a daemon that found another one in charge; the resident and the clients know it. */
const anotherIsInCharge = 3;
/**
 * A predecessor has released the lock before its successor is started, so whoever holds it for longer is another daemon, and waiting
 * for its end would undo its `orca down`. Two that take it at the same moment may both fail at first.
 */
const lockPatience = 100;

/** Is the daemon of a state folder until it leaves. Ends the process. */
export const serveDaemon = async (serving: Serving): Promise<never> => {
  const { state } = serving;
  process.umask(0o077);
  const log = openLog();
  try {
    const inherited = inheritedDescriptor(serving.env);
    const lock = await lockWithin(join(state, 'lock.db'), lockPatience);
    if (lock === null) process.exit(anotherIsInCharge);
    await serve(serving, inherited, lock, log);
  } catch (error) {
    log.fatal({ err: error }, 'the daemon could not start');
    leaveWord(state, stateError(error, { folder: state }));
    process.exit(1);
  }
  return new Promise(() => {});
};

const mostUnwritten = 1048576;

/** A log that cannot be written, as on a full disk, ends no daemon; so much of it is kept until it can be. */
const openLog = (): Logger => {
  const lines = pino.destination({ dest: 2, sync: true, maxLength: mostUnwritten });
  lines.on('error', () => {});
  return pino({ base: { pid: process.pid } }, lines);
};

/** Tells the client that waits for this daemon why there is none. On a full disk that cannot be told: the client looks for it itself. */
const leaveWord = (state: string, error: unknown): void => {
  const known =
    error instanceof OrcaError ? error : new OrcaError('internal', { what: (error as Error).message }, error);
  try {
    writeFileSync(join(state, 'daemon.error'), JSON.stringify(errorJson(known)), { mode: 0o600 });
  } catch {
    rmSync(join(state, 'daemon.error'), { force: true });
  }
};

const serve = async (serving: Serving, inherited: number | null, lock: Lock, log: Logger): Promise<void> => {
  const { state, loaded, program, env } = serving;
  const startedAt = millis(Date.now());
  const scheduler = await openScheduler({
    settings: loaded.settings,
    state,
    log,
    identity: { pid: process.pid, version: program.version, program: program.entry, startedAt },
    env,
    root: dirname(dirname(dirname(program.entry))),
    program: restartOf(serving, program),
    inherited,
  });
  for (const warning of loaded.warnings) log.warn(warning);
  followEnds(scheduler);
  await recover(scheduler);

  const end = (how: Parameters<typeof shutDown>[3]): void => {
    void shutDown(scheduler, server, lock, how).finally(() => process.exit(0));
  };
  const leave = (): void => end({ goodbye: true });
  const handOver = (to: Program): void => {
    log.info({ to: to.entry }, 'handing over to another program');
    end({ goodbye: false, next: restartOf(serving, to) });
  };
  const app = createApp({
    scheduler,
    handover: new Handover(program, handOver),
    leave,
    restart: () => handOver(program),
  });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const uid = process.getuid?.() ?? 0;
  const socket = socketPath(state, uid);
  await listenOn(server, socket, uid);
  const file = {
    pid: process.pid,
    socket,
    api: apiNumber,
    version: program.version,
    program: program.entry,
    started_at: startedAt,
  };
  writeDaemonFile(state, file);
  successorIsThere(state);
  // Only now: while daemons fail one after the other, each client may still read why its own did.
  rmSync(join(state, 'daemon.error'), { force: true });
  log.info({ socket, keeper: scheduler.keepers.kind, version: program.version }, 'serving');

  lookAfter(scheduler);
  sampleHost(scheduler);
  watchMachine(scheduler);
  tellWaiting(scheduler);
  keepHeld(scheduler);
  pruneDaily(scheduler);
  beginMoving(scheduler);
  retainHourly(scheduler);
  followSettings(scheduler, loaded);
  watchIdle(scheduler, server, leave);
  const reopen = (): void => end({ goodbye: false, next: restartOf(serving, program), rescue: true });
  scheduler.store.whenInDoubt(() => {
    log.error('the connection to the store broke in the middle of a commit: this daemon starts anew on what is there');
    end({ goodbye: false, next: restartOf(serving, program) });
  });
  keepState({ scheduler, server, uid, file, lost: leave, reopen });
  // Not goodbye: whoever ends the daemon this way did not ask for its runs to be forgotten.
  process.once('SIGTERM', () => end({ goodbye: false }));
  process.once('SIGINT', () => end({ goodbye: false }));
  process.on('SIGHUP', () => {});
  scheduler.freed.listen(() => admitNow(scheduler));
  admitOnceATurn(scheduler);
  admitNow(scheduler);
};

/** The descriptor of the resident's stream, where a resident started this process. */
const inheritedDescriptor = (env: Serving['env']): number | null => {
  const text = env['ORCA_KEEPER_FD'];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
};

const lockWithin = async (file: string, patience: number): Promise<Lock | null> => {
  const deadline = Date.now() + patience;
  for (;;) {
    const lock = takeLock(file);
    if (lock !== null || Date.now() >= deadline) return lock;
    await setTimeout(25);
  }
};

const restartOf = (serving: Serving, to: Program): Restart => ({
  args: serving.commandOf(to.entry),
  env: Object.entries(serving.env).flatMap(([name, value]) =>
    value === undefined || name === 'ORCA_KEEPER_FD' ? [] : [`${name}=${value}`],
  ),
  log: join(serving.state, 'daemon.log'),
});
