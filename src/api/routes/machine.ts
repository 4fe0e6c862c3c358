import { Hono } from 'hono';
import { machineJson } from '../../scheduler/machine-json.ts';
import type { Served } from '../app.ts';

export const machineRoutes = ({ scheduler }: Served): Hono =>
  new Hono().get('/', async (context) => context.json(await machineJson(scheduler)));
