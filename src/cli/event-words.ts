import { shellWords } from '../units/shell-words.ts';
import { visibleText } from '../units/visible-text.ts';
import type { EventJson } from '../wire/api.ts';
import { isRunState } from './final-state.ts';
import { outcomeWords } from './words.ts';

/** `  417  2026-11-30 08:12:03  run 12    finished     failed: exit code 3`; moments are UTC. */
export function eventLine(event: EventJson): string {
  const { id, at, run, kind } = event;
  const moment = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  const whose = run === null ? '-' : `run ${run}`;
  const words = eventWords(event);
  return visibleText(
    `${String(id).padStart(5)}  ${moment}  ${whose.padEnd(8)}  ${kind.padEnd(11)}  ${words}`,
  ).trimEnd();
}

/** The facts of an event, as a person reads them; those of a kind that a later version adds, as they are. */
export function eventWords({ kind, data }: Pick<EventJson, 'kind' | 'data'>): string {
  const words = known[kind]?.(new Facts(data)) ?? null;
  return words ?? (Object.keys(data).length === 0 ? '' : JSON.stringify(data));
}

/** Null: the facts are not those that this version knows. */
const known: Readonly<Record<string, (facts: Facts) => string | null>> = {
  submitted: (facts) => facts.words('argv'),
  running: (facts) => facts.all((start, pid) => `start ${start}, pid ${pid}`, 'start', 'pid'),
  'start-ended': (facts) =>
    facts.all((start, verdict) => `start ${start}: ${facts.text('text') ?? verdict}`, 'start', 'verdict'),
  'start-void': (facts) => facts.all((start) => `start ${start} was never begun`, 'start'),
  finished: (facts) => {
    const state = facts.text('state');
    return state === null || !isRunState(state)
      ? null
      : outcomeWords({ state, text: facts.text('text'), reason: null });
  },
  'kill-asked': (facts) => facts.all((by) => `${by}${facts.is('now') ? ', without grace' : ''}`, 'by'),
  'memory-kill': (facts) =>
    facts.all(
      (start, killed) =>
        `the kernel killed ${killed} ${killed === '1' ? 'process' : 'processes'} of start ${start} for memory; it goes on`,
      'start',
      'killed',
    ),
  paused: (facts) => facts.all((by) => `by ${by}${facts.reason()}`, 'by'),
  resumed: (facts) => facts.all((by) => `by ${by}`, 'by'),
  down: () => 'nothing is started until `orca up`',
  up: () => 'what waits is started again',
};

/** What an event says, by name; null for what is not there. */
class Facts {
  readonly #data: EventJson['data'];

  constructor(data: EventJson['data']) {
    this.#data = data;
  }

  text(name: string): string | null {
    const value = this.#data[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
  }

  is(name: string): boolean {
    return this.#data[name] === true;
  }

  words(name: string): string | null {
    const value = this.#data[name];
    return Array.isArray(value) ? shellWords(value.map(String)) : null;
  }

  reason(): string {
    const reason = this.text('reason');
    return reason === null ? '' : `: ${reason}`;
  }

  /** Null unless all are there. */
  all(say: (...facts: string[]) => string, ...names: readonly string[]): string | null {
    const facts = names.map((name) => this.text(name));
    return facts.every((fact) => fact !== null) ? say(...facts) : null;
  }
}
