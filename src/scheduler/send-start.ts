import { SecretFailure } from '../secrets/secret-failure.ts';
import type { Secret } from '../secrets/secrets-env.ts';
import { contain } from './contain.ts';
import { finish } from './finish.ts';
import { errorWords } from './error-words.ts';
import { fetchRunSecrets } from './fetch-run-secrets.ts';
import type { LiveStart } from './live-start.ts';
import { look } from './look-after.ts';
import type { Scheduler } from './scheduler.ts';
import { startRequest } from './start-request.ts';
import { rememberMask } from './start-masks.ts';

/** Hands a claimed start to the keepers, with its secrets once they are fetched. What keeps it from being begun is its end. */
export const sendStart = (scheduler: Scheduler, live: LiveStart): void => {
  if (Object.keys(live.row.secrets).length === 0) send(scheduler, live, []);
  else void sendWithSecrets(scheduler, live);
};

const send = (scheduler: Scheduler, live: LiveStart, secrets: readonly Secret[]): void => {
  try {
    const refused = contain(scheduler, live);
    if (refused !== null) return void finish(scheduler, live, { refused });
    const request = startRequest(scheduler, live, secrets);
    scheduler.keepers.start(request);
  } catch (error) {
    void finish(scheduler, live, {
      refused: { stage: 'request', errno: null, message: errorWords(error) },
    });
  }
};

/** Other starts go on meanwhile; a kill ends the fetching, and a daemon that ends leaves a claim, which the next one voids. */
const sendWithSecrets = async (scheduler: Scheduler, live: LiveStart): Promise<void> => {
  const { fetching } = scheduler;
  const stop = new AbortController();
  fetching.set(live.run, stop);
  try {
    const secrets = await fetchRunSecrets(scheduler, live.row, stop.signal);
    if (!isWanted(scheduler, live, stop.signal)) return;
    const why = await rememberMask(scheduler, live, secrets).then(() => null, errorWords);
    if (!isWanted(scheduler, live, stop.signal)) return;
    if (why === null) send(scheduler, live, secrets);
    else void finish(scheduler, live, { refused: { stage: 'request', errno: null, message: why } });
  } catch (error) {
    if (!isWanted(scheduler, live, stop.signal)) return;
    // Of another error only that there was one: it may hold what a source gave.
    const message = error instanceof SecretFailure ? error.message : 'an unknown error';
    void finish(scheduler, live, { refused: { stage: 'secret', errno: null, message } });
  } finally {
    fetching.delete(live.run);
    if (!scheduler.closing) scheduler.moved.raise();
  }
};

/** False when nothing may be started any more; then the claim is given back, or left to the next daemon. */
const isWanted = (scheduler: Scheduler, live: LiveStart, { aborted }: AbortSignal): boolean => {
  if (scheduler.closing || live.ending || scheduler.live.get(live.run) !== live) return false;
  if (!aborted) return true;
  // No keeper has it: as of a start that nobody reports, its folder tells what it is, now or when there is room for that.
  live.adopted = true;
  void look(scheduler, live);
  return false;
};
