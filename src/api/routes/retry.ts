import { Hono } from 'hono';
import { detach } from '../../scheduler/detach.ts';
import { retry, retryRuns } from '../../scheduler/retry.ts';
import { runId } from '../../units/brands.ts';
import type { Served } from '../app.ts';
import { detachSchema, retryRunsSchema, retrySchema, runSchema } from '../schemas.ts';

export const retryRoutes = ({ scheduler }: Served): Hono =>
  new Hono()
    .post('/retry', async (context) =>
      context.json(await retryRuns(scheduler, retryRunsSchema.parse(await context.req.json()))),
    )
    .post('/runs/:run/retry', async (context) => {
      const run = runId(runSchema.parse(context.req.param('run')));
      const request = retrySchema.parse(await context.req.json());
      return context.json(await retry(scheduler, run, request));
    })
    .post('/runs/:run/detach', async (context) => {
      const run = runId(runSchema.parse(context.req.param('run')));
      const { owner } = detachSchema.parse(await context.req.json());
      await detach(scheduler, run, owner);
      return context.json({});
    });
