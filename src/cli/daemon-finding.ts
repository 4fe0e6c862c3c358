import type { Looked } from '../client/look.ts';
import type { DaemonJson, ErrorJson } from '../wire/api.ts';
import type { Finding } from './doctor.ts';

const what = 'daemon';

/** `failure`: what the last one said that could not start; null once one serves. */
export function daemonFinding(looked: Looked<DaemonJson>, failure: ErrorJson | null): Finding {
  switch (looked.kind) {
    case 'there': {
      const { version, pid, down, paused } = looked.answer;
      const found = `${version}, pid ${pid}`;
      if (!down && paused != null) {
        const { by, reason } = paused;
        const why = reason === null ? '' : `: ${reason}`;
        return { what, level: 'warn', found: `${found}; ${by} paused the queue${why}`, help: 'orca resume' };
      }
      return down
        ? { what, level: 'warn', found: `${found}, down: nothing is started until \`orca up\``, help: 'orca up' }
        : { what, level: 'ok', found, help: null };
    }
    case 'silent': {
      const found = `a daemon (pid ${looked.pid}) holds the lock but does not answer`;
      const help = `kill -9 ${looked.pid}: it is made for that; runs go on, and the next command starts another`;
      return { what, level: 'broken', found, help };
    }
    case 'none':
      return none(looked.down, failure);
  }
}

function none(down: boolean, failure: ErrorJson | null): Finding {
  if (failure !== null) {
    const { message, hint } = failure.error;
    return { what, level: 'warn', found: `not running; the last could not start: ${message}`, help: hint };
  }
  if (!down) return { what, level: 'ok', found: 'not running; the next command starts it', help: null };
  const found = 'not running; after `orca down` nothing is started until `orca up`';
  return { what, level: 'warn', found, help: 'orca up' };
}
