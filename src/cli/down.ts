import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { printJson, printLines, say } from './say.ts';

/** How long a daemon that was told to leave may take. */
const patienceMs = 35_000;

/** `orca down`: nothing more is started until `orca up`, and the daemon leaves. Running runs stay with their keepers, or end first with `--drain`. */
export async function down(context: Context, options: { drain?: boolean; json?: boolean }): Promise<number> {
  const client = openClient(context);
  const before = await client.daemon();
  const drain = options.drain === true;
  if (drain && before.runs.active > 0) await say(context, `waiting for ${before.runs.active} running runs to end`);
  const daemon = await client.down({ drain });
  const deadline = context.clock.now() + patienceMs;
  while (context.clock.now() < deadline) {
    const there = await client.peek();
    if (there === null || there.pid !== daemon.pid) break;
    await context.clock.sleep(20);
  }
  if (options.json === true) await printJson(context.out, daemon);
  else await printLines(context.out, [downWords(daemon.runs)]);
  return exitStatus.ok;
}

export function downWords({ queued, active }: { readonly queued: number; readonly active: number }): string {
  const running = active === 0 ? '' : `; ${active} running go on under their keepers`;
  const waiting = queued === 0 ? '' : `; ${queued} queued wait for \`orca up\``;
  return `the daemon has left${running}${waiting}; nothing is started until \`orca up\``;
}
