import { Hono } from 'hono';
import { chosenRuns } from '../../scheduler/chosen-runs.ts';
import { kill } from '../../scheduler/kill.ts';
import type { Served } from '../app.ts';
import { killSchema } from '../schemas.ts';

export const killRoutes = ({ scheduler }: Served): Hono =>
  new Hono().post('/', async (context) => {
    const { by, now = false, owner = null, ...chosen } = killSchema.parse(await context.req.json());
    const runs = await chosenRuns(scheduler, chosen);
    return context.json({ runs: await kill(scheduler, runs, { by, now, owner }) });
  });
