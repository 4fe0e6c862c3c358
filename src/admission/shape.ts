import type { Bytes, Millis } from '../units/brands.ts';
import { byGathering, type Dimension } from './dimension.ts';

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
  /** The group's bound, a slot, locks, resources: in the order in which they are gathered. */
  readonly needs: readonly Need[];
  readonly timeoutMs: Millis | null;
  /** What was learned of this command sizes it; null: nothing is known of it. */
  readonly command: string | null;
}

export const shapeOf = (parts: Omit<Shape, 'key'>): Shape => {
  const { cpusMilli, memory, most, gpus, timeoutMs, command } = parts;
  const needs = parts.needs.toSorted((a, b) => byGathering(a.of, b.of));
  const named = needs.map(({ of, amount, there }) => `${JSON.stringify(of)}=${amount}/${there ?? ''}`);
  const key = [cpusMilli, memory, most, gpus, timeoutMs, command, ...named].join(' ');
  return { ...parts, needs, key };
};

/** The same, sized by what is known of a command. */
export const withCommand = (shape: Shape, command: string): Shape => shapeOf({ ...shape, command });
