import { Hono } from 'hono';
import { forget } from '../../scheduler/forget.ts';
import { runId } from '../../units/brands.ts';
import type { ForgetAnswer } from '../../wire/api.ts';
import type { Served } from '../app.ts';
import { runSchema } from '../schemas.ts';

export const forgetRoutes = ({ scheduler }: Served): Hono =>
  new Hono().post('/:run/forget', async (context) => {
    const run = runId(runSchema.parse(context.req.param('run')));
    return context.json({ known: await forget(scheduler, run) } satisfies ForgetAnswer);
  });
