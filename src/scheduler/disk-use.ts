import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesIn, logSize, runFolders, sizeOf } from '../logs/run-folders.ts';
import { agesOf } from '../store/aged-runs.ts';
import { runId, type RunId } from '../units/brands.ts';
import { formatObjectAddress } from '../units/object-address.ts';
import type { DiskUseJson } from '../wire/api.ts';
import type { Scheduler } from './scheduler.ts';

/** How many of the largest runs are told. */
const told = 10;

/** What the state folder and the logs have on disk, as it is found now. */
export const diskUse = async (scheduler: Scheduler): Promise<DiskUseJson> => {
  const { state, store, logMoving } = scheduler;
  let logs = 0;
  let samples = await bytesIn(state.metrics);
  let runs = 0;
  let largest: { run: RunId; bytes: number }[] = [];
  for await (const { run, folder } of runFolders(state.logs)) {
    const size = await logSize(folder);
    logs += size.logs;
    samples += size.samples;
    runs += 1;
    largest.push({ run: runId(run), bytes: size.logs + size.samples });
    if (largest.length >= 1000) largest = top(largest);
  }
  largest = top(largest);
  const known = new Map(
    (
      await agesOf(
        store.read,
        largest.map(({ run }) => run),
      )
    ).map((age) => [age.id, age]),
  );
  return {
    state: state.folder,
    logs_folder: state.logs,
    logs_bytes: logs,
    logs_to: logMoving.to === null ? null : formatObjectAddress(logMoving.to),
    samples_bytes: samples,
    store_bytes: store.kind === 'embedded' ? await storeBytes(state.folder) : null,
    runs_bytes: await bytesIn(state.runs),
    starts_bytes: (await bytesIn(state.starts)) + (await bytesIn(state.spares)),
    daemon_log_bytes: await sizeOf(state.daemonLog),
    log_folders: runs,
    largest: largest.map(({ run, bytes }) => ({ run, bytes, state: known.get(run)?.state ?? null })),
  };
};

const top = (runs: { run: RunId; bytes: number }[]): { run: RunId; bytes: number }[] =>
  runs.sort((a, b) => b.bytes - a.bytes || a.run - b.run).slice(0, told);

const storeBytes = async (folder: string): Promise<number> => {
  let bytes = 0;
  for (const name of await readdir(folder))
    if (/^orca\.db(-.*)?$/.test(name)) bytes += await sizeOf(join(folder, name));
  return bytes;
};
