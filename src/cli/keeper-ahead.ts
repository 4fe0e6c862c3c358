import { join } from 'node:path';
import type { Finding } from './doctor.ts';

export interface KeeperAhead {
  /** The package's folder, in which `native/` lies. */
  readonly root: string;
  /** ORCA_KEEPER. */
  readonly choice: 'auto' | 'native' | 'sh';
  /** `linux-x64`. */
  readonly platform: string;
  readonly isExecutable: (file: string) => boolean;
}

/** The next daemon has the environment of the one before, unless it is started from here. */
export const noMoreSh = 'orca down; ORCA_KEEPER=auto orca up';

/** Which keeper a daemon that is started from here would look for. Whether a program that is there works, the daemon tries itself. */
export function keeperAhead({ root, choice, platform, isExecutable }: KeeperAhead): Finding {
  const what = 'keeper';
  const sh = 'sh: no resource usage, signals are guessed';
  if (choice === 'sh') return { what, level: 'warn', found: `${sh}; ORCA_KEEPER is sh`, help: noMoreSh };
  const native = join(root, 'native');
  const places = [join(native, 'build/orca-keep'), join(native, 'prebuilt', platform, 'orca-keep')];
  const there = places.find(isExecutable);
  if (there !== undefined) return { what, level: 'ok', found: `native: ${there}`, help: null };
  const missing = `neither ${places.join(' nor ')} is there`;
  const build = `sh ${join(native, 'build.sh')} ${places[0]}`;
  const help = `install a C compiler (Debian: apt-get install gcc libc6-dev), then \`${build}\``;
  return choice === 'native'
    ? { what, level: 'broken', found: `ORCA_KEEPER is native, and ${missing}`, help }
    : { what, level: 'warn', found: `${sh}; ${missing}`, help };
}
