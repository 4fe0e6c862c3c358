import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pair } from './frames.ts';
import type { Resident } from './resident.ts';

/** What a daemon that the resident starts does: a piece of `sh`, with the stream on descriptor 3. */
export const behaviour = {
  fails: 'exit 1',
  notInCharge: 'exit 3',
  /** Stays until the file `leave` is there, then says goodbye (a frame of 11 bytes). */
  stays:
    'while [ ! -e "$DIR/leave" ]; do sleep 0.02; done; printf "\\0\\0\\0\\013\\0\\0\\0\\007goodbye" >&3; cat <&3 >/dev/null',
} as const;

/** Writes the program and gives the keys that name it; each of its starts is a line in `<name>.starts`. */
export const fakeDaemon = (resident: Resident, name: string, script: string): Pair[] => {
  const path = join(resident.dir, `${name}.sh`);
  writeFileSync(
    path,
    `echo "$ORCA_KEEPER_FD $0 $(date +%s%N)" >> "$DIR/${name}.starts"; echo "a line of ${name}"; ${script}\n`,
  );
  return [
    ['arg', 'sh'],
    ['arg', path],
    ['env', `PATH=${process.env['PATH'] ?? ''}`],
    ['env', `DIR=${resident.dir}`],
    ['env', 'ORCA_KEEPER_FD=77'],
    ['env', `ORCA_NATIVE_TEST=${resident.token}`],
    ['log', join(resident.dir, `${name}.log`)],
  ];
};

export const startsOf = (resident: Resident, name: string): string[] => {
  const path = join(resident.dir, `${name}.starts`);
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
};

export const letLeave = (resident: Resident): void => writeFileSync(join(resident.dir, 'leave'), '');
