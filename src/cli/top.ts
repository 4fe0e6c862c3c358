import type { DaemonClient } from '../client/daemon-client.ts';
import { daemonSilent, type Looked } from '../client/look.ts';
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
  const { state } = client.place;
  const looked = await machineNow(context, client);
  if (looked.kind === 'silent') throw daemonSilent(state, looked.pid);
  if (looked.kind === 'none') {
    if (options.json === true) await printJson(context.out, { machine: null, down: looked.down });
    else await printLines(context.out, [noDaemonWords(state, looked.down)]);
  } else if (options.json === true) await printJson(context.out, { machine: looked.answer });
  else await printLines(context.out, topPicture(looked.answer));
  return exitStatus.ok;
}

async function machineNow(context: Context, client: DaemonClient): Promise<Looked<MachineJson>> {
  const first = await client.lookAtMachine();
  if (first.kind !== 'there' || first.answer.sample.dt * 1000 >= pictureMs) return first;
  await context.clock.sleep(pictureMs);
  return client.lookAtMachine();
}
