/** What the store promises, on both engines. */
import { describe } from 'node:test';
import { backendOf } from './backend.ts';
import { acceptingCases } from './cases/accepting.ts';
import { anyOrderCases } from './cases/any-order.ts';
import { batchCases } from './cases/batches.ts';
import { damageCases } from './cases/damage.ts';
import { eventCases } from './cases/events.ts';
import { groupCases } from './cases/groups.ts';
import { learningCases } from './cases/learning.ts';
import { manyKillCases } from './cases/many-kills.ts';
import { movedLogCases } from './cases/moved-logs.ts';
import { pauseCases } from './cases/pause.ts';
import { programCases } from './cases/programs.ts';
import { retentionCases } from './cases/retention.ts';
import { scaleCases } from './cases/scale.ts';
import { startCases } from './cases/starts.ts';
import { submissionCases } from './cases/submissions.ts';
import { usageCases } from './cases/usage.ts';
import { postgresMissing } from './postgres.ts';

const suites = [
  submissionCases,
  acceptingCases,
  startCases,
  anyOrderCases,
  batchCases,
  damageCases,
  eventCases,
  retentionCases,
  groupCases,
  learningCases,
  manyKillCases,
  movedLogCases,
  pauseCases,
  programCases,
  scaleCases,
  usageCases,
];

describe('the embedded store', () => {
  const backend = backendOf('embedded');
  for (const cases of suites) cases(backend);
});

const missing = postgresMissing(process.env['ORCA_TEST_REQUIRE']);
describe('the store in Postgres', { skip: missing ?? false }, () => {
  const backend = backendOf('postgres');
  for (const cases of suites) cases(backend);
});
