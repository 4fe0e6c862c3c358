import type { Bytes } from '../units/brands.ts';
import type { Need } from './shape.ts';
import { nameOf } from './dimension.ts';
import type { AdmissionState } from './types.ts';

/** What a run asks for that is not there, however long it waits. */
export type Never =
  | { readonly kind: 'cpus'; readonly asked: number; readonly most: number }
  | { readonly kind: 'memory'; readonly asked: Bytes; readonly most: Bytes }
  | { readonly kind: 'gpus'; readonly asked: number; readonly most: number }
  /** `most` is 0 for a resource that nobody declared. */
  | { readonly kind: 'resource'; readonly name: string; readonly asked: number; readonly most: number };

interface Request {
  readonly cpusMilli: number;
  readonly memory: Bytes | null;
  readonly gpus: number;
  readonly needs: readonly Need[];
}

type Known = Pick<AdmissionState, 'budget' | 'amounts' | 'machine'>;

/** Which part of a request can never be had here; null when all can. Other users' runs, pressure and foreign processes pass. */
export const neverFits = (request: Request, { budget, amounts, machine }: Known): Never | null => {
  const { cpusMilli, memory, gpus, needs } = request;
  // Where nothing here starts it, it is for a machine of which nothing is known.
  if (needs.some(({ of }) => nameOf(of)?.kind === 'slot' && !amounts.has(of))) return null;
  if (cpusMilli > budget.cpusMilli) return { kind: 'cpus', asked: cpusMilli, most: budget.cpusMilli };
  if (memory !== null && memory > budget.memory) return { kind: 'memory', asked: memory, most: budget.memory };
  // They may be known while it is not known yet what uses them.
  if (gpus > machine.gpus.length && (machine.gpusUnknown === null || machine.gpus.length > 0))
    return { kind: 'gpus', asked: gpus, most: machine.gpus.length };
  for (const { of, amount } of needs) {
    const named = nameOf(of);
    if (named?.kind !== 'resource') continue;
    const most = amounts.get(of) ?? 0;
    if (amount > most) return { kind: 'resource', name: named.name, asked: amount, most };
  }
  return null;
};
