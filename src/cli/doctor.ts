import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DaemonClient } from '../client/daemon-client.ts';
import { scarceRoom, whyFull } from '../client/room.ts';
import { daemonError } from '../client/start-daemon.ts';
import { prepareStateFolder } from '../client/state-folder.ts';
import type { StateHost } from '../client/state-host.ts';
import { realSetUpHost } from '../containment/real-host.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { formatDuration } from '../units/format-duration.ts';
import { formatSize } from '../units/format-size.ts';
import { visibleText } from '../units/visible-text.ts';
import type { DaemonJson } from '../wire/api.ts';
import { containmentAhead, containmentFinding, containmentWithout, heldFindings } from './containment-finding.ts';
import type { Context } from './context.ts';
import { daemonFinding } from './daemon-finding.ts';
import { evidenceFindings } from './evidence-findings.ts';
import { exitStatus } from './exit-status.ts';
import { serviceManagerFor } from './service-manager-for.ts';
import { keeperAhead, noMoreSh } from './keeper-ahead.ts';
import { logsAhead, logsFindings } from './logs-finding.ts';
import { machineFindings } from './machine-findings.ts';
import { printJson, printLines } from './say.ts';
import { stageFindings } from './stage-words.ts';
import { storeAhead, storeFinding } from './store-finding.ts';

/** One line of `orca doctor`: `broken` means that orca does not work, `warn` that it does with less. */
export interface Finding {
  readonly what: string;
  readonly level: 'ok' | 'warn' | 'broken';
  readonly found: string;
  /** The one command or step that helps. */
  readonly help: string | null;
}

/** `orca doctor`: what this machine and installation give orca; exits with 0 unless something is broken. */
export async function doctor(context: Context, options: { json?: boolean }): Promise<number> {
  const state = stateFinding(context);
  const client = state.path === null ? null : clientOf(context, state.path);
  const looked = (await client?.look()) ?? ({ kind: 'none', down: false } as const);
  const daemon = looked.kind === 'there' ? looked.answer : null;
  const { keeper, cgroups } = daemon === null ? ahead(context) : found(daemon);
  const store = daemon === null || client === null ? null : await storeFinding(client);
  const findings: Finding[] = [
    nodeFinding(process.versions.node),
    ...settingsFindings(context.loaded.refused),
    state.finding,
    daemonFinding(looked, state.path === null ? null : daemonError(state.path, 0)),
    store ?? (await storeAhead(context.loaded.settings.get('ORCA_STORE_URL'))),
    keeper,
    cgroups,
    ...(cgroups.level === 'ok' ? heldFindings(readOrNull) : []),
    ...evidenceFindings(cgroups.level === 'ok', daemon?.evidence),
    ...usageFindings(daemon?.usage),
    ...damageFindings(daemon?.damaged),
    ...(daemon === null
      ? logsAhead(context.loaded.settings.get('ORCA_LOGS'))
      : logsFindings(daemon.logs, context.clock.now())),
    ...stageFindings(daemon?.stage),
    ...(await machineFindings(daemon, context.loaded.settings, context.env)),
    pathFinding(context.env['PATH'], context.program.entry),
  ];
  if (options.json === true) await printJson(context.out, { findings });
  else await printLines(context.out, findings.flatMap(findingLines));
  return findings.some(({ level }) => level === 'broken') ? exitStatus.refused : exitStatus.ok;
}

export function findingLines({ what, level, found, help }: Finding): string[] {
  const line = `${level.padEnd(6)} ${what.padEnd(9)} ${visibleText(found)}`;
  return help === null ? [line] : [line, `${' '.repeat(17)}→ ${visibleText(help)}`];
}

export function nodeFinding(version: string): Finding {
  const major = Number(version.split('.')[0]);
  if (major >= 24) return { what: 'node', level: 'ok', found: version, help: null };
  return { what: 'node', level: 'broken', found: `${version}; 24 or newer is needed`, help: 'install Node 24' };
}

/** What is given and cannot be used; every command that starts something is refused for it. */
export const settingsFindings = (refused: readonly OrcaError[]): Finding[] =>
  refused.map(({ message, hint }) => ({ what: 'settings', level: 'broken', found: message, help: hint }));

function stateFinding(context: Context): { readonly path: string | null; readonly finding: Finding } {
  if (context.loaded.refused.some(({ params }) => params['name'] === 'ORCA_HOME')) {
    const found = 'unknown, since ORCA_HOME cannot be used';
    return { path: null, finding: { what: 'state', level: 'broken', found, help: 'correct or unset ORCA_HOME' } };
  }
  try {
    const path = prepareStateFolder(context.loaded.settings.get('ORCA_HOME'), context.stateHost);
    return { path, finding: roomFinding(path, context.stateHost) };
  } catch (cause) {
    if (!(cause instanceof OrcaError)) throw cause;
    return { path: null, finding: { what: 'state', level: 'broken', found: cause.message, help: cause.hint } };
  }
}

