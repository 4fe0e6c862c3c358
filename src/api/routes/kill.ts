import { Hono } from 'hono';
import { kill } from '../../scheduler/kill.ts';
import { runId } from '../../units/brands.ts';
import type { Served } from '../app.ts';
import { killSchema } from '../schemas.ts';

export const killRoutes = ({ scheduler }: Served): Hono =>
  new Hono().post('/', async (context) => {
    const request = killSchema.parse(await context.req.json());
    const runs = await Promise.all(
      request.runs.map((run) => kill(scheduler, runId(run), { by: request.by, now: request.now ?? false })),
    );
    return context.json({ runs });
  });
