import { readDaemonFile } from '../client/daemon-file.ts';
import { lockHolder } from '../client/lock-holder.ts';
import { daemonError } from '../client/start-daemon.ts';
import type { DaemonJson, ErrorJson } from '../wire/api.ts';
import type { Finding } from './doctor.ts';

/** What there is of a daemon that does not answer. */
export interface DaemonTraces {
  /** Who holds the lock. */
  readonly holder: number | null;
  /** Whether `daemon.json` can be read. */
  readonly file: boolean;
  /** What the last one said that could not start; null once one serves. */
  readonly failure: ErrorJson | null;
}

export const daemonTraces = (state: string): DaemonTraces => ({
  holder: lockHolder(state),
  file: readDaemonFile(state) !== null,
  failure: daemonError(state, 0),
});

export function daemonFinding(daemon: DaemonJson | null, traces: DaemonTraces | null): Finding {
  const what = 'daemon';
  if (daemon === null && traces !== null && traces.holder !== null) {
    const holds = `a daemon (pid ${traces.holder}) holds the lock but`;
    return traces.file
      ? {
          what,
          level: 'warn',
          found: `${holds} does not answer`,
          help: 'look into daemon.log in the state folder, or the output of the container',
        }
      : {
          what,
          level: 'warn',
          found: `${holds} its daemon.json is missing; it writes it again within seconds`,
          help: null,
        };
  }
  if (daemon === null) {
    const failure = traces?.failure?.error ?? null;
    if (failure === null) return { what, level: 'ok', found: 'not running; the next command starts it', help: null };
    return {
      what,
      level: 'warn',
      found: `not running; the last could not start: ${failure.message}`,
      help: failure.hint,
    };
  }
  const found = `${daemon.version}, pid ${daemon.pid}`;
  return daemon.down
    ? { what, level: 'warn', found: `${found}, down`, help: 'orca up' }
    : { what, level: 'ok', found, help: null };
}
