import { Hono } from 'hono';
import { chosenRuns } from '../../scheduler/chosen-runs.ts';
import type { Served } from '../app.ts';
import { chooseSchema } from '../schemas.ts';

/** The numbers that groups and tags stand for. */
export const chooseRoutes = ({ scheduler }: Served): Hono =>
  new Hono().post('/', async (context) => {
    const { over, ...chosen } = chooseSchema.parse(await context.req.json());
    return context.json({ runs: await chosenRuns(scheduler, chosen, over) });
  });
