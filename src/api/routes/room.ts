import { Hono } from 'hono';
import { diskUse } from '../../scheduler/disk-use.ts';
import { collect } from '../../scheduler/retention.ts';
import { millis } from '../../units/brands.ts';
import type { DiskUseJson, GcAnswer } from '../../wire/api.ts';
import type { Served } from '../app.ts';
import { gcSchema } from '../schemas.ts';

/** What is on disk, and its deletion. */
export const roomRoutes = ({ scheduler }: Served): Hono =>
  new Hono()
    .get('/du', async (context) => context.json((await diskUse(scheduler)) satisfies DiskUseJson))
    .post('/gc', async (context) => {
      const { older_than_ms: age, keep, dry_run: dryRun = false } = gcSchema.parse(await context.req.json());
      const before = age === undefined ? null : millis(scheduler.host.now() - age);
      const rule = age === undefined && keep === undefined ? null : { before, keep: keep ?? null };
      const { runs, logs, bytes, kept, failed } = await collect(scheduler, rule, dryRun);
      return context.json({ runs, logs, bytes, kept, failed, dry_run: dryRun } satisfies GcAnswer);
    });
