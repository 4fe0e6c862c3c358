import { constants as osConstants } from 'node:os';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import { readBootId } from '../machine/boot-id.ts';
import type { ExitRecord } from './records.ts';

/** The number of an error as the kernel has it, from Node's name for it. */
export const errnoOf = (code: string | undefined): number =>
  Object.entries(osConstants.errno).find(([name]) => name === code)?.[1] ?? 0;

/** What the C library says of an error. */
export const errnoMessage = (errno: number): string => {
  const text = getSystemErrorMessage(-errno) ?? `error ${errno}`;
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
};

/**
 * Records a start whose working folder cannot be entered, as the native keeper would: a shell cannot be started there
 * at all. False when `begun` was there already.
 */
export function recordNotStarted(folder: string, stage: string, errno: number, nowMs: number): boolean {
  const draft = `${folder}/draft.${process.pid}`;
  writeFileSync(draft, 'begun\n', { mode: 0o600 });
  try {
    linkSync(draft, `${folder}/begun`);
  } catch {
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
  const record: ExitRecord = {
    protocol: 1,
    keeper: 'sh',
    how: 'not-started',
    code: null,
    signal: null,
    failed: { stage, errno, message: errnoMessage(errno) },
    max_rss_bytes: null,
    user_us: null,
    system_us: null,
    boot: readBootId('/proc'),
    started_ms: nowMs,
    ended_ms: nowMs,
    elapsed_us: 0,
    marks: [],
    cgroup: null,
    shared: null,
  };
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(draft, `${folder}/exit`);
  return true;
}
