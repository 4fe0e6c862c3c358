import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { RunJson } from '../../src/wire/api.ts';
import { Ledger } from './support/ledger.ts';
import { Orca } from './support/orca.ts';
import { alive, killHard, parentOf } from './support/processes.ts';
import { randomFrom } from './support/random.ts';

const seed = Number(process.env['ORCA_TEST_SEED'] ?? 20261130);
/** 200 is the long form. */
const kills = Number(process.env['ORCA_TEST_KILLS'] ?? 25);
const runs = Math.round(kills * 2.4);
const retries = 3;
/** Every second run holds one of them. */
const locks = ['a', 'b'] as const;

type Victim = 'daemon' | 'resident' | 'keeper' | 'daemon and resident' | 'daemon and keeper';
const victims: readonly Victim[] = [
  'daemon',
  'daemon',
  'resident',
  'keeper',
  'keeper',
  'daemon and resident',
  'daemon and keeper',
];

/** What the kills took, and what may be said of the runs for it. */
interface Killed {
  readonly counts: Map<Victim, number>;
  /** `<run>.<start>` of every keeper that was killed. */
  readonly keepers: Set<string>;
}

/** Keepers that run now, by their start. */
const keepersOf = (orca: Orca): { start: string; pid: number }[] =>
  readdirSync(join(orca.state, 'starts')).flatMap((start) => {
    const [run, number] = start.split('.').map(Number);
    const pid = orca.keeperPid(run ?? 0, number);
    return pid !== null && alive(pid) ? [{ start, pid }] : [];
  });

/** A keeper that was just forked is called as its parent for a moment, and is not meant. */
const residentsOf = (orca: Orca): number[] => {
  const named = orca.residents();
  return named.filter((pid) => !named.includes(parentOf(pid) ?? 0));
};

const killOne = async (
  orca: Orca,
  victim: Victim,
  pick: <T>(list: readonly T[]) => T | undefined,
  killed: Killed,
): Promise<void> => {
  const pids: number[] = [];
  if (victim.includes('daemon')) pids.push(orca.daemonPid() ?? 0);
  if (victim.includes('resident')) pids.push(...residentsOf(orca));
  if (victim.includes('keeper')) {
    const keeper = pick(keepersOf(orca));
    if (keeper === undefined) return;
    killed.keepers.add(keeper.start);
    pids.push(keeper.pid);
  }
  await killHard(...pids.filter((pid) => pid > 0 && alive(pid)));
  killed.counts.set(victim, (killed.counts.get(victim) ?? 0) + 1);
};

const lostStarts = ({ id, starts }: RunJson): string[] =>
  starts.filter(({ verdict }) => verdict === 'lost').map(({ start }) => `${id}.${start}`);

/** The commands only ever succeed: anything else is true only of a run that lost its keeper in every start it may have. */
const endedTruly = ({ state, ended, lost }: { state: string; ended: number; lost: readonly string[] }): boolean =>
  state === 'succeeded' ? ended > 0 : state === 'lost' && lost.length > retries;

const report = (t: TestContext, rows: Readonly<Record<string, string | number>>): void => {
  for (const [what, value] of Object.entries(rows)) t.diagnostic(`${what.padEnd(40)} ${value}`);
};

const total = ({ counts }: Killed): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

test(`${kills} random kills: no run is forgotten, stuck, without a true end, or twice at the same time`, async (t) => {
  const orca = new Orca(t, { ORCA_CAPACITY_CPUS: '3', ORCA_RETRY_DELAY_SECONDS: '0.1' });
  const ledger = new Ledger(orca.folder);
  const random = randomFrom(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const killed: Killed = { counts: new Map(), keepers: new Set() };
  const numbers = Array.from({ length: runs }, (_, index) => index + 1);
  await orca.run(['up']);

  const submitAll = async (): Promise<void> => {
    for (const number of numbers) {
      const timed = ledger.timed(`run ${number}`, 0.2 + random() * 1.3);
      const lock = number % 2 === 0 ? locks[(number / 2) % 2] : undefined;
      const [options, command] =
        lock === undefined ? [[], timed] : [['--lock', lock], ledger.alone(`lock ${lock}`, timed)];
      assert.equal(await orca.submit('--retries', String(retries), ...options, '--', ...command), number);
    }
  };
  const killAll = async (): Promise<void> => {
    while (total(killed) < kills) {
      await setTimeout(random() * 700);
      await killOne(orca, pick(victims) ?? 'daemon', pick, killed);
      // With neither daemon nor resident left it is a person's next command that goes on.
      if (orca.residents().length === 0) await orca.run(['list']);
    }
  };
  await Promise.all([submitAll(), killAll()]);
  const waitForAll = () => orca.run(['wait', '--json', '--timeout', '50s', ...numbers.map(String)]);
  let { status, stdout, stderr } = await waitForAll();
  for (let waited = 1; status === 124 && waited * 100 < kills; waited += 1)
    ({ status, stdout, stderr } = await waitForAll());

  const lines = stdout.split('\n').slice(0, -1);
  const ended = lines.map((line) => JSON.parse(line) as RunJson);
  const stories = ended.map((run) => ({ ...run, ...ledger.read(`run ${run.id}`), lost: lostStarts(run) }));
  const lost = stories.flatMap((story) => story.lost);
  // Every slot and lock is free again, or this one waits for ever.
  const last = await orca.submit('--cpus', '3', ...locks.flatMap((lock) => ['--lock', lock]), '--', 'true');
  const leaked = (await orca.run(['wait', '--timeout', '30s', String(last)])).status !== 0;
  const wrong = {
    forgotten: runs - ended.length,
    'without a true end': stories.filter((story) => !endedTruly(story)).length,
    'two at the same time': stories.reduce((sum, { doubled }) => sum + doubled, 0),
    'two that hold the same lock': locks.reduce((sum, lock) => sum + ledger.taken(`lock ${lock}`), 0),
    'slots or locks leaked': leaked ? 1 : 0,
    'begun and not counted': stories.filter(({ begun, starts_count: starts }) => begun.length > starts).length,
    // A keeper that is killed when its command has just ended takes that end with it.
    'begun again after a known end': stories.filter((story) => story.ended > 1 + story.lost.length).length,
    'lost though no keeper was killed': lost.filter((start) => !killed.keepers.has(start)).length,
    'still running': keepersOf(orca).length,
  };
  const states = new Map<string, number>();
  for (const { state } of ended) states.set(state, (states.get(state) ?? 0) + 1);
  report(t, {
    seed,
    runs: [...states].map(([state, count]) => `${count} ${state}`).join(', '),
    kills: [...killed.counts].map(([victim, count]) => `${count} ${victim}`).join(', '),
    'starts lost with their keeper': lost.length,
    ...wrong,
  });
  const odd = stories.filter((story) => !endedTruly(story));
  assert.deepEqual(
    wrong,
    Object.fromEntries(Object.keys(wrong).map((what) => [what, 0])),
    JSON.stringify(odd, null, 1),
  );
  const allSucceeded = ended.every(({ state }) => state === 'succeeded');
  assert.equal(status === 0, allSucceeded, `wait ended with ${status}: ${stderr}`);
});
