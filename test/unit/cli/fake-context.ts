import { constants } from 'node:os';
import { systemClock } from '../../../src/client/client-place.ts';
import type { Context } from '../../../src/cli/context.ts';
import { outputFailed, type Output } from '../../../src/cli/output.ts';
import { settingsOf } from '../../../src/settings/load-settings.ts';

/** Keeps what was written; `closeAfter` bytes its reader goes away. With a fault nothing can be written. */
export class MemoryOutput implements Output {
  readonly isTTY: boolean;
  readonly columns: number;
  text = '';
  readonly #closeAfter: number;
  readonly #fault: string | null;

  constructor({ isTTY = false, columns = 80, closeAfter = Number.POSITIVE_INFINITY, fault = '' } = {}) {
    this.isTTY = isTTY;
    this.columns = columns;
    this.#closeAfter = closeAfter;
    this.#fault = fault === '' ? null : fault;
  }

  write(data: string | Uint8Array): Promise<boolean> {
    if (this.#fault !== null) {
      const errno = -constants.errno[this.#fault as keyof typeof constants.errno];
      return Promise.reject(outputFailed(Object.assign(new Error(this.#fault), { errno }), 'Again.'));
    }
    if (this.text.length >= this.#closeAfter) return Promise.resolve(false);
    this.text += Buffer.from(data as Uint8Array).toString();
    return Promise.resolve(true);
  }
}

export interface FakeContext extends Context {
  readonly out: MemoryOutput;
  readonly err: MemoryOutput;
  /** As the kernel sends it. */
  readonly signal: (name: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => void;
}

export interface FakeContextOptions {
  readonly state: string;
  readonly out?: MemoryOutput;
  readonly err?: MemoryOutput;
  readonly env?: Readonly<Record<string, string>>;
}

/** A caller's process without a process. */
export function fakeContext({
  state,
  out = new MemoryOutput(),
  err = new MemoryOutput(),
  env = {},
}: FakeContextOptions): FakeContext {
  const handlers = new Map<string, Set<() => void>>();
  const all = { HOME: '/home/ada', PATH: '/usr/bin:/bin', ...env, ORCA_HOME: state };
  const settings = settingsOf(all);
  let tokens = 0;
  return {
    loaded: {
      settings,
      warnings: [],
      refused: [],
      source: { env: all, homeFolder: '/home/ada', files: [], readText: () => null },
    },
    env: all,
    cwd: { path: '/work', bytes: null },
    umask: 0o022,
    // No kernel gives so high a number: it descends from nobody.
    pid: 2 ** 22 + 77,
    user: 'ada',
    program: { version: '0.1.0', builtAt: 5, entry: '/nonexistent/orca.js', node: process.execPath },
    out,
    err,
    clock: systemClock,
    stateHost: {
      uid: process.getuid?.() ?? 0,
      machineId: null,
      statfs: () => ({ type: 0xef53, bsize: 4096, bavail: 1e6, bfree: 1e6, blocks: 2e6, ffree: 1e6, files: 2e6 }),
      refuge: `${state}-refuge`,
      say: () => {},
    },
    rawEnvironment: () => null,
    newToken: () => `token-${(tokens += 1)}`,
    onSignal: (name, handle) => {
      const set = handlers.get(name) ?? new Set();
      handlers.set(name, set.add(handle));
      return () => set.delete(handle);
    },
    signal: (name) => handlers.get(name)?.forEach((handle) => handle()),
  };
}
