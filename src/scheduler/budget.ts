import type { Budget } from '../admission/types.ts';
import { OrcaError } from '../errors/orca-error.ts';
import type { Settings } from '../settings/settings.ts';
import { bytes, bytesOfMib, mib, mibOfBytes, type Bytes } from '../units/brands.ts';
import type { Scheduler } from './scheduler.ts';

const leastReserveMb = 512;
const reserveShare = 0.1;

/** The capacity is the machine's, or what the settings say; the budget is what is left of it after the reserve. */
export const capacityAndBudget = (
  settings: Settings,
  machine: { readonly cpus: number; readonly memoryBytes: Bytes },
): { capacity: Scheduler['capacity']; budget: Budget } => {
  const cpus = settings.get('ORCA_CAPACITY_CPUS') || machine.cpus;
  const memory =
    settings.get('ORCA_CAPACITY_MB') > 0 ? bytesOfMib(settings.get('ORCA_CAPACITY_MB')) : machine.memoryBytes;
  const share = mib(Math.ceil(mibOfBytes(memory) * reserveShare));
  const reserve = settings.get('ORCA_RESERVE_MB') || Math.max(leastReserveMb, share);
  const left = Math.floor(memory / 1048576) - reserve;
  if (left < 1) throw new OrcaError('reserve-too-large', { reserve, capacity: mibOfBytes(memory) });
  return {
    capacity: { cpus, memory },
    budget: {
      cpusMilli: Math.round(cpus * 1000),
      memory: bytes(left * 1048576),
      cores: Math.max(1, Math.floor(cpus)),
      reserve: bytesOfMib(mib(reserve)),
    },
  };
};
