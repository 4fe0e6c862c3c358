import type { DaemonClient } from '../client/daemon-client.ts';
import type { MachineJson } from '../wire/api.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { printJson, printLines } from './say.ts';
import { noDaemonWords } from './status.ts';
import { isTerminal } from './terminal.ts';
import { runTop } from './top-loop.ts';
import { topPicture } from './top-screen.ts';

/** Long enough for a first picture to tell how busy the processors are. */
const pictureMs = 500;

/** `orca top`: the machine and its runs, as they are now; off a terminal one picture of them. It starts no daemon. */
export async function top(context: Context, options: { json?: boolean }): Promise<number> {
  const client = openClient(context);
  if (options.json !== true && isTerminal(context.env)) return runTop(context, client);
  const machine = await machineNow(context, client);
  if (options.json === true) await printJson(context.out, { machine });
  else await printLines(context.out, machine === null ? [noDaemonWords(client.place.state)] : topPicture(machine));
  return exitStatus.ok;
}

async function machineNow(context: Context, client: DaemonClient): Promise<MachineJson | null> {
  const first = await client.peekMachine();
  if (first === null || first.sample.dt * 1000 >= pictureMs) return first;
  await context.clock.sleep(pictureMs);
  return client.peekMachine();
}
