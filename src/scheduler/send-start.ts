import { contain } from './contain.ts';
import { finish } from './finish.ts';
import { errorWords } from './error-words.ts';
import type { LiveStart } from './live-start.ts';
import type { Scheduler } from './scheduler.ts';
import { startRequest } from './start-request.ts';

/** Hands a claimed start to the keepers. What keeps it from being begun is its end. */
export const sendStart = (scheduler: Scheduler, live: LiveStart): void => {
  try {
    const refused = contain(scheduler, live);
    if (refused !== null) return void finish(scheduler, live, { refused });
    const request = startRequest(scheduler, live);
    scheduler.keepers.start(request);
  } catch (error) {
    void finish(scheduler, live, {
      refused: { stage: 'request', errno: null, message: errorWords(error) },
    });
  }
};
