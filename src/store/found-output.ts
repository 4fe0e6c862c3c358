import { withFoundOutput } from '../runs/lost-output.ts';
import type { RunId } from '../units/brands.ts';
import type { Db, Tx } from './schema.ts';

const toldRemoved = (db: Db, run: RunId, start: number) =>
  db
    .selectFrom('starts')
    .select('text')
    .where('run', '=', run)
    .where('start', '=', start)
    .where('lost_output', '=', 'stage-removed');

/** Whether output of a start is told as lost since it was removed from the stage. */
export const isToldRemoved = async (db: Db, run: RunId, start: number): Promise<boolean> =>
  (await toldRemoved(db, run, start).executeTakeFirst()) !== undefined;

/** Outputs, in words, of a start that is over are in their logs: what its text and its run's say of them as lost is corrected. */
export const correctLostOutput = async (tx: Tx, run: RunId, start: number, found: readonly string[]): Promise<void> => {
  const row = await toldRemoved(tx, run, start).executeTakeFirst();
  if (typeof row?.text !== 'string') return;
  const { text, isWhole } = withFoundOutput(row.text, found);
  const change = { text, ...(isWhole ? { lost_output: null } : {}) };
  await tx.updateTable('starts').set(change).where('run', '=', run).where('start', '=', start).execute();
  const ofRun = await tx
    .selectFrom('runs')
    .select('text')
    .where('id', '=', run)
    .where('current_start', '=', start)
    .executeTakeFirst();
  if (typeof ofRun?.text !== 'string') return;
  const { text: said } = withFoundOutput(ofRun.text, found);
  await tx.updateTable('runs').set({ text: said }).where('id', '=', run).execute();
};
