import type { DaemonClient } from '../client/daemon-client.ts';
import type { SubmitRequest } from '../wire/api.ts';
import type { Context } from './context.ts';
import { insideStart } from './inside-start.ts';

/** What a request says of a caller that is part of a run's start; nothing for any other. */
export const callerInside = (
  { env, pid }: Pick<Context, 'env' | 'pid'>,
  client: DaemonClient,
): Pick<SubmitRequest, 'inside'> => {
  const inside = insideStart(client.place.state, { env, pid, procRoot: '/proc' });
  return inside === null ? {} : { inside };
};
