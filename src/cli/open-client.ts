import { DaemonClient } from '../client/daemon-client.ts';
import { checkRoom } from '../client/room.ts';
import { prepareStateFolder } from '../client/state-folder.ts';
import type { Context } from './context.ts';

/** The client of the caller's state folder, which is made and checked first. */
export function openClient(context: Context): DaemonClient {
  const { program, env, clock, stateHost, loaded } = context;
  const state = prepareStateFolder(loaded.settings.get('ORCA_HOME'), stateHost);
  return new DaemonClient({ state, program, env, clock });
}

/** The same, for commands that add something: they are refused while there is no room for it. */
export function openClientToSubmit(context: Context): DaemonClient {
  const client = openClient(context);
  checkRoom(client.place.state, context.stateHost);
  return client;
}
