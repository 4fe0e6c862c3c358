import type { DaemonClient } from '../client/daemon-client.ts';
import { OrcaError } from '../errors/orca-error.ts';
import type { DaemonJson } from '../wire/api.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { serviceManagerFor } from './service-manager-for.ts';
import { printDaemon } from './up.ts';
import { warnDifferences } from './warn-differences.ts';

const patienceMs = 35_000;
/** How long the resident's daemon may take before this command starts one. */
const residentPatienceMs = 15_000;

/**
 * `orca restart`: another daemon takes over, with the program that is installed now. Runs are not touched. The resident starts it where the
 * old one was; one without cgroups leaves instead, when systemd may give its successor one by now, so that this command starts that.
 */
export async function restart(context: Context, options: { json?: boolean }): Promise<number> {
  const client = openClient(context);
  const before = await client.daemon();
  // An older version says nothing of cgroups.
  const contained = (before as Partial<DaemonJson>).containment?.on === true;
  if (!contained && serviceManagerFor(context.loaded.settings, context.env).kind === 'manager') {
    await client.down({});
    await untilLeft(context, client, before.pid);
    await printDaemon(context, await (before.down ? client.daemon() : client.up()), options.json === true);
    await warnDifferences(context, client);
    return exitStatus.ok;
  }
  await client.restart();
  const begun = context.clock.now();
  const deadline = begun + patienceMs;
  for (;;) {
    // The resident starts the next one, and another beside it would only be in its way. Asking starts one where there is no resident.
    const waits = before.keeper.kind === 'native' && context.clock.now() < begun + residentPatienceMs;
    const now = await (waits ? client.peek() : client.daemon());
    if (now !== null && (now.pid !== before.pid || now.started_at !== before.started_at)) {
      await printDaemon(context, now, options.json === true);
      // It has the environment of the one before.
      await warnDifferences(context, client);
      return exitStatus.ok;
    }
    if (context.clock.now() >= deadline) {
      throw new OrcaError('daemon-gone', { why: `daemon ${before.pid} did not leave`, seconds: patienceMs / 1000 });
    }
    await context.clock.sleep(20);
  }
}

const untilLeft = async ({ clock }: Context, client: DaemonClient, pid: number): Promise<void> => {
  const deadline = clock.now() + patienceMs;
  while ((await client.peek())?.pid === pid) {
    if (clock.now() >= deadline)
      throw new OrcaError('daemon-gone', { why: `daemon ${pid} did not leave`, seconds: patienceMs / 1000 });
    await clock.sleep(20);
  }
};
