/**
 * The tests that need a real kernel: `npm run test:vm -- [NAME…]`. They run once in one virtual machine, or directly where this machine
 * has a cgroup v2 of its own with the memory controller; those under systemd always in a virtual machine (`systemd` as the first NAME: only
 * those). ORCA_TEST_VM=qemu or here decides otherwise. Ends with the suite's status;
 * 120 when it could not be run. `npm run test:vm -- --bench NAME [ARGUMENT…]` runs `bench/NAME.ts` there in place of the tests.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cannot } from './vm/cannot.ts';
import { jobsOf, type Job } from './vm/job.ts';
import { runMachine, type Outcome } from './vm/machine.ts';
import { ownCgroup } from './vm/own-cgroup.ts';
import { needPackages } from './vm/packages.ts';
import { partsOf } from './vm/parts.ts';
import { runHere } from './vm/run-here.ts';

const root = join(import.meta.dirname, '..');

const cacheFolder = (): string => join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'orca-vm');

/** Builds the machine in a folder that goes afterwards, and runs it. */
const runInMachine = async (job: Job): Promise<Outcome> => {
  needPackages({ systemd: job.machine === 'systemd' });
  const folder = mkdtempSync(join(tmpdir(), 'orca-vm-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const parts = await partsOf(job, { root, cache: cacheFolder(), folder });
  return runMachine(parts, job.deadlineMinutes * 60_000, (line) => console.log(line));
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
  const where = process.env['ORCA_TEST_VM'] ?? 'auto';
  const cgroup = where === 'qemu' ? null : ownCgroup();
  if (cgroup === null && where === 'here')
    throw new Cannot('This machine has no cgroup v2 of its own with the memory controller.');
  if (cgroup === null && (process.platform !== 'linux' || process.arch !== 'x64'))
    throw new Cannot('The virtual machine is made for Linux on x64, and this machine is another.');
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(120));
  let status = 0;
  for (const job of jobsOf(words)) {
    const own = await run(job, cgroup).catch(toldCannot);
    // What failed outweighs what could not be run.
    if (status === 0 || (own !== 0 && own !== 120)) status = own;
  }
  return status;
};

const run = async (job: Job, cgroup: string | null): Promise<number> => {
  if (cgroup === null) {
    const since = performance.now();
    return tell(await runInMachine(job), job, since);
  }
  if (job.machine === 'plain') return runHere(root, cgroup, job);
  console.error('The tests under systemd need a virtual machine (ORCA_TEST_VM=qemu): skipped.');
  return 0;
};

const toldCannot = (error: unknown): number => {
  if (!(error instanceof Cannot)) throw error;
  console.error(error.message);
  return 120;
};

process.exitCode = await main(process.argv.slice(2)).catch(toldCannot);
