import { Hono } from 'hono';
import { readGroup } from '../../scheduler/read-group.ts';
import type { Served } from '../app.ts';
import { runSchema } from '../schemas.ts';

export const groupRoutes = ({ scheduler }: Served): Hono =>
  new Hono().get('/:group', async (context) =>
    context.json(await readGroup(scheduler, runSchema.parse(context.req.param('group')))),
  );
