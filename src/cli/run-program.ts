import { readFileSync, readlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { CommanderError } from 'commander';
import { systemClock } from '../client/client-place.ts';
import { thisStateHost } from '../client/state-host.ts';
import { loadSettings, processSource, type LoadedSettings, type SettingsSource } from '../settings/load-settings.ts';
import { visibleText } from '../units/visible-text.ts';
import { aboutBuild } from './about-build.ts';
import { checkArguments } from './check-arguments.ts';
import type { Context, CurrentFolder } from './context.ts';
import { exitStatus } from './exit-status.ts';
import { newToken } from './new-token.ts';
import { openOutput } from './output.ts';
import { makeProgram } from './program.ts';
import { reportError } from './report-error.ts';
import { thisProgram } from './this-program.ts';

/** Runs one command line of this process; gives its exit status. */
export async function runProgram(argv: readonly string[], entryFile: string): Promise<number> {
  const [out, err] = [openOutput(1), openOutput(2)];
  const json = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length).includes('--json');
  const source = processSource();
  try {
    const status = { code: exitStatus.ok as number };
    const program = await makeProgram({
      out,
      err,
      json,
      version: aboutBuild(entryFile).version,
      context: async () => {
        const context = await processContext(entryFile, { out, err }, source, argv[0]);
        for (const warning of context.loaded.warnings) await err.write(`orca: ${visibleText(warning)}\n`);
        return context;
      },
      exit: (code) => (status.code = code),
    });
    checkArguments(argv);
    await program.parseAsync(argv, { from: 'user' }).catch(async (cause: unknown) => {
      if (!(cause instanceof CommanderError) || cause.exitCode !== 0) throw cause;
      // Help that was asked for is no error, unless it cannot be written.
      await out.write('');
    });
    return status.code;
  } catch (cause) {
    return reportError(cause, { err, json, trace: (source.env['ORCA_TRACE'] ?? '') !== '' });
  }
}

async function processContext(
  entryFile: string,
  { out, err }: Pick<Context, 'out' | 'err'>,
  source: SettingsSource,
  command: string | undefined,
): Promise<Context> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(source.env)) if (value !== undefined) env[name] = value;
  return {
    loaded: await settingsFor(command, source),
    env,
    cwd: currentFolder(),
    umask: process.umask(),
    pid: process.pid,
    user: userName(),
    program: thisProgram(entryFile),
    out,
    err,
    clock: systemClock,
    stateHost: thisStateHost((sentence) => void err.write(`orca: ${visibleText(sentence)}\n`)),
    newToken,
    rawEnvironment,
    onSignal: (name, handle) => {
      process.on(name, handle);
      return () => process.off(name, handle);
    },
  };
}

/** Commands for what runs already: a typo in a setting must not keep a run from being ended or looked at. */
const lenient: readonly (string | undefined)[] = [
  'events',
  'explain',
  'kill',
  'list',
  'logs',
  'metrics',
  'pause',
  'resume',
  'sample',
  'status',
  'top',
  'wait',
];

async function settingsFor(command: string | undefined, source: SettingsSource): Promise<LoadedSettings> {
  // It tells them among its findings.
  if (command === 'doctor') return loadSettings(source, { leniently: true });
  if (!lenient.includes(command)) return loadSettings(source);
  const loaded = await loadSettings(source, { leniently: true });
  // Another state folder holds other runs of the same numbers. A sampler needs none, and fails for nothing.
  const home = loaded.refused.find(({ params }) => params['name'] === 'ORCA_HOME');
  if (home !== undefined && command !== 'sample') throw home;
  const told = loaded.refused.map(({ message }) => `${message} It is not used for this command.`);
  return { ...loaded, warnings: [...loaded.warnings, ...told] };
}

/** As the kernel has it: its name may be no text. Null when it was deleted under us; most commands need none. */
function currentFolder(): CurrentFolder | null {
  try {
    const path = process.cwd();
    return { path, bytes: path.includes('\uFFFD') ? readlinkSync('/proc/self/cwd', 'buffer') : null };
  } catch {
    return null;
  }
}

/** The environment as this process got it; null where the system does not tell. */
function rawEnvironment(): Uint8Array | null {
  try {
    return readFileSync('/proc/self/environ');
  } catch {
    return null;
  }
}

function userName(): string {
  const { uid } = process.getuid === undefined ? { uid: 0 } : { uid: process.getuid() };
  try {
    return userInfo().username;
  } catch {
    return `user ${uid}`;
  }
}
