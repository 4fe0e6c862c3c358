import { commandName } from '../runs/command-name.ts';
import { defaultKeyWindow } from '../runs/key.ts';
import { memoryVariable } from '../runs/memory-env.ts';
import { noNeeds } from '../runs/needs.ts';
import { usualOomRules } from '../runs/oom-rules.ts';
import { acceptRuns, type Accepted, type Asked } from '../store/accept-runs.ts';
import { addEvents } from '../store/events.ts';
import type { NewRun } from '../store/insert-runs.ts';
import type { Tx } from '../store/schema.ts';
import { bytes, millis, type Millis } from '../units/brands.ts';
import type { SubmitAnswer, SubmitRequest } from '../wire/api.ts';
import { extrasOf, needsOf } from './asked.ts';
import { checkCommands } from './check-commands.ts';
import { checkRequest } from './check-request.ts';
import { captureEnvironments } from './environment.ts';
import { enqueue } from './enqueue.ts';
import { loadLearned } from './learned.ts';
import { checkFitsInside } from './fits-inside.ts';
import type { LiveStart } from './live-start.ts';
import { ancestors, cpusWithin, parentOf } from './nested.ts';
import { knownRaise } from './raises.ts';
import { checkRoom } from './room-for.ts';
import type { Scheduler } from './scheduler.ts';
import { dropClientSpool, takeSpool } from './spool.ts';
import { warnWeakSecrets } from './warn-weak-secrets.ts';
import { submittedSecrets, type SubmittedSecrets } from './submitted-secrets.ts';

/** What is submitted, and what is known of it only in the command that stores it. */
export interface Submitting {
  readonly given: SubmitRequest;
  /** For how long a success holds its key against them, where that is not the window that they are to have themselves. */
  readonly heldFor?: number;
  readonly settle?: (tx: Tx, asked: Asked) => Promise<Asked>;
  readonly accepted?: (accepted: Accepted) => void;
}

/** Accepts runs: refused before anything changes, or on disk when this resolves. The same token gives the same runs. */
export const submit = async (scheduler: Scheduler, given: SubmitRequest): Promise<SubmitAnswer> => {
  const [answer] = await submitAll(scheduler, [{ given }]);
  if (answer === undefined) throw new RangeError('one answer for each submission');
  return answer;
};

/** The same of several, in their order: all in one commit, or none. */
export const submitAll = async (scheduler: Scheduler, all: readonly Submitting[]): Promise<SubmitAnswer[]> => {
  const { store } = scheduler;
  const prepared: Prepared[] = [];
  for (const one of all) prepared.push(await prepare(scheduler, one));
  const environments = captureEnvironments(
    scheduler.state,
    prepared.map(({ secrets }) => secrets.env),
  );
  let entering = 0;
  const accepted = await store
    .command(async (tx) => {
      const stored: Accepted[] = [];
      for (const [at, one] of prepared.entries()) {
        const now = await accept(scheduler, tx, one, (count) => {
          entering += count;
          scheduler.entering += count;
        });
        // Before the commit: a run that is accepted has its files.
        for (const { id } of now.made) environments.give(at, id);
        stored.push(now);
      }
      return stored;
    })
    // A start need not wait for the disk; whoever submitted must: only what is on disk is acknowledged.
    .then((stored) => {
      admitNew(scheduler, prepared, stored);
      return stored;
    })
    .catch((error: unknown) => {
      environments.drop();
      throw error;
    })
    .finally(() => (scheduler.entering -= entering));
  await Promise.all([environments.toDisk(), store.onDisk()]);
  const answers: SubmitAnswer[] = [];
  for (const [at, { request, secrets }] of prepared.entries()) {
    dropClientSpool(request.stdin);
    const warning = await warnWeakSecrets(scheduler, secrets);
    const { ids = [], known = [], group = null } = accepted[at] ?? {};
    answers.push({ runs: ids, group, known, ...(warning === null ? {} : { warning }) });
  }
  return answers;
};

interface Prepared extends Submitting {
  readonly request: SubmitRequest;
  readonly asked: Asked;
  readonly secrets: SubmittedSecrets;
}

