import type { DaemonClient } from '../client/daemon-client.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { callerInside } from './caller-inside.ts';
import type { Context } from './context.ts';

/** A wait for all that runs cannot be a part of a run. */
export const refuseInside = (context: Context, client: DaemonClient): void => {
  const { inside } = callerInside(context, client);
  if (inside !== undefined) throw new OrcaError('wait-stuck', { run: inside.run, why: 'this wait is a part of it' });
};
