import { firstTables } from './0001-first-tables.ts';
import { containment } from './0002-containment.ts';
import { usageSources } from './0003-usage-sources.ts';
import { nestedRuns } from './0004-nested-runs.ts';
import { memoryEvents } from './0005-memory-events.ts';
import { queue } from './0006-queue.ts';
import { movedLogs } from './0007-moved-logs.ts';
import { lostOutput } from './0008-lost-output.ts';
import type { Migration } from './migration.ts';

/** In their order. */
export const migrations: readonly Migration[] = [
  firstTables,
  containment,
  usageSources,
  nestedRuns,
  memoryEvents,
  queue,
  movedLogs,
  lostOutput,
];
