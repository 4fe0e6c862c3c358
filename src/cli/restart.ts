import { OrcaError } from '../errors/orca-error.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { printDaemon } from './up.ts';

const patienceMs = 35_000;

/** `orca restart`: another daemon takes over, with the program that is installed now. Runs are not touched. */
export async function restart(context: Context, options: { json?: boolean }): Promise<number> {
  const client = openClient(context);
  const before = await client.daemon();
  await client.restart();
  const deadline = context.clock.now() + patienceMs;
  for (;;) {
    // Asking starts one where the resident had no reason to.
    const now = await client.daemon();
    if (now.pid !== before.pid || now.started_at !== before.started_at) {
      await printDaemon(context, now, options.json === true);
      return exitStatus.ok;
    }
    if (context.clock.now() >= deadline) {
      throw new OrcaError('daemon-gone', { why: `daemon ${before.pid} did not leave`, seconds: patienceMs / 1000 });
    }
    await context.clock.sleep(20);
  }
}
