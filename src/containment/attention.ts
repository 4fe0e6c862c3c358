/** How closely a contained start is looked at: what is remembered of it between two looks. Moments are monotonic ms. */
export interface Attention {
  /** The kernel tells when its `memory.events` change. */
  readonly watched: boolean;
  /** When they last changed; null: not since its first look. */
  readonly stirredMs: number | null;
  /** The last look at its memory and pressure. */
  readonly lookedMs: number | null;
  /** What that look found (`held`). */
  readonly held: boolean;
}

/** As long as `avg10` looks back, and five times as long as the kernel lets a throttled task sleep at most. */
const calmAfterMs = 10_000;
/** An event may be lost, and the pressure of a run that goes over no limit may change all the same. */
const idleLookMs = 5000;

/**
 * Whether nothing calls for a look at every tick. A run that goes over its limit, or that the kernel slows down there, counts `high` in its
 * `memory.events` every 2 s at least; one in which nothing counted for 10 s is not held.
 */
export const isCalm = ({ stirredMs, held }: Attention, nowMs: number): boolean =>
  !held && (stirredMs === null || nowMs - stirredMs >= calmAfterMs);

/** Whether its memory and pressure are to be read now: at every tick, or, while it is calm and the kernel tells of changes, every 5 s. */
export const lookDue = (attention: Attention, nowMs: number): boolean =>
  !attention.watched ||
  !isCalm(attention, nowMs) ||
  attention.lookedMs === null ||
  nowMs - attention.lookedMs >= idleLookMs;
