import { join } from 'node:path';
import type { ServiceWord } from '../settings/service-word.ts';
import { adviceFor } from './advice.ts';
import { enableControllers } from './enable-controllers.ts';
import { lookForBase, type Base, type LookHost } from './look-for-base.ts';
import { serviceAdvice, whyNoService } from './no-service.ts';
import { whyOff, type OffReason } from './off-reason.ts';

export interface SetUpHost extends LookHost {
  /** This process. */
  readonly pid: number;
  /** systemd runs this machine (`/run/systemd/system` is there): for the advice only. */
  readonly systemd: boolean;
  /** How this process was started there: for the advice, too. */
  readonly service: ServiceWord | null;
  /** Waits that long; set-up is done once, before anything else. */
  readonly pause: (ms: number) => void;
}

export type SetUp =
  | {
      readonly on: true;
      /** The cgroup's folder that the runs' cgroups go in; absolute. */
      readonly base: string;
      /** The folder of the daemon's own leaf. */
      readonly leaf: string;
      /** The controllers that runs have. */
      readonly controllers: readonly string[];
      /** How it is on, one sentence without its full stop. */
      readonly why: string;
    }
  | {
      readonly on: false;
      readonly reason: OffReason;
      /** The reason in words, one sentence without its full stop. */
      readonly why: string;
      /** The one command or step that would give it. */
      readonly advice: string | null;
    };

/**
 * Memory of the leaf that is not reclaimed for the runs' sake: the daemon, the resident and the keepers, with room. It
 * holds against the runs beside it; against the rest of the machine only where the cgroups above are protected too.
 */
export const leafLowBytes = 128 * 1024 * 1024;

/**
 * Finds or makes the cgroup that runs' cgroups go in: this process's own, after moving what is in it into a leaf `orca`
 * (or, from such a leaf, the one above), with the memory controller on for its children (seed 000: Cgroups.setup).
 * Never throws: off says why. What was moved stays in the leaf, also when set-up ends as off.
 */
export const setUpCgroups = (host: SetUpHost): SetUp => {
  const looked = lookForBase(host);
  if (!looked.ok) return off(host, looked.reason);
  const { base } = looked;
  const reason = makeLeaf(host, base) ?? leaveRun(host, base);
  if (reason !== null) return off(host, reason);
  const enabled = enableControllers(host, base);
  if (!enabled.ok) return off(host, enabled.reason);
  // Best effort: nothing depends on it but how soon the daemon answers when memory is short.
  host.fs.write(join(base.leaf, 'memory.low'), String(leafLowBytes));
  const { folder, leaf } = base;
  const { controllers } = enabled;
  // Then thrash on files is not found.
  const without = controllers.includes('io') ? '' : ' (without the io controller)';
  return { on: true, base: folder, leaf, controllers, why: `runs have cgroups of their own in ${folder}${without}` };
};

/** Off for a reason that the caller knows. */
export const cgroupsOff = (reason: OffReason): SetUp => ({ on: false, reason, why: whyOff(reason), advice: null });

const makeLeaf = ({ fs }: SetUpHost, { folder, leaf, hostRoot }: Base): OffReason | null => {
  const code = fs.mkdir(leaf);
  if (code === null || code === 'EEXIST') return null;
  if (code === 'EACCES' || code === 'EPERM') return { kind: 'undelegated', folder, file: leaf, hostRoot };
  if (code === 'EROFS') return { kind: 'read-only', mount: folder, container: false };
  return { kind: 'refused', file: leaf, code };
};

/** A run's end would be the daemon's too, and its limit all runs'. */
const leaveRun = ({ fs, pid }: SetUpHost, { leaf, inside, own }: Base): OffReason | null => {
  if (inside !== 'run') return null;
  const code = fs.write(join(leaf, 'cgroup.procs'), String(pid));
  return code === null ? null : { kind: 'inside-run', cgroup: own, code };
};

const off = (host: SetUpHost, reason: OffReason): SetUp => ({ on: false, reason, ...offWords(host, reason) });

/** The reason in words, and what would help. */
export const offWords = (
  { systemd, service }: Pick<SetUpHost, 'systemd' | 'service'>,
  reason: OffReason,
): { readonly why: string; readonly advice: string | null } => {
  const ours = reason.kind === 'undelegated' || reason.kind === 'memory-not-given' ? service : null;
  const without = ours === null ? null : whyNoService(ours);
  return {
    why: without === null ? whyOff(reason) : `${whyOff(reason)}, and ${without}`,
    advice: (ours === null ? null : serviceAdvice(ours, reason)) ?? adviceFor(reason, systemd),
  };
};
