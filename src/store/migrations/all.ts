import { firstTables } from './0001-first-tables.ts';
import { cgroups } from './0002-cgroups.ts';
import type { Migration } from './migration.ts';

/** In their order. */
export const migrations: readonly Migration[] = [firstTables, cgroups];
