import type { DaemonJson } from '../wire/api.ts';
import type { Scheduler } from './scheduler.ts';

/** The devices, which runs have them, and who else was last seen to use them. */
export const gpusJson = ({ gpus, live }: Scheduler): NonNullable<DaemonJson['gpus']> => {
  const runOf = new Map([...live.values()].flatMap((start) => start.gpus.map((id) => [id, start.run] as const)));
  const { gpus: seen } = gpus.state();
  return {
    devices: seen.map(({ id, index, foreign }, at) => ({
      id,
      index,
      name: gpus.devices?.[at]?.name ?? '',
      run: runOf.get(id) ?? null,
      used_by: foreign,
    })),
    trouble: gpus.trouble,
  };
};
