import { findOtherRuns } from '../containment/other-runs.ts';
import { parseGpuChoice } from '../machine/chosen-gpus.ts';
import { findGpus, gpuSources, type FoundGpus } from '../machine/find-gpus.ts';
import { readHostPressure, type HostPressure } from '../machine/host-pressure.ts';
import type { Settings } from '../settings/settings.ts';
import type { DaemonJson } from '../wire/api.ts';
import type { Finding } from './doctor.ts';
import { othersWords } from './machine-words.ts';

/** What is looked at of the machine before a run starts, besides its size: as the daemon that runs found it, else as the next would. */
export async function machineFindings(
  daemon: DaemonJson | null,
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const choice = settings.get('ORCA_GPUS');
  const ahead = daemon === null ? await findGpus(parseGpuChoice(choice), gpuSources(env)) : null;
  const seen = daemon?.gpus === undefined ? null : { devices: daemon.gpus.devices, why: daemon.gpus.trouble };
  const gpus = ahead ?? seen;
  return [
    ...(gpus === null ? [] : [gpuFinding(gpus, choice)]),
    pressureFinding(readHostPressure('/proc')),
    othersFinding(daemon?.others ?? null, () => findOtherRuns('/sys/fs/cgroup', () => false).length),
  ];
}

type Seen = Pick<FoundGpus, 'why'> & {
  readonly devices: readonly { readonly index: number; readonly name: string }[] | null;
};

export function gpuFinding({ devices, why }: Seen, choice: string): Finding {
  const what = 'gpus';
  if (why !== null) {
    const there = devices === null || devices.length === 0 ? '' : `; ${namesOf(devices)} all the same`;
    const help = 'see to the driver until `nvidia-smi` answers, or set ORCA_GPUS to 0 where no run shall have one';
    return { what, level: 'warn', found: `${why}${there}`, help };
  }
  if (devices !== null && devices.length > 0) return { what, level: 'ok', found: namesOf(devices), help: null };
  const found = choice === '0' ? 'none for runs, since ORCA_GPUS is 0' : 'none found by nvidia-smi or in /dev';
  return { what, level: 'ok', found, help: null };
}

const namesOf = (devices: NonNullable<Seen['devices']>): string =>
  `${devices.length}: ${devices.map(({ index, name }) => `${index}${name === '' ? '' : ` ${name}`}`).join(', ')}`;

export function pressureFinding(pressure: Pick<HostPressure, 'memory' | 'io'> | null): Finding {
  const what = 'pressure';
  const [memory, io] = [pressure?.memory.some ?? null, pressure?.io.some ?? null];
  if (memory === null && io === null) {
    const found = 'the kernel does not tell pressure (PSI): no run waits because the machine itself is slow';
    return { what, level: 'warn', found, help: 'boot with psi=1 on the kernel command line' };
  }
  const words = [
    ['memory', memory],
    ['disks', io],
  ].flatMap(([name, percent]) => (percent === null ? [] : [`${percent} % for ${name}`]));
  return { what, level: 'ok', found: `tasks waited ${words.join(' and ')} in the last 10 s`, help: null };
}

/** `count`: of all runs' cgroups, where no daemon tells whose they are. */
export function othersFinding(others: DaemonJson['others'] | null, count: () => number): Finding {
  const what = 'others';
  if (others != null && others.length > 0) {
    const found = `other daemons have promised memory to their runs, which is not given out again: ${othersWords(others)}`;
    return { what, level: 'ok', found, help: null };
  }
  const there = others == null ? count() : 0;
  const found =
    there === 0 ? 'no other daemon has runs here that can be seen' : `runs' cgroups on this machine: ${there}`;
  return { what, level: 'ok', found, help: null };
}
