/**
 * The tests that need a real kernel: `npm run test:vm -- [NAME…]`. They run once in one virtual machine, or directly where this machine
 * has a cgroup v2 of its own with the memory controller. ORCA_TEST_VM=qemu or here decides otherwise. Ends with the suite's status;
 * 120 when it could not be run. `npm run test:vm -- --bench NAME [ARGUMENT…]` runs `bench/NAME.ts` there in place of the tests.
 */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeArchive } from './vm/archive.ts';
import { baseArchive } from './vm/base.ts';
import { Cannot } from './vm/cannot.ts';
import { jobEntries } from './vm/job-entries.ts';
import { jobOf, type Job } from './vm/job.ts';
import { kernelIn } from './vm/kernel.ts';
import { runMachine, type Outcome } from './vm/machine.ts';
import { ownCgroup } from './vm/own-cgroup.ts';
import { needPackages } from './vm/packages.ts';
import { runHere } from './vm/run-here.ts';

const root = join(import.meta.dirname, '..');
const diskBytes = 1 << 30;

const cacheFolder = (): string => join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'orca-vm');

/** Builds the machine in a folder that goes afterwards, and runs it. */
const runInMachine = async (job: Job): Promise<Outcome> => {
  needPackages();
  const kernel = kernelIn(cacheFolder());
  const base = baseArchive(cacheFolder(), kernel);
  const folder = mkdtempSync(join(tmpdir(), 'orca-vm-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(120));
  const initrd = join(folder, 'initrd');
  const own = join(folder, 'own.cpio');
  const disk = join(folder, 'disk');
  // One archive after the other is one archive to the kernel.
  copyFileSync(base, initrd);
  writeArchive(own, await jobEntries(root, folder, job));
  appendFileSync(initrd, readFileSync(own));
  writeFileSync(disk, '');
  truncateSync(disk, diskBytes);
  return runMachine({ kernel, initrd, disk }, job.deadlineMinutes * 60_000, (line) => console.log(line));
};

const tell = (outcome: Outcome, { deadlineMinutes }: Job, since: number): number => {
  if (outcome.how === 'late') {
    console.error(`The virtual machine was switched off: it did not end within ${deadlineMinutes} minutes.`);
    return 1;
  }
  if (outcome.how === 'broken') {
    console.error([...outcome.before.slice(-40), 'The virtual machine ended, and what it ran had not.'].join('\n'));
    return 1;
  }
  const seconds = Math.round((performance.now() - since) / 1000);
  console.error(`The virtual machine took ${seconds} s in all, ${outcome.bootSeconds} s of them to boot.`);
  return outcome.status;
};

const main = async (words: readonly string[]): Promise<number> => {
  if (!existsSync(join(root, 'native/build/orca-keep')))
    throw new Cannot('The suite needs the native keeper: install a C compiler.');
  const job = jobOf(words);
  const where = process.env['ORCA_TEST_VM'] ?? 'auto';
  const cgroup = where === 'qemu' ? null : ownCgroup();
  if (cgroup !== null) return runHere(root, cgroup, job);
  if (where === 'here') throw new Cannot('This machine has no cgroup v2 of its own with the memory controller.');
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Cannot('The virtual machine is made for Linux on x64, and this machine is another.');
  const since = performance.now();
  return tell(await runInMachine(job), job, since);
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Cannot)) throw error;
  console.error(error.message);
  process.exitCode = 120;
}