const prepare = async (scheduler: Scheduler, submitting: Submitting): Promise<Prepared> => {
  const { given, heldFor = given.key_window_ms ?? defaultKeyWindow } = submitting;
  const parent = parentOf(scheduler, given);
  const request = cpusWithin(parent, given);
  if (parent !== null) checkFitsInside(parent, request);
  checkRequest(scheduler, request, parent);
  for (const one of request.memory_env ?? []) memoryVariable(one);
  await checkCommands(request);
  const secrets = submittedSecrets(scheduler, parent, request);
  const now = scheduler.host.now();
  const asked: Asked = {
    token: request.token,
    runs: newRuns(scheduler, request, parent, secrets.ids, now),
    group: request.group ?? null,
    keyWindow: millis(heldFor),
    inside: ancestors(scheduler, parent),
    now,
    checkRoom: (fresh) => checkRoom(scheduler, fresh, request.more ?? 0),
  };
  return { ...submitting, request, asked, secrets };
};

const accept = async (
  scheduler: Scheduler,
  tx: Tx,
  { request, settle, asked: before, accepted: note }: Prepared,
  enter: (count: number) => void,
): Promise<Accepted> => {
  const asked = settle === undefined ? before : await settle(tx, before);
  const accepted = await acceptRuns(tx, asked);
  const { made } = accepted;
  enter(made.length);
  await loadLearned(
    scheduler,
    tx,
    made.map(({ run }) => commandName(run)),
  );
  for (const { id } of made) takeSpool(scheduler.state, request.stdin, id);
  await addEvents(
    tx,
    made.map(({ id, run }) => ({ run: id, at: asked.now, kind: 'submitted', data: { argv: run.argv } })),
  );
  note?.(accepted);
  return accepted;
};

/** Puts what was committed into the queue. */
const admitNew = (scheduler: Scheduler, prepared: readonly Prepared[], accepted: readonly Accepted[]): void => {
  for (const [at, { request, secrets }] of prepared.entries()) {
    const made = accepted[at]?.made ?? [];
    for (const { id, run } of made) {
      if (secrets.kept.size > 0) scheduler.keptSecrets.set(id, secrets.kept);
      enqueue(scheduler, {
        id,
        not_before: null,
        paused: null,
        ...run,
        placement: run.placement ?? null,
        parent_run: run.parent?.run ?? null,
        raised_bytes: run.raised_bytes ?? null,
        submitter: run.submitter ?? null,
        command: commandName(run),
        needs: run.needs ?? noNeeds,
        group_id: run.group_id ?? null,
        current_start: 0,
        damage: null,
        held: null,
      });
    }
    if (made.length > 0 && request.owner !== null) scheduler.owners.expect(request.owner, scheduler.ownerPatience);
  }
  if (accepted.every(({ made }) => made.length === 0)) return;
  scheduler.eventsWritten.raise();
  scheduler.moved.raise();
};

const newRuns = (
  scheduler: Scheduler,
  request: SubmitRequest,
  parent: LiveStart | null,
  secrets: SubmittedSecrets['ids'],
  now: Millis,
): NewRun[] => {
  const size = {
    memory_min_bytes: request.memory === null ? null : bytes(request.memory.min_bytes),
    memory_max_bytes: request.memory === null ? null : bytes(request.memory.max_bytes),
  };
  const needs = needsOf(request);
  const extras = extrasOf(request);
  return request.commands.map((argv, index) => ({
    name: request.name,
    argv,
    cwd: request.cwd,
    umask: request.umask,
    env_file: true,
    cpus_milli: Math.round(request.cpus * 1000),
    ...size,
    raised_bytes: knownRaise(scheduler, { argv, cwd: request.cwd, ...size }),
    retries: request.retries,
    timeout_ms: request.timeout_ms === null ? null : millis(request.timeout_ms),
    priority: request.priority,
    stdin: request.stdin,
    owner: request.owner,
    settings: request.settings,
    ...(request.oom === undefined ? {} : { oom: { ...usualOomRules, ...request.oom } }),
    parent: parent === null ? null : { run: parent.run, start: parent.start },
    ...(needs === undefined ? {} : { needs }),
    ...(extras === undefined ? {} : { extras }),
    submitter: request.submitter ?? null,
    key: request.keys?.[index] ?? null,
    // Inside another run it is where that one is.
    placement: parent === null ? (request.placement ?? null) : null,
    ...(Object.keys(secrets).length === 0 ? {} : { secrets }),
    submitted_at: now,
  }));
};
