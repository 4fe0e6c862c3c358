import { existsSync } from 'node:fs';
import type { ServiceWord } from '../settings/service-word.ts';
import { realCgroupFs } from './cgroup-fs.ts';
import type { SetUpHost } from './set-up.ts';

/** This machine, for set-up. */
export const realSetUpHost = (wanted: boolean, service: ServiceWord | null): SetUpHost => ({
  fs: realCgroupFs,
  procRoot: '/proc',
  wanted,
  pid: process.pid,
  systemd: existsSync('/run/systemd/system'),
  service,
  pause: (ms) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  },
});
