import { Hono } from 'hono';
import type { Served } from '../app.ts';

export const configRoutes = ({ scheduler }: Served): Hono =>
  new Hono().get('/', (context) => context.json(scheduler.settings.describe()));
