import { Hono } from 'hono';
import { detach } from '../../scheduler/detach.ts';
import { retry } from '../../scheduler/retry.ts';
import { runId } from '../../units/brands.ts';
import type { Served } from '../app.ts';
import { detachSchema, retrySchema, runSchema } from '../schemas.ts';

export const retryRoutes = ({ scheduler }: Served): Hono =>
  new Hono()
    .post('/:run/retry', async (context) => {
      const run = runId(runSchema.parse(context.req.param('run')));
      const request = retrySchema.parse(await context.req.json());
      return context.json(await retry(scheduler, run, request));
    })
    .post('/:run/detach', async (context) => {
      const run = runId(runSchema.parse(context.req.param('run')));
      const { owner } = detachSchema.parse(await context.req.json());
      await detach(scheduler, run, owner);
      return context.json({});
    });
