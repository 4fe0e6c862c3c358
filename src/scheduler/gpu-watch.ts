import type { GpuDevice, ProcessName } from '../admission/machine-state.ts';
import type { GpuChoice } from '../machine/chosen-gpus.ts';
import { gpusByAnswer, gpusWithoutAsking, type GpuSources } from '../machine/find-gpus.ts';
import type { Gpu } from '../machine/gpu-list.ts';
import { gpuProcessesArgs, parseGpuProcesses, type GpuProcess } from '../machine/gpu-processes.ts';
import type { Answer } from '../machine/nvidia-smi.ts';

export interface GpuHost {
  /** `ORCA_GPUS`. */
  readonly choice: GpuChoice;
  readonly sources: GpuSources;
  /** Of these those that belong to no start which has the device that they are on. */
  readonly foreign: (
    devices: readonly Gpu[],
    processes: readonly GpuProcess[],
  ) => readonly (ProcessName & Pick<GpuProcess, 'gpu'>)[];
  readonly nowMs: () => number;
  /** What is known has changed, or was looked at anew. */
  readonly changed: () => void;
  /** Told once for each kind of failure in a row. */
  readonly warn: (why: string) => void;
}

const notYet = 'nvidia-smi has not answered yet';

/** What uses the devices is looked at so often while a run waits for one. */
const everyMs = 5000;
/** A look that is older tells nothing of now. */
const staleMs = 15_000;

/**
 * Which devices runs may have, and what uses them. They are found once; where that failed it is tried again while a run waits for one, and only then
 * it is looked at who uses them. Nothing waits here for `nvidia-smi`, which may take seconds, or hang.
 */
export class GpuWatch {
  readonly #host: GpuHost;
  #devices: readonly Gpu[] | null = null;
  /** Why there are no devices, or none are known. */
  #why: string | null = null;
  #foreign: readonly (ProcessName & Pick<GpuProcess, 'gpu'>)[] = [];
  /** When a run's want last had it looked. */
  #startedMs: number | null = null;
  #lookedMs: number | null = null;
  #asking = false;

  constructor(host: GpuHost) {
    this.#host = host;
    this.#devices = gpusWithoutAsking(host.choice, host.sources);
    if (this.#devices === null) void this.#look(false);
  }

  /** By number; null while they are not known. */
  get devices(): readonly Gpu[] | null {
    return this.#devices;
  }

  /** What is wrong with them; null for nothing. */
  get trouble(): string | null {
    return this.#why ?? (this.#devices === null ? notYet : null);
  }

  /** A run waits for a device: sees to it that what is known is new enough. */
  want(): void {
    const now = this.#host.nowMs();
    if (this.#host.sources.ask === null || this.#devices?.length === 0 || this.#asking) return;
    if (this.#startedMs === null || now - this.#startedMs >= everyMs) void this.#look(true);
  }

  /** As the queue sees them. */
  state(): { readonly gpus: readonly GpuDevice[]; readonly gpusUnknown: string | null } {
    const devices = this.#devices ?? [];
    const gpus = devices.map(({ id, index, uuid, whole }) => ({
      id,
      index,
      uuid,
      // A process on a divided device is told by the whole: it may use any part.
      foreign: this.#foreign
        .filter(({ gpu }) => gpu === id || gpu === whole)
        .map(({ pid, user, name }) => ({ pid, user, name })),
    }));
    return { gpus, gpusUnknown: this.#unknown() };
  }

  #unknown(): string | null {
    const { nowMs, sources } = this.#host;
    if (this.#devices === null) return this.trouble;
    if (sources.ask === null || this.#devices.length === 0) return null;
    const fresh = this.#lookedMs !== null && nowMs() - this.#lookedMs < staleMs;
    return fresh ? null : 'nvidia-smi has not told yet what uses the GPUs';
  }

  async #look(processes: boolean): Promise<void> {
    const { nowMs, changed, sources } = this.#host;
    const { ask } = sources;
    if (ask === null || this.#asking) return;
    this.#asking = true;
    if (processes) this.#startedMs = nowMs();
    try {
      if (this.#devices === null) this.#found(await ask(['-L']));
      if (processes && this.#devices !== null && this.#devices.length > 0) this.#used(await ask(gpuProcessesArgs));
    } finally {
      this.#asking = false;
    }
    changed();
  }

  #found(answer: Answer): void {
    const { devices, why } = gpusByAnswer(this.#host.choice, answer);
    this.#devices = devices;
    this.#tell(why);
  }

  /** What cannot be told holds nobody. */
  #used(answer: Answer): void {
    this.#foreign = answer.ok ? this.#host.foreign(this.#devices ?? [], parseGpuProcesses(answer.text)) : [];
    this.#lookedMs = this.#host.nowMs();
    this.#tell(answer.ok ? null : answer.why);
  }

  #tell(why: string | null): void {
    if (why !== null && why !== this.#why) this.#host.warn(why);
    this.#why = why;
  }
}
