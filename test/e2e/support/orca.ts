import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DaemonJson, RunJson } from '../../../src/wire/api.ts';
import { patient } from '../../support/patience.ts';
import { until } from './until.ts';

/** The built program; `npm test` builds it first. */
export const program = join(import.meta.dirname, '../../../dist/current/main.js');

export interface Ended {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as it came. */
  readonly bytes: Buffer;
}

export interface Going {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** A test, or `{ after }` of node:test for a whole file. */
export interface Scope {
  readonly after: (clean: () => Promise<void>) => void;
}

export interface StartOptions {
  /** What its standard input gets through a pipe; without it, or `stdin`, it is empty. */
  readonly input?: string | Buffer;
  /** A descriptor for its standard input, or a pipe that stays open. */
  readonly stdin?: number | 'pipe';
  /** A descriptor for its standard output, which is then not read here. */
  readonly stdout?: number;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** How long it may take, when that is longer than usual. */
  readonly withinMs?: number;
  /** Another build's `main.js`. */
  readonly program?: string;
}

/** What else a machine does holds no start, and is in no reason: tests that are about it say otherwise. */
const quiet = { ORCA_PRESSURE_MEMORY: '0', ORCA_PRESSURE_IO: '0' };

/** An orca with a state folder of its own; after the test its daemon, residents and runs are gone, and that is checked. */
export class Orca {
  readonly folder: string;
  readonly state: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(scope: Scope, env: NodeJS.ProcessEnv = {}, folder = mkdtempSync(join(tmpdir(), 'orca-e2e-'))) {
    this.folder = folder;
    this.state = env['ORCA_HOME'] ?? join(folder, 'state');
    const { PATH, LANG } = process.env;
    this.#env = { PATH, LANG, HOME: folder, ORCA_HOME: this.state, ORCA_KILL_GRACE_SECONDS: '2', ...quiet, ...env };
    scope.after(() => this.#clean());
  }

  /** Starts a command line of orca. */
  start(args: readonly string[], options: StartOptions = {}): Going {
    return this.#spawn(process.execPath, [options.program ?? program, ...args], options);
  }

  /** Starts a script of bash in which `orca` is the program, for pipes and redirections. */
  startShell(script: string, options: StartOptions = {}): Going {
    const words = ['-c', `orca() { '${process.execPath}' '${program}' "$@"; }\n${script}`];
    return this.#spawn('bash', words, options);
  }

  shell(script: string, options?: StartOptions): Promise<Ended> {
    return this.startShell(script, options).ended;
  }

  #spawn(file: string, args: readonly string[], options: StartOptions): Going {
    const child = spawn(file, args, {
      cwd: options.cwd ?? this.folder,
      env: { ...this.#env, ...options.env },
      stdio: [options.stdin ?? (options.input === undefined ? 'ignore' : 'pipe'), options.stdout ?? 'pipe', 'pipe'],
    });
    // A command may end without having read it.
    child.stdin?.on('error', () => undefined);
    if (options.stdin === undefined) child.stdin?.end(options.input);
    return { child, ended: endOf(child, `${file} ${args.join(' ')}`, patient(options.withinMs ?? endsWithinMs)) };
  }

  run(args: readonly string[], options?: StartOptions): Promise<Ended> {
    return this.start(args, options).ended;
  }

  /** Queues a command and gives its number. */
  async submit(...args: string[]): Promise<number> {
    const { status, stdout, stderr } = await this.run(['submit', ...args]);
    if (status !== 0) throw new Error(`submit ended with ${status}: ${stderr}`);
    return Number(stdout.trim());
  }

  async status(run: number): Promise<RunJson> {
    const { status, stdout, stderr } = await this.run(['status', String(run), '--json']);
    if (status !== 0) throw new Error(`status of run ${run} ended with ${status}: ${stderr}`);
    return JSON.parse(stdout) as RunJson;
  }

  /** Waits until a run is as wanted. */
  async untilRun(run: number, wanted: (run: RunJson) => boolean, what = 'as wanted'): Promise<RunJson> {
    return until(async () => {
      const found = await this.status(run);
      return wanted(found) ? found : null;
    }, `run ${run} is ${what}`);
  }

  async daemon(): Promise<DaemonJson> {
    const { stdout } = await this.run(['status', '--json']);
    return (JSON.parse(stdout) as { daemon: DaemonJson }).daemon;
  }

  /** The daemon's pid as its file says, whether it lives or not; null when there never was one. */
  daemonPid(): number | null {
    const file = join(this.state, 'daemon.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid : null;
  }

  /** SIGKILL to the daemon, as a crash. */
  killDaemon(): void {
    const pid = this.daemonPid();
    if (pid !== null) process.kill(pid, 'SIGKILL');
  }

  /** The pids of this state's residents. */
  residents(): number[] {
    return processesWith(`orca-keep resident ${this.state}`);
  }

  /** The keeper of a start, from its record. */
  keeperPid(run: number, start = 1): number | null {
    const file = join(this.state, 'starts', `${run}.${start}`, 'pid');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { keeper: { pid: number } }).keeper.pid : null;
  }

  async #clean(): Promise<void> {
    await this.run(['kill', '--now', ...(await this.#active())]).catch(() => {});
    await this.run(['down', '--drain']);
    await this.#untilNoneIsLeft();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #untilNoneIsLeft(): Promise<void> {
    const gone = `no process of ${this.state} is left`;
    await until(() => (this.#left().length === 0 ? true : null), gone).catch((error: unknown) => {
      const left = this.#left().map((pid) => `${pid} ${textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`);
      throw new Error(`${gone}, but there are: ${left.join('; ')}`, { cause: error });
    });
  }

  async #active(): Promise<string[]> {
    const { stdout } = await this.run(['list', '--limit', '5000', '--json']);
    return [...stdout.matchAll(/"id":\s*(\d+)/g)].map((match) => match[1] ?? '');
  }

  /** Processes whose environment or command line names this state folder. */
  #left(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .filter((pid) => ['environ', 'cmdline'].some((file) => textOf(`/proc/${pid}/${file}`).includes(this.state)))
      .map(Number);
  }
}

/** No command of a test takes so long. */
const endsWithinMs = 60_000;

const endOf = (child: ChildProcess, what: string, withinMs: number): Promise<Ended> => {
  const read = (stream: NodeJS.ReadableStream | null): Buffer[] => {
    const pieces: Buffer[] = [];
    stream?.on('data', (piece: Buffer) => pieces.push(piece));
    return pieces;
  };
  const [stdout, stderr] = [read(child.stdout), read(child.stderr)];
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`It did not end within ${withinMs} ms: ${what}`));
    }, withinMs);
    child.once('close', (status, signal) => {
      clearTimeout(late);
      const bytes = Buffer.concat(stdout);
      resolve({ status, signal, bytes, stdout: bytes.toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });
};

const processesWith = (words: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').includes(words))
    .map(Number);

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** Whether a program can be had, for tests that need more than the usual ones. */
export const hasProgram = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
