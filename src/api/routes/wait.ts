import { Hono } from 'hono';
import { waitForNext } from '../wait-for-next.ts';
import { waitForRuns } from '../wait-for-runs.ts';
import { runId } from '../../units/brands.ts';
import type { Served } from '../app.ts';
import { waitSchema } from '../schemas.ts';

export const waitRoutes = ({ scheduler }: Served): Hono =>
  new Hono().post('/', async (context) => {
    const request = waitSchema.parse(await context.req.json());
    const { inside } = request;
    if (request.next !== undefined) {
      const { since } = request.next;
      const next = await waitForNext(scheduler, { runs: request.runs.map(runId), since, inside });
      return context.body(next, 200, { 'content-type': 'application/x-ndjson' });
    }
    const lines = await waitForRuns(scheduler, {
      runs: request.runs.map(runId),
      owner: request.owner ?? null,
      detail: request.detail,
      inside,
    });
    return context.body(lines, 200, { 'content-type': 'application/x-ndjson' });
  });
