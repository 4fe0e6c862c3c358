import type { Bytes, Millis } from '../units/brands.ts';
import type { Dimension } from './dimension.ts';

/** A part of something counted. */
export interface Need {
  readonly of: Dimension;
  readonly amount: number;
  /** How much there is of it, where the need itself says so: one of a lock, a group's bound. Null: the state says. */
  readonly there: number | null;
}

/** What a run needs at its start. Runs of one shape need the same, so that one look answers for all of them. */
export interface Shape {
  readonly key: string;
  readonly cpusMilli: number;
  /** The request's minimum after raises; null without a request. */
  readonly memory: Bytes | null;
  /** The most that its placement lets it have, whatever it counts for otherwise; left out: as much as there is. */
  readonly most?: Bytes;
  readonly gpus: number;
  /** Locks, resources, slots and the group's bound. */
  readonly needs: readonly Need[];
  readonly timeoutMs: Millis | null;
  /** What was learned of this command sizes it; null: nothing is known of it. */
  readonly command: string | null;
}

export const shapeOf = (parts: Omit<Shape, 'key'>): Shape => {
  const { cpusMilli, memory, most, gpus, needs, timeoutMs, command } = parts;
  const named = needs.map(({ of, amount, there }) => `${JSON.stringify(of)}=${amount}/${there ?? ''}`).sort();
  const key = [cpusMilli, memory, most, gpus, timeoutMs, command, ...named].join(' ');
  return { ...parts, key };
};

/** The same, sized by what is known of a command. */
export const withCommand = (shape: Shape, command: string): Shape => shapeOf({ ...shape, command });
