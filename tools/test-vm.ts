/**
 * The tests that need a real kernel: `npm run test:vm -- [NAME…]`. They run once in one virtual machine, or directly where this machine
 * has a cgroup v2 of its own with the memory controller. ORCA_TEST_VM=qemu or here decides otherwise. Ends with the suite's status;
 * 120 when it could not be run.
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
import { kernelIn } from './vm/kernel.ts';
import { runMachine, type Outcome } from './vm/machine.ts';
import { ownCgroup } from './vm/own-cgroup.ts';
import { needPackages } from './vm/packages.ts';
import { runHere } from './vm/run-here.ts';
import { suiteEntries } from './vm/suite.ts';

const root = join(import.meta.dirname, '..');
const deadlineMinutes = 12;
const diskBytes = 1 << 30;

const cacheFolder = (): string => join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'orca-vm');

/** Builds the machine in a folder that goes afterwards, and runs it. */
const runInMachine = async (args: readonly string[], deadlineMs: number): Promise<Outcome> => {
  needPackages();
  const kernel = kernelIn(cacheFolder());
  const base = baseArchive(cacheFolder(), kernel);
  const folder = mkdtempSync(join(tmpdir(), 'orca-vm-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(120));
  const initrd = join(folder, 'initrd');
  const suite = join(folder, 'suite.cpio');
  const disk = join(folder, 'disk');
  // One archive after the other is one archive to the kernel.
  copyFileSync(base, initrd);
  writeArchive(suite, await suiteEntries(root, folder, args));
  appendFileSync(initrd, readFileSync(suite));
  writeFileSync(disk, '');
  truncateSync(disk, diskBytes);
  return runMachine({ kernel, initrd, disk }, deadlineMs, (line) => console.log(line));
};

const tell = (outcome: Outcome, since: number): number => {
  if (outcome.how === 'late') {
    console.error(`The virtual machine was switched off: it did not end within ${deadlineMinutes} minutes.`);
    return 1;
  }
  if (outcome.how === 'broken') {
    console.error([...outcome.before.slice(-40), 'The virtual machine ended, and the suite had not.'].join('\n'));
    return 1;
  }
  const seconds = Math.round((performance.now() - since) / 1000);
  console.error(`The virtual machine took ${seconds} s in all, ${outcome.bootSeconds} s of them to boot.`);
  return outcome.status;
};

const main = async (names: readonly string[]): Promise<number> => {
  if (!existsSync(join(root, 'native/build/orca-keep')))
    throw new Cannot('The suite needs the native keeper: install a C compiler.');
  const args = names.map((name) => `--test-name-pattern=${name}`);
  const where = process.env['ORCA_TEST_VM'] ?? 'auto';
  const cgroup = where === 'qemu' ? null : ownCgroup();
  if (cgroup !== null) return runHere(root, cgroup, args);
  if (where === 'here') throw new Cannot('This machine has no cgroup v2 of its own with the memory controller.');
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Cannot('The virtual machine is made for Linux on x64, and this machine is another.');
  const since = performance.now();
  return tell(await runInMachine(args, deadlineMinutes * 60_000), since);
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Cannot)) throw error;
  console.error(error.message);
  process.exitCode = 120;
}
