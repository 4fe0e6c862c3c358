import { parseGpuChoice } from '../machine/chosen-gpus.ts';
import { gpuSources } from '../machine/find-gpus.ts';
import { GpuWatch } from './gpu-watch.ts';
import { foreignOnGpus } from './own-processes.ts';
import type { Scheduler } from './scheduler.ts';

type Parts = Pick<Scheduler, 'host' | 'settings' | 'log'> & {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asked for after this call only. */
  readonly scheduler: () => Scheduler;
};

/** The devices of this machine. Without any, and without `nvidia-smi`, nothing is run, now or later. */
export const openGpus = ({ host, settings, log, env, scheduler }: Parts): GpuWatch =>
  new GpuWatch({
    choice: parseGpuChoice(settings.get('ORCA_GPUS')),
    sources: gpuSources(env),
    foreign: (devices, processes) => foreignOnGpus(scheduler(), devices, processes),
    nowMs: () => host.monotonicUs() / 1000,
    changed: () => scheduler().moved.raise(),
    warn: (why) => log.warn({ why }, 'the GPUs cannot be looked at'),
  });
