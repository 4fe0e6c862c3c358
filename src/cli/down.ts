import type { DaemonClient } from '../client/daemon-client.ts';
import { lockHolder } from '../client/lock-holder.ts';
import { daemonSilent } from '../client/look.ts';
import type { DaemonJson } from '../wire/api.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { refuseInside } from './refuse-inside.ts';
import { printJson, printLines, say } from './say.ts';

/** How long a daemon that was told to leave may take. */
const patienceMs = 35_000;

/** `orca down`: nothing more is started until `orca up`, and the daemon leaves. Running runs stay with their keepers, or end first with `--drain`, unless `orca up` comes meanwhile. */
export async function down(context: Context, options: { drain?: boolean; json?: boolean }): Promise<number> {
  const client = openClient(context);
  const drain = options.drain === true;
  if (drain) refuseInside(context, client);
  const before = await client.daemon();
  if (drain && before.runs.active > 0) await say(context, `waiting for ${runningRuns(before.runs.active)} to end`);
  const daemon = await client.down({ drain });
  if (!daemon.down) return staysUp(context, daemon, options);
  const ended = drain ? before.runs.active : 0;
  const deadline = context.clock.now() + patienceMs;
  while (await isThere(client, daemon.pid)) {
    if (context.clock.now() >= deadline) throw daemonSilent(client.place.state, daemon.pid);
    await context.clock.sleep(20);
  }
  if (options.json === true) await printJson(context.out, daemon);
  else await printLines(context.out, [downWords(daemon.runs, ended)]);
  return exitStatus.ok;
}

/** Somebody wanted the opposite meanwhile, and has it. */
async function staysUp(context: Context, daemon: DaemonJson, { json }: { json?: boolean }): Promise<number> {
  if (json === true) await printJson(context.out, daemon);
  else
    await say(
      context,
      'orca is not down any more: `orca up` came meanwhile; the daemon stays, and starts what is queued',
    );
  return exitStatus.waitBroke;
}

/** One that gives no answer has not left while it holds the lock. */
async function isThere(client: DaemonClient, pid: number): Promise<boolean> {
  const found = await client.peek();
  return (found === null ? lockHolder(client.place.state) : found.pid) === pid;
}

const runningRuns = (count: number): string => (count === 1 ? '1 running run' : `${count} running runs`);

/** `drained`: how many runs were waited for. */
export function downWords({ queued, active }: DaemonJson['runs'], drained = 0): string {
  const first = drained === 0 ? '' : drained === 1 ? 'the run has ended; ' : `the ${drained} runs have ended; `;
  const running =
    active === 0
      ? ''
      : `; ${runningRuns(active)} ${active === 1 ? 'goes on under its keeper' : 'go on under their keepers'}`;
  const waiting = queued === 0 ? '' : `; ${queued} queued ${queued === 1 ? 'waits' : 'wait'} for \`orca up\``;
  return `${first}the daemon has left${running}${waiting}; nothing is started until \`orca up\``;
}
