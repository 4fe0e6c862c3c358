import { Hono } from 'hono';
import { chosenRuns } from '../../scheduler/chosen-runs.ts';
import { drained } from '../../scheduler/drained.ts';
import { pauseQueue, pauseRuns } from '../../scheduler/pause.ts';
import type { Scheduler } from '../../scheduler/scheduler.ts';
import type { ChosenRuns, PauseAnswer, PausedAnswer } from '../../wire/api.ts';
import type { Served } from '../app.ts';
import { pauseSchema, resumeSchema } from '../schemas.ts';

export const pauseRoutes = ({ scheduler }: Served): Hono =>
  new Hono()
    .post('/pause', async (context) => {
      const { by, reason, drain = false, ...chosen } = pauseSchema.parse(await context.req.json());
      const order = { by, reason, hold: true };
      const { signal } = context.req.raw;
      if (!namesRuns(chosen)) {
        await pauseQueue(scheduler, order);
        if (drain) await drained(scheduler, { signal, isOff: () => scheduler.paused === null });
        return context.json(answerOf(scheduler, []));
      }
      const runs = await chosenRuns(scheduler, chosen);
      const answers = await pauseRuns(scheduler, runs, order);
      if (drain) await drained(scheduler, { runs, signal });
      return context.json(answerOf(scheduler, answers));
    })
    .post('/resume', async (context) => {
      const { by, ...chosen } = resumeSchema.parse(await context.req.json());
      const order = { by, reason: null, hold: false };
      if (!namesRuns(chosen)) {
        await pauseQueue(scheduler, order);
        return context.json(answerOf(scheduler, []));
      }
      return context.json(answerOf(scheduler, await pauseRuns(scheduler, await chosenRuns(scheduler, chosen), order)));
    });

const namesRuns = ({ runs = [], groups = [], tags = [] }: ChosenRuns): boolean =>
  runs.length + groups.length + tags.length > 0;

const answerOf = ({ paused, queue, live }: Scheduler, runs: readonly PausedAnswer[]): PauseAnswer => {
  let held = 0;
  for (const entry of queue) if (entry.paused !== null) held += 1;
  return { queue: paused, runs, held, active: live.size };
};
