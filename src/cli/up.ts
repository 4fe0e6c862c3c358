import type { DaemonJson } from '../wire/api.ts';
import { visibleText } from '../units/visible-text.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { printJson, printLines } from './say.ts';

/** `orca up`: a daemon runs and starts what is queued. */
export async function up(context: Context, options: { json?: boolean }): Promise<number> {
  const daemon = await openClient(context).up();
  await printDaemon(context, daemon, options.json === true);
  return exitStatus.ok;
}

export async function printDaemon(context: Context, daemon: DaemonJson, json: boolean): Promise<void> {
  if (json) await printJson(context.out, daemon);
  else await printLines(context.out, [`daemon ${daemon.version} (pid ${daemon.pid}) for ${visibleText(daemon.state)}`]);
}
