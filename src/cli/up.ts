import type { DaemonJson } from '../wire/api.ts';
import { visibleText } from '../units/visible-text.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { printJson, printLines } from './say.ts';
import { warnDifferences } from './warn-differences.ts';

/** `orca up`: a daemon runs and starts what is queued. */
export async function up(context: Context, options: { json?: boolean }): Promise<number> {
  const client = openClient(context);
  const daemon = await client.up();
  await printDaemon(context, daemon, options.json === true);
  // One that was there already has the environment of whoever had it started, such as a `wait`.
  await warnDifferences(context, client);
  return exitStatus.ok;
}

export async function printDaemon(context: Context, daemon: DaemonJson, json: boolean): Promise<void> {
  if (json) await printJson(context.out, daemon);
  else await printLines(context.out, [`daemon ${daemon.version} (pid ${daemon.pid}) for ${visibleText(daemon.state)}`]);
}
