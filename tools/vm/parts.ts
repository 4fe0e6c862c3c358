import { appendFileSync, copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeArchive } from './archive.ts';
import { baseArchive, busyboxEntries, moduleEntries } from './base.ts';
import { jobEntries } from './job-entries.ts';
import type { Job } from './job.ts';
import { kernelIn } from './kernel.ts';
import type { Parts } from './machine.ts';
import { systemdImage } from './systemd-image.ts';

export interface Workshop {
  /** The checkout. */
  readonly root: string;
  /** What is kept from one time to the next. */
  readonly cache: string;
  /** What goes with this process. */
  readonly folder: string;
}

const diskBytes = 1 << 30;

/** What the job's machine is put together from. */
export const partsOf = (job: Job, workshop: Workshop): Promise<Parts> =>
  job.machine === 'plain' ? plainParts(job, workshop) : systemdParts(job, workshop);

/** All of it lies in the archive; the disk is empty. */
const plainParts = async (job: Job, { root, cache, folder }: Workshop): Promise<Parts> => {
  const kernel = kernelIn(cache);
  const base = baseArchive(cache, kernel);
  const [initrd, own, disk] = [join(folder, 'initrd'), join(folder, 'own.cpio'), join(folder, 'disk')];
  // One archive after the other is one archive to the kernel.
  copyFileSync(base, initrd);
  writeArchive(own, await jobEntries(root, folder, job));
  appendFileSync(initrd, readFileSync(own));
  writeFileSync(disk, '');
  truncateSync(disk, diskBytes);
  return { kernel, initrd, disk };
};

/** A Debian with systemd and Node is on the disk; the archive mounts it, and brings the rest. */
const systemdParts = async (job: Job, { root, cache, folder }: Workshop): Promise<Parts> => {
  const kernel = kernelIn(cache);
  const disk = systemdImage(cache);
  const initrd = join(folder, 'initrd');
  writeArchive(initrd, [...busyboxEntries(), ...moduleEntries(kernel), ...(await jobEntries(root, folder, job))]);
  const append = 'systemd.unit=orca-suite.target systemd.show_status=0 loglevel=3';
  return { kernel, initrd, disk, diskStays: true, append };
};
