import { millis, type Millis } from '../units/brands.ts';
import type { Dimension } from './dimension.ts';
import { holds } from './holds.ts';
import type { Room } from './room.ts';
import type { Need } from './shape.ts';

/**
 * When all of `needs` will be free by the ends that are known: learned, else by a time limit. Null: not by those alone. Who is over its
 * time should end any moment, so that nothing more is let past on its account.
 */
export const roomAt = (needs: readonly Need[], room: Room, now: Millis): Millis | null => {
  const lacking = new Map<Dimension, number>();
  for (const need of needs) if (need.amount > room.free(need)) lacking.set(need.of, need.amount - room.free(need));
  const ending = room.holding
    .flatMap((holding) => {
      const end = holding.endsAt ?? holding.endsBy;
      return end === null ? [] : [{ holding, end: Math.max(now, end) }];
    })
    .sort((a, b) => a.end - b.end || a.holding.run - b.holding.run);
  let at: number = now;
  for (const { holding, end } of ending) {
    if (lacking.size === 0) break;
    for (const [of, amount] of holds(holding)) {
      const lack = lacking.get(of);
      if (lack === undefined) continue;
      at = end;
      if (amount >= lack) lacking.delete(of);
      else lacking.set(of, lack - amount);
    }
  }
  return lacking.size === 0 ? millis(at) : null;
};
