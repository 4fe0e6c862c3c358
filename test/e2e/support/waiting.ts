import type { Going, Orca, StartOptions } from './orca.ts';
import { sockets } from './processes.ts';
import { until } from './until.ts';

/**
 * Resolves when the daemon has answered the wait of these commands, so that its death breaks an open one: each has its connection, beside its
 * two outputs, and another command that came later was answered.
 */
export const untilWaiting = async (orca: Orca, waits: readonly Going[], how: StartOptions = {}): Promise<void> => {
  for (const { child } of waits) {
    await until(
      () => (child.pid !== undefined && sockets(child.pid) >= 3 ? true : null),
      'the wait has its connection',
    );
  }
  await orca.run(['list'], how);
};
