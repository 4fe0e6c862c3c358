import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { DaemonJson, RunJson } from '../../../src/wire/api.ts';
import { until } from './until.ts';

/** The built program; `npm test` builds it first. */
export const program = join(import.meta.dirname, '../../../dist/current/main.js');

export interface Ended {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Going {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** An orca with a state folder of its own; after the test its daemon, residents and runs are gone, and that is checked. */
export class Orca {
  readonly folder: string;
  readonly state: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(test: TestContext, env: NodeJS.ProcessEnv = {}, folder = mkdtempSync(join(tmpdir(), 'orca-e2e-'))) {
    this.folder = folder;
    this.state = join(folder, 'state');
    const { PATH, LANG } = process.env;
    this.#env = { PATH, LANG, HOME: folder, ORCA_HOME: this.state, ORCA_KILL_GRACE_SECONDS: '2', ...env };
    test.after(() => this.#clean());
  }

  /** Starts a command line; standard input is empty unless `input` is given. */
  start(args: readonly string[], options: { input?: string; cwd?: string; env?: NodeJS.ProcessEnv } = {}): Going {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: options.cwd ?? this.folder,
      env: { ...this.#env, ...options.env },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdin?.end(options.input);
    const read = (stream: NodeJS.ReadableStream | null): { text: string } => {
      const kept = { text: '' };
      stream?.setEncoding('utf8').on('data', (piece: string) => (kept.text += piece));
      return kept;
    };
    const [stdout, stderr] = [read(child.stdout), read(child.stderr)];
    const ended = new Promise<Ended>((resolve) => {
      child.once('close', (status, signal) => resolve({ status, signal, stdout: stdout.text, stderr: stderr.text }));
    });
    return { child, ended };
  }

  run(args: readonly string[], options?: Parameters<Orca['start']>[1]): Promise<Ended> {
    return this.start(args, options).ended;
  }

  /** Queues a command and gives its number. */
  async submit(...args: string[]): Promise<number> {
    const { status, stdout, stderr } = await this.run(['submit', ...args]);
    if (status !== 0) throw new Error(`submit ended with ${status}: ${stderr}`);
    return Number(stdout.trim());
  }

  async status(run: number): Promise<RunJson> {
    const { stdout } = await this.run(['status', String(run), '--json']);
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
    return JSON.parse(stdout) as DaemonJson;
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
    await until(() => (this.#left().length === 0 ? true : null), `no process of ${this.state} is left`);
    rmSync(this.folder, { recursive: true, force: true });
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
