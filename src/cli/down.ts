import type { DaemonClient } from '../client/daemon-client.ts';
import { ConnectionLost } from '../client/connection-lost.ts';
import { lockHolder } from '../client/lock-holder.ts';
import { daemonSilent } from '../client/look.ts';
import type { DaemonJson } from '../wire/api.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { leaving } from './leaving.ts';
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
  const daemon = drain ? await drained(context, client) : await client.down({});
  if (daemon === null) return exitStatus.interrupted;
  if (!daemon.down) return staysUp(context, daemon, options);
  const deadline = context.clock.now() + patienceMs;
  while (await isThere(client, daemon.pid)) {
    if (context.clock.now() >= deadline) throw daemonSilent(client.place.state, daemon.pid);
    await context.clock.sleep(20);
  }
  if (options.json === true) await printJson(context.out, daemon);
  else await printLines(context.out, [downWords(daemon.runs, drain)]);
  return exitStatus.ok;
}

/** Null when nobody waits for it any more. */
async function drained(context: Context, client: DaemonClient): Promise<DaemonJson | null> {
  using left = leaving(context);
  try {
    return await client.down({ drain: true }, left.signal);
  } catch (cause) {
    if (!left.signal.aborted || !(cause instanceof ConnectionLost)) throw cause;
    await say(
      context,
      'no longer waiting; orca stays down, and its daemon leaves when nothing runs any more. `orca down --drain` waits again, `orca up` ends it.',
    );
    return null;
  }
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

/** `drained`: what ran was waited for. What has just ended may let others wait for another start, or end them: no number of those would hold. */
export function downWords({ queued, active }: DaemonJson['runs'], drained = false): string {
  const first = drained ? 'nothing runs any more; ' : '';
  const running =
    active === 0
      ? ''
      : `; ${runningRuns(active)} ${active === 1 ? 'goes on under its keeper' : 'go on under their keepers'}`;
  const queuedRuns = drained ? 'what is queued waits' : `${queued} queued ${queued === 1 ? 'waits' : 'wait'}`;
  const waiting = queued === 0 ? '' : `; ${queuedRuns} for \`orca up\``;
  return `${first}the daemon has left${running}${waiting}; nothing is started until \`orca up\``;
}
