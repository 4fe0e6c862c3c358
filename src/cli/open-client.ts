import { OrcaError } from '../errors/orca-error.ts';
import { readDaemonFile } from '../client/daemon-file.ts';
import { DaemonClient } from '../client/daemon-client.ts';
import { checkRoom } from '../client/room.ts';
import { prepareStateFolder } from '../client/state-folder.ts';
import type { SubmitRequest } from '../wire/api.ts';
import type { Context } from './context.ts';
import { withoutSecretVariables } from './placement-options.ts';
import { wantsService } from './service-manager-for.ts';

/** The client of the caller's state folder, which is made and checked first. */
export function openClient(context: Context): DaemonClient {
  const { program, env, clock, stateHost, loaded } = context;
  const asked = loaded.settings.get('ORCA_HOME');
  const asService = wantsService(loaded.settings);
  return new DaemonClient({ state: usableFolder(asked, stateHost), program, env, clock, asService });
}

/** A folder that became read-only under a daemon still leads to it: `kill` is wanted then most of all. */
const usableFolder = (path: string, host: Context['stateHost']): string => {
  try {
    return prepareStateFolder(path, host);
  } catch (cause) {
    if (cause instanceof OrcaError && cause.code === 'state-unwritable' && readDaemonFile(path) !== null) return path;
    throw cause;
  }
};

/** The same, for commands that add something, with these secrets: they are refused while there is no room for it. */
export function openClientToSubmit(context: Context, secrets: SubmitRequest['secrets'] = {}): DaemonClient {
  const client = openClient({ ...context, env: withoutSecretVariables(context.env, secrets) });
  checkRoom(client.place.state, context.stateHost);
  return client;
}
