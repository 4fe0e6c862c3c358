import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { DaemonJson, RunJson } from '../../../../src/wire/api.ts';
import { isFinal } from '../../../../src/runs/transitions.ts';
import { ask, textOf } from '../../../e2e/support/http.ts';
import { until } from '../../../e2e/support/until.ts';

/** Asked over its socket, since a start of the command line costs a second here; null when it does not answer. */
const get = async <T>(state: string, path: string): Promise<T | null> => {
  try {
    const answer = await ask(state, 'GET', path);
    return answer.status === 200 ? (JSON.parse(await textOf(answer)) as T) : null;
  } catch {
    return null;
  }
};

export const daemonOf = (state: string): Promise<DaemonJson> =>
  until(() => get<DaemonJson>(state, '/api/daemon'), `a daemon answers for ${state}`, 120_000);

/** Another daemon than that of this pid. */
export const nextDaemon = (state: string, pid: number): Promise<DaemonJson> =>
  until(
    async () => {
      const daemon = await get<DaemonJson>(state, '/api/daemon');
      return daemon?.pid === pid ? null : daemon;
    },
    `another daemon than ${pid} answers`,
    120_000,
  );

export const untilRun = (state: string, id: number, good: (run: RunJson) => boolean): Promise<RunJson> =>
  until(
    async () => {
      const run = await get<RunJson>(state, `/api/runs/${id}`);
      return run !== null && good(run) ? run : null;
    },
    `run ${id} has come so far`,
    120_000,
  );

export const runningRun = (state: string, id: number): Promise<RunJson> =>
  untilRun(state, id, ({ state: now }) => now === 'running');

export const finishedRun = (state: string, id: number): Promise<RunJson> =>
  untilRun(state, id, ({ state: now }) => isFinal(now));

/** A process's cgroup, as its path below the mount. */
export const cgroupOf = (pid: number): string =>
  /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? 'none';

export const isThere = (pid: number | null | undefined): boolean =>
  pid !== null && pid !== undefined && existsSync(`/proc/${pid}`);

/** The unit that a daemon is in; it must be one that orca had made. */
export const unitOf = ({ pid }: DaemonJson): string => {
  const found = /\/(orca-[0-9a-f]{8}\.service)\/orca$/.exec(cgroupOf(pid))?.[1];
  assert.ok(found !== undefined, `the daemon is in ${cgroupOf(pid)}`);
  return found;
};

/** `systemctl` as a user, without any of the variables of a session. */
export const systemctl = (uid: number, ...args: string[]): string => {
  const user = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', 'env', '-i'];
  const whose = uid === 0 ? [] : ['--user'];
  const command = [...user, `XDG_RUNTIME_DIR=/run/user/${uid}`, 'systemctl', ...whose, ...args];
  return spawnSync('/usr/bin/env', command, { encoding: 'utf8' }).stdout.trim();
};

/** The units that orca had made, also those that failed or ended. */
export const unitsOf = (uid: number): string[] =>
  systemctl(uid, 'list-units', '--all', '--plain', '--no-legend', 'orca-????????.service')
    .split('\n')
    .flatMap((line) => line.split(/\s+/)[0] ?? [])
    .filter((name) => name !== '');
