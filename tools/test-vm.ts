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

type Say = (line: string) => void;

/** Builds the machine in a folder that goes afterwards, and runs it. */
const runInMachine = async (job: Job, say: Say): Promise<Outcome> => {
  needPackages({ systemd: job.machine === 'systemd' });
  const folder = mkdtempSync(join(tmpdir(), 'orca-vm-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const parts = await partsOf(job, { root, cache: cacheFolder(), folder });
  return runMachine(parts, job.deadlineMinutes * 60_000, say);
};

const tell = (outcome: Outcome, { deadlineMinutes }: Job, since: number, say: Say): number => {
  if (outcome.how === 'late') {
    say(`The virtual machine was switched off: it did not end within ${deadlineMinutes} minutes.`);
    return 1;
  }
  if (outcome.how === 'broken') {
    say([...outcome.before.slice(-40), 'The virtual machine ended, and what it ran had not.'].join('\n'));
    return 1;
  }
  const seconds = Math.round((performance.now() - since) / 1000);
  say(`The virtual machine took ${seconds} s in all, ${outcome.bootSeconds} s of them to boot.`);
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
  const statuses = await runAll(jobsOf(words), cgroup);
  // What failed outweighs what could not be run.
  return statuses.find((status) => status !== 0 && status !== 120) ?? Math.max(0, ...statuses);
};

/** All at once, since each keeps little more than one processor busy. What they say is told one after the other. */
const runAll = async (jobs: readonly Job[], cgroup: string | null): Promise<number[]> => {
  let before: Promise<unknown> = Promise.resolve();
  const running = jobs.map((job, index) => {
    const held: string[] = [];
    const say: Say = index === 0 ? console.log : (line) => void held.push(line);
    const status = run(job, cgroup, say).catch((error: unknown) => toldCannot(error, say));
    before = Promise.all([before, status]).then(() => held.forEach((line) => console.log(line)));
    return status;
  });
  await before;
  return Promise.all(running);
};

const run = async (job: Job, cgroup: string | null, say: Say): Promise<number> => {
  if (cgroup === null) {
    const since = performance.now();
    return tell(await runInMachine(job, say), job, since, say);
  }
  if (job.machine === 'plain') return runHere(root, cgroup, job);
  say('The tests under systemd need a virtual machine (ORCA_TEST_VM=qemu): skipped.');
  return 0;
};

const toldCannot = (error: unknown, say: Say): number => {
  if (!(error instanceof Cannot)) throw error;
  say(error.message);
  return 120;
};

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => toldCannot(error, console.error));
