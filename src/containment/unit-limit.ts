import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Bytes } from '../units/brands.ts';

/** The service that a client had systemd make for a daemon (src/client/start-service.ts): its limit is orca's to set, through systemd. */
export interface OwnUnit {
  readonly name: string;
  /** Null: of the machine's systemd. */
  readonly ofUser: number | null;
}

export const ownUnit = (base: string): OwnUnit | null => {
  const name = basename(base);
  if (!/^orca-[0-9a-f]{8}\.service$/.test(name)) return null;
  const uid = /\/user@(\d+)\.service\//.exec(base)?.[1];
  return { name, ofUser: uid === undefined ? null : Number(uid) };
};

/** Has systemd set the unit's `MemoryMax=`, until it is gone; null when it did, else its words. */
export type SetUnitLimit = (unit: OwnUnit, limit: Bytes | 'max') => string | null;

const patienceMs = 5000;

export const setUnitLimit: SetUnitLimit = ({ name, ofUser }, limit) => {
  const value = `MemoryMax=${limit === 'max' ? 'infinity' : limit}`;
  const args = [...(ofUser === null ? [] : ['--user']), '--no-ask-password', 'set-property', '--runtime', name, value];
  const runtime = ofUser === null ? '/run' : `/run/user/${ofUser}`;
  const env = { PATH: '/usr/bin:/bin', ...(ofUser === null ? {} : { XDG_RUNTIME_DIR: runtime }) };
  const { status, stderr, error } = spawnSync('systemctl', args, { env, encoding: 'utf8', timeout: patienceMs });
  if (status !== 0) return error?.message ?? (stderr.trim().split('\n').at(-1) || `systemctl ended with ${status}`);
  if (limit === 'max') {
    // What systemd wrote down for the unit would stay when the unit, whose name does not come again, is gone.
    const kind = ofUser === null ? 'system' : 'user';
    rmSync(join(runtime, 'systemd', `${kind}.control`, `${name}.d`), { recursive: true, force: true });
  }
  return null;
};
