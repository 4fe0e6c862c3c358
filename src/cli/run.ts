import { rmSync } from 'node:fs';
import type { DaemonClient } from '../client/daemon-client.ts';
import { mayStartTwice } from '../runs/retry.ts';
import type { KnownRunJson, RunJson, StdinRequest } from '../wire/api.ts';
import type { Context } from './context.ts';
import type { EnvironmentOptions } from './environment-options.ts';
import { exitStatus } from './exit-status.ts';
import { isFinalState } from './final-state.ts';
import { IdFile } from './id-file.ts';
import { callerInside } from './caller-inside.ts';
import { lastLostOutput } from './lost-output.ts';
import { keyOf } from './key-options.ts';
import { knownWords } from './known-words.ts';
import { openClientToSubmit } from './open-client.ts';
import { advising } from './output.ts';
import { watchOwnedRun, type OwnedRun } from './owned-run.ts';
import { RunSignals } from './run-signals.ts';
import type { RequestOptions } from './request-options.ts';
import { printJson, say } from './say.ts';
import { stdinRequest } from './stdin-request.ts';
import { submission, submissionFields, type SubmissionFields } from './submission.ts';
import { warnDifferences } from './warn-differences.ts';
import { warnEnvironment } from './warn-environment.ts';
import { warnOutside } from './warn-outside.ts';
import { summaryWords } from './words.ts';

export interface RunOptions extends RequestOptions, EnvironmentOptions {
  readonly live?: boolean;
  readonly json?: boolean;
}

/** `orca run`: submits one command that belongs to this process, shows it, and exits as it did. */
export async function run(context: Context, command: readonly string[], options: RunOptions): Promise<number> {
  const fields = await submissionFields(context, options);
  const key = keyOf(options);
  const idFile = options.idFile === undefined ? null : IdFile.check(context, options.idFile);
  using signals = new RunSignals(context);
  const client = openClientToSubmit(context, fields.secrets);
  await warnDifferences(context, client);
  await warnEnvironment(context, fields.env);
  await warnOutside(context, [command]);
  const owner = context.newToken();
  const stdin = await stdinRequest(context, client.place.state, owner, options.stdin, signals.left);
  if (stdin === null) return leftStatus(signals);
  signals.submitting();
  const settings = keepsAll(context, options) ? { ...fields.settings, ORCA_LOG_MAX_MB: '0' } : fields.settings;
  const more = { settings, ...callerInside(context, client), ...(key !== null && { keys: [key] }) };
  const submitted = submitOwned(client, { ...fields, ...more }, { command, stdin, owner });
  const accepted = await Promise.race([submitted, aborted(signals.left)]);
  if (accepted === null) return leftStatus(signals);
  const { id, known, warning } = accepted;
  signals.attach(client, id, known === null ? owner : null);
  const idFault = idFile?.write([String(id)]) ?? null;
  if (idFault !== null) await say(context, `run ${id} is accepted, but ${idFault}`);
  if (warning !== null) await say(context, warning);
  if (known !== null) await say(context, followWords(known, context.clock.now()));
  let closed = false;
  const owned: OwnedRun = {
    id,
    owner: known === null ? owner : null,
    stdout: stdoutWanted(context, known === null ? fields : await askedOf(client, id), options),
    leave: signals.left,
    hurried: () => signals.interrupted,
    onNews: (news) => signals.update(news),
    outputClosed: () => {
      closed = true;
      signals.kill('closed output of orca run');
    },
  };
  const whole = `The whole output is kept: \`orca logs ${id} --stdout > FILE\` writes it again.`;
  const ended = await advising(whole, () => watchOwnedRun(context, client, owned));
  if (ended === null) return leftStatus(signals);
  // As `head` ends a pipeline: who has read enough wants to hear no more.
  if (!closed) await tell(context, ended, options);
  return ended.exit_status ?? exitStatus.waitBroke;
}

/** A file or a pipe gets the whole output, however large: none of it may be cut out of the log that it is read from. */
const keepsAll = ({ out }: Context, { json }: RunOptions): boolean => !out.isTTY && json !== true;

function leftStatus(signals: RunSignals): number {
  if (signals.gaveUp) return exitStatus.waitBroke;
  if (signals.letGo) return exitStatus.interrupted;
  return signals.hungUp ? exitStatus.detached : exitStatus.killed;
}

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });

/** A file or a pipe must never get two programs' bytes, so it gets only the final start's; `--json` is alone on standard output. */
function stdoutWanted(
  context: Context,
  { memory, retries }: Pick<SubmissionFields, 'memory' | 'retries'>,
  options: RunOptions,
): 'live' | 'final' | 'none' {
  if (options.json === true) return 'none';
  const request = memory === null ? null : { min: memory.min_bytes, max: memory.max_bytes };
  return options.live === true || context.out.isTTY || !mayStartTwice({ request, retries }) ? 'live' : 'final';
}

async function submitOwned(
  client: DaemonClient,
  fields: SubmissionFields,
  { command, stdin, owner }: { command: readonly string[]; stdin: StdinRequest; owner: string },
): Promise<{ id: number; known: KnownRunJson | null; warning: string | null }> {
  try {
    const answer = await client.submit(submission(fields, { token: owner, commands: [command], stdin, owner }));
    const id = answer.runs[0];
    if (id === undefined) throw new Error('the daemon gave no run number');
    return { id, known: answer.known?.[0] ?? null, warning: answer.warning ?? null };
  } catch (cause) {
    // Nobody will read it: the daemon took nothing over.
    if (stdin.kind === 'spool') rmSync(stdin.path, { force: true });
    throw cause;
  }
}

/** What was asked for a run that is there, as a submission has it. */
async function askedOf(client: DaemonClient, id: number): Promise<Pick<SubmissionFields, 'memory' | 'retries'>> {
  const { request, retries } = await client.run(id);
  const { memory_min_bytes: least, memory_max_bytes: most } = request;
  return { retries, memory: least === null ? null : { min_bytes: least, max_bytes: most ?? least } };
}

const followWords = (known: KnownRunJson, now: number): string =>
  `${knownWords(known, now)}; ${isFinalState(known.state) ? 'it is not run again' : 'waiting for it'}`;

async function tell(context: Context, ended: RunJson, options: RunOptions): Promise<void> {
  if (options.json === true) {
    const advice = `Run ${ended.id} is over (${ended.state}): \`orca status ${ended.id} --json\` prints it again.`;
    await advising(advice, () => printJson(context.out, ended));
  } else if (context.err.isTTY || ended.state !== 'succeeded' || lastLostOutput(ended))
    await say(context, summaryWords(ended));
}
