import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunJson } from '../../../src/wire/api.ts';
import type { Orca } from '../../e2e/support/orca.ts';
import { plainSubmission } from '../../e2e/support/plain-submission.ts';
import { until } from '../../e2e/support/until.ts';
import { fillFromMib, type Death } from './deaths.ts';
import { fillMachine } from './fill-machine.ts';
import { PatientClient } from './patient-client.ts';
import { duringStorm } from './during-storm.ts';
import { eat } from './place.ts';

/** A death that was brought about, and what orca made of it. */
export interface Seen {
  readonly death: Death;
  readonly run: RunJson;
}

const submitAtOnce = 12;

/**
 * Runs them all under one orca, does to each what is to be done to it, and gives their ends in the same order. The name is given once
 * to an orca: submissions of one name are the same.
 */
export const bringAbout = async (orca: Orca, name: string, deaths: readonly Death[]): Promise<Seen[]> => {
  const client = new PatientClient(orca.state);
  const goOf = (index: number): string => join(orca.folder, `go-${name}-${index}`);
  const submit = (death: Death, index: number): Promise<number> => {
    const bytes = death.limitMib * 1048576;
    return client.submit({
      ...plainSubmission(`${name}-${index}`, [eat, ...death.words.map((word) => (word === 'GO' ? goOf(index) : word))]),
      memory: { min_bytes: bytes, max_bytes: bytes },
      timeout_ms: death.timeoutMs,
    });
  };
  const runs: number[] = [];
  while (runs.length < deaths.length) {
    const from = runs.length;
    const some = deaths.slice(from, from + submitAtOnce);
    runs.push(...(await Promise.all(some.map((death, index) => submit(death, from + index)))));
  }

  const last = new Map<number, RunJson>();
  const deeds = new Map<number, Promise<void>>();
  // Without its deed a run would not end.
  const failure = Promise.withResolvers<never>();
  const watched = client.watch(runs, (run) => {
    last.set(run.id, run);
    const index = runs.indexOf(run.id);
    const death = deaths[index];
    if (death === undefined || run.state !== 'running' || deeds.has(run.id)) return;
    const deed = doDeed(orca, client, { death, run, go: goOf(index) });
    deed.catch(failure.reject);
    deeds.set(run.id, deed);
  });
  await Promise.race([watched, failure.promise]);
  await Promise.all(deeds.values());
  return deaths.map((death, index) => {
    const run = last.get(runs[index] ?? 0);
    if (run === undefined) throw new Error(`Nothing was heard of run ${runs[index]}`);
    return { death, run };
  });
};

const doDeed = async (
  orca: Orca,
  client: PatientClient,
  { death, run, go }: { death: Death; run: RunJson; go: string },
): Promise<void> => {
  const killByHand = (): void => void process.kill(pidOf(run), 'SIGKILL');
  const killByOrca = (): Promise<void> => client.kill(run.id, 'the suite');
  switch (death.deed) {
    case 'nothing':
      return;
    case 'kill -9':
      return killByHand();
    case 'kill through orca':
      return killByOrca();
    case 'storm, then kill -9':
      return duringStorm(killByHand);
    case 'storm, then kill through orca':
      return duringStorm(killByOrca);
    case 'storm, then go':
      return duringStorm(() => writeFileSync(go, ''));
    case 'kill the daemon, then go':
      killDaemon(orca);
      writeFileSync(go, '');
      await orca.run(['up']);
      return;
    case 'fill the machine':
      await until(() => (residentMib(pidOf(run)) >= fillFromMib ? true : null), 'the run has its memory');
      return fillMachine();
  }
};

const pidOf = (run: RunJson): number => {
  const pid = run.starts.at(-1)?.pid;
  if (pid == null) throw new Error(`Run ${run.id} is running and has no pid`);
  return pid;
};

const residentMib = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Another such deed may have been quicker, and the next daemon not there yet. */
const killDaemon = (orca: Orca): void => {
  try {
    orca.killDaemon();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};
