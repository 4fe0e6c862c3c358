import { accessSync, constants, existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import type { ServiceWord } from '../settings/service-word.ts';

/** The systemd that may run our daemon: the machine's for root, else the user's own. */
export interface ServiceManager {
  readonly kind: 'manager';
  readonly whose: 'system' | 'user';
  /** The files of `systemd-run` and `systemctl`. */
  readonly run: string;
  readonly ctl: string;
  /** How these two find the manager. Not by the caller's variables: ssh has them, cron does not. */
  readonly env: Readonly<Record<string, string>>;
}

/** `word` null: systemd, or cgroup v2, is not there, so that there is nothing to say. */
export interface NoManager {
  readonly kind: 'none';
  readonly word: ServiceWord | null;
}

export interface ManagerHost {
  readonly uid: number;
  /** Null for a user that is in no user database. */
  readonly user: string | null;
  readonly exists: (file: string) => boolean;
  readonly mayRun: (file: string) => boolean;
  readonly path: string | undefined;
}

/**
 * Which systemd shall run the daemon as a service with a cgroup of its own. A user's own ends at logout with all its services, unless the
 * user lingers: then it is not used.
 */
export const findServiceManager = (host: ManagerHost): ServiceManager | NoManager => {
  if (!host.exists('/run/systemd/system') || !host.exists('/sys/fs/cgroup/cgroup.controllers')) return none(null);
  const { uid, user } = host;
  const runtime = `/run/user/${uid}`;
  if (uid !== 0) {
    if (user === null || !host.exists(`/var/lib/systemd/linger/${user}`)) return none({ kind: 'no-linger' });
    if (!host.exists(`${runtime}/systemd/private`)) return none({ kind: 'no-manager', uid });
  }
  const run = find(host, 'systemd-run');
  const ctl = find(host, 'systemctl');
  if (run === null || ctl === null) return none({ kind: 'no-systemd-run' });
  const own: Record<string, string> = uid === 0 ? {} : { XDG_RUNTIME_DIR: runtime };
  return { kind: 'manager', whose: uid === 0 ? 'system' : 'user', run, ctl, env: own };
};

const none = (word: ServiceWord | null): NoManager => ({ kind: 'none', word });

const find = ({ path = '', mayRun }: ManagerHost, program: string): string | null =>
  [...path.split(delimiter).filter((folder) => folder.startsWith('/')), '/usr/bin', '/bin']
    .map((folder) => join(folder, program))
    .find((file) => mayRun(file)) ?? null;

/** This machine, for the caller with this PATH. */
export const thisManagerHost = (path: string | undefined): ManagerHost => ({
  uid: process.getuid?.() ?? 0,
  user: userName(),
  exists: existsSync,
  mayRun: (file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
  path,
});

const userName = (): string | null => {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
};
