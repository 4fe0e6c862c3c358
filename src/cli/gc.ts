import { formatFileSize } from '../units/format-size.ts';
import { parseDuration } from '../units/parse-duration.ts';
import type { GcAnswer } from '../wire/api.ts';
import type { Context } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { openClient } from './open-client.ts';
import { printJson, printLines } from './say.ts';
import { warnDifferences } from './warn-differences.ts';
import { wholeNumber } from './whole-number.ts';

export interface GcOptions {
  readonly olderThan?: string;
  readonly keep?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `orca gc`: deletes runs that are over, by the rule that was typed, else by the settings. */
export async function gc(context: Context, options: GcOptions): Promise<number> {
  const request = {
    ...(options.olderThan === undefined ? {} : { older_than_ms: parseDuration(options.olderThan) }),
    ...(options.keep === undefined ? {} : { keep: wholeNumber('--keep', options.keep, 0, 1_000_000_000) }),
    ...(options.dryRun === true ? { dry_run: true } : {}),
  };
  const client = openClient(context);
  await warnDifferences(context, client);
  const answer = await client.gc(request);
  if (options.json === true) await printJson(context.out, answer);
  else await printLines(context.out, gcLines(answer));
  return exitStatus.ok;
}

export function gcLines({ runs, logs, bytes, kept, failed = 0, dry_run: dryRun }: GcAnswer): string[] {
  const parts = [
    ...(runs > 0 ? [runWords(runs)] : []),
    ...(logs > 0 ? [`the logs and samples alone of ${runWords(logs)}`] : []),
  ];
  const what = parts.length === 0 ? 'nothing' : `${parts.join(', and ')}: ${formatFileSize(bytes)}`;
  const stays = `${runWords(kept)} ${kept === 1 ? 'stays' : 'stay'}: unfinished runs or a key still need ${kept === 1 ? 'it' : 'them'}`;
  const left = `${runWords(failed)} ${failed === 1 ? 'stays' : 'stay'}: what ${failed === 1 ? 'it' : 'they'} wrote could not be deleted (daemon.log says why); it is tried again within an hour`;
  return [
    `${dryRun ? 'would delete' : 'deleted'} ${what}`,
    ...(kept > 0 ? [stays] : []),
    ...(failed > 0 ? [left] : []),
  ];
}

const runWords = (count: number): string => (count === 1 ? '1 run' : `${count} runs`);