/** The state folder is fit; its file system may have no room for the outputs of runs. */
export function roomFinding(path: string, host: StateHost): Finding {
  const what = 'state';
  const full = whyFull(path, host);
  const help = 'make room there, or set ORCA_HOME to a folder elsewhere';
  if (full !== null) return { what, level: 'warn', found: `${path}: its file system is full: ${full}`, help };
  const scarce = scarceRoom(path, host);
  if (scarce === null) return { what, level: 'ok', found: path, help: null };
  const bytes = scarce.bytes === null ? [] : [formatSize(scarce.bytes)];
  const files = scarce.files === null ? [] : [`room for ${scarce.files} further files`];
  const left = [...bytes, ...files].join(' and ');
  return { what, level: 'warn', found: `${path}: its file system is nearly full: ${left} left`, help };
}

const clientOf = ({ program, env, clock }: Context, state: string): DaemonClient =>
  new DaemonClient({ state, program, env, clock, asService: false });

/** What a daemon that the next command starts will find, since none runs that could say what it found. */
function ahead({ loaded: { settings }, program, env }: Context): { keeper: Finding; cgroups: Finding } {
  const root = dirname(dirname(dirname(program.entry)));
  const platform = `${process.platform}-${process.arch}`;
  const host = realSetUpHost(settings.get('ORCA_CGROUPS') === 1, null);
  const keeper = keeperAhead({ root, choice: settings.get('ORCA_KEEPER'), platform, isExecutable });
  const cgroups =
    keeper.level === 'ok' ? containmentAhead(host, serviceManagerFor(settings, env)) : containmentWithout('sh-keeper');
  return { keeper, cgroups };
}

const found = (daemon: DaemonJson): { keeper: Finding; cgroups: Finding } => ({
  keeper: keeperFinding(daemon),
  cgroups: containmentFinding(daemon),
});

export function keeperFinding({ keeper }: DaemonJson): Finding {
  const what = 'keeper';
  if (keeper.kind === 'native') return { what, level: 'ok', found: 'native', help: null };
  const why = keeper.why ?? 'the native one is not there';
  const help = why.startsWith('ORCA_KEEPER is sh')
    ? noMoreSh
    : 'install a C compiler (Debian: apt-get install gcc libc6-dev), build as said, then `orca restart`';
  return { what, level: 'warn', found: `sh: no resource usage, signals are guessed; ${why}`, help };
}

/** A daemon that measures as often as it should is not worth a line. */
export function usageFindings(usage: DaemonJson['usage']): Finding[] {
  if (usage?.slowed !== true) return [];
  const every = formatDuration(usage.interval_ms);
  const found = `so many processes are here that runs are measured only every ${every}: what they use for less time than that may be missed`;
  return [{ what: 'usage', level: 'warn', found, help: null }];
}

/** Others go on; these wait until a person ends them. */
export function damageFindings(damaged: DaemonJson['damaged'] = []): Finding[] {
  const [first] = damaged;
  if (first === undefined) return [];
  const runs = damaged.length === 1 ? `run ${first}` : `${damaged.length} runs`;
  const found = `the record of ${runs} in the store is damaged, and what cannot be read is not started`;
  const which = damaged.slice(0, 20).join(' ');
  const help = `\`orca status ${first}\` tells what of it; \`orca kill ${which}\` ends ${damaged.length === 1 ? 'it' : 'them'}`;
  return [{ what: 'runs', level: 'warn', found, help }];
}

/** A screen reader is called `orca` too. */
export function pathFinding(path: string | undefined, entry: string): Finding {
  const what = 'path';
  const first = firstOnPath('orca', path ?? '');
  if (first === null) return { what, level: 'ok', found: 'no `orca` on PATH; call it by its path', help: null };
  if (isOurs(first, entry)) return { what, level: 'ok', found: first, help: null };
  const second = firstOnPath('orcactl', path ?? '');
  const help = second !== null && isOurs(second, entry) ? 'say `orcactl` instead' : `call ${entry} by its path`;
  return { what, level: 'warn', found: `another \`orca\` comes first on PATH: ${first}`, help };
}

function firstOnPath(name: string, path: string): string | null {
  for (const folder of path.split(':')) {
    const file = join(folder === '' ? '.' : folder, name);
    if (isExecutable(file)) return file;
  }
  return null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Ours is the running entry, or a wrapper in a package of orca: a checkout's `orca`, an installed one's `bin/orca.js`. */
function isOurs(file: string, entry: string): boolean {
  const real = realpathSync(file);
  if (real === entry) return true;
  const beside = dirname(real);
  return [beside, dirname(beside)].some((folder) =>
    /"name":\s*"orca-runs"/.test(readOrNull(join(folder, 'package.json')) ?? ''),
  );
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
