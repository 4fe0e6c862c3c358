import { Hono } from 'hono';
import { submit } from '../../scheduler/submit.ts';
import type { Served } from '../app.ts';
import { submitSchema } from '../schemas.ts';

export const submitRoutes = ({ scheduler }: Served): Hono =>
  new Hono().post('/', async (context) => {
    const request = submitSchema.parse(await context.req.json());
    return context.json(await submit(scheduler, request));
  });
