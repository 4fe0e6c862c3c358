import type { Clock } from '../client/client-place.ts';
import type { Program } from '../client/program.ts';
import type { StateHost } from '../client/state-host.ts';
import type { LoadedSettings } from '../settings/load-settings.ts';
import type { Output } from './output.ts';

/** The folder that the caller is in, and its name's bytes where Node may have had to change them. */
export interface CurrentFolder {
  readonly path: string;
  readonly bytes: Uint8Array | null;
}

/** The process as the commands see it; tests give their own. */
export interface Context {
  readonly loaded: LoadedSettings;
  readonly env: Readonly<Record<string, string>>;
  /** Null: it was deleted. */
  readonly cwd: CurrentFolder | null;
  readonly umask: number;
  readonly pid: number;
  /** The login name, for the record of who killed a run. */
  readonly user: string;
  readonly program: Program;
  readonly out: Output;
  readonly err: Output;
  readonly clock: Clock;
  readonly stateHost: StateHost;
  /** The environment's bytes as the process got it, since `env` holds only text; null: not known. */
  readonly rawEnvironment: () => Uint8Array | null;
  /** A uuid. */
  readonly newToken: () => string;
  /** Calls back at each such signal, which then no longer ends the process; returns how to stop that. */
  readonly onSignal: (name: 'SIGINT' | 'SIGTERM' | 'SIGHUP', handle: () => void) => () => void;
}
