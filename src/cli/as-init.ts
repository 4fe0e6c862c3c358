import { daemonCommand, type Program } from '../client/program.ts';
import type { Settings } from '../settings/settings.ts';
import { withoutStartVariables } from '../settings/start-variables.ts';

/** What a process executes in its own place. */
export interface Execution {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface FirstDaemon {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: Settings;
  /** The checked state folder. */
  readonly state: string;
  readonly program: Pick<Program, 'node' | 'entry'>;
}

/** Whether a daemon is the first process of its pid namespace, as in a container. */
export const isFirstProcess = (pid: number, env: FirstDaemon['env']): boolean =>
  pid === 1 && env['ORCA_KEEPER_FD'] === undefined;

/**
 * The native keeper as pid 1 in the daemon's place; it starts the daemon and keeps it running (docs/keeper-protocol.md: `init`). Pid 1
 * has to reap what others leave behind, and a container ends with it, so that a daemon there could not hand over to the next.
 */
export const asInit = ({ env, settings, state, program }: FirstDaemon, keeper: string): Execution => ({
  file: keeper,
  args: ['orca-keep', 'init', state, ...daemonCommand(program)],
  env: {
    ...withoutStartVariables(env),
    // No next command starts a container that has ended.
    ...(settings.from('ORCA_IDLE_SECONDS') === 'default' ? { ORCA_IDLE_SECONDS: '0' } : {}),
  },
});

/** Said where pid 1 stays this process. */
export const withoutInit =
  'orca is pid 1 here, and the `sh` keeper cannot be it in its place: nobody reaps processes that others leave behind, and the ' +
  'container ends when the daemon hands over or dies. Start it with an init of its own (docker run --init), or use the native keeper.';
