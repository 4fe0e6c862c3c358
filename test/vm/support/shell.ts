import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from '../../e2e/support/orca.ts';
import { until } from '../../native/support/until.ts';
import type { Cgroup } from './cgroup.ts';

/** Without a margin the kernel kills at the limit, where with one it would slow a run down for half a minute first. */
export const quickDeath = { ORCA_RUN_MEMORY_MARGIN: '0' } as const;

export interface ShellOptions {
  /** Whose it is; root's without. */
  readonly uid?: number;
  /** Where it and all that it starts are. */
  readonly cgroup?: Cgroup;
  /** The program that starts it, such as `/usr/bin/unshare --mount`: busybox has one that can less, and its shell prefers that. */
  readonly around?: readonly string[];
  /** Without a daemon, `up`, `down` and `restart` do nothing here: each would cost seconds. */
  readonly daemon?: boolean;
  /** The state folder, where it is not its own. */
  readonly state?: string;
}

export interface Answer {
  readonly status: number;
  /** Standard output and error. */
  readonly text: string;
}

/**
 * Somebody's shell, which stays: commands are typed into it, `orca` among them, with a state folder of its own. Its `sudo` has the test
 * do it, which is root. Disposing of it ends the daemon, and fails when that is not possible.
 */
export class Shell {
  readonly folder = mkdtempSync(join(tmpdir(), 'orca-shell-'));
  readonly state: string;
  readonly #child: ChildProcess;
  readonly #cgroup: Cgroup | undefined;
  #lines = 0;
  #asked = 0;

  constructor({ uid = 0, cgroup, around = [], daemon = true, state }: ShellOptions = {}) {
    this.state = state ?? join(this.folder, 'state');
    chownSync(this.folder, uid, uid);
    // It waits at `read` until it is where it should be: what `around` makes, such as a cgroup namespace, begins there.
    this.#child = spawn('sh', ['-c', 'read go; exec "$@"', 'sh', ...around, 'sh'], {
      stdio: ['pipe', 'inherit', 'inherit'],
      cwd: '/',
      uid,
      gid: uid,
      env: { PATH: process.env['PATH'], HOME: this.folder, ORCA_HOME: this.state, ...quickDeath },
    });
    this.#child.stdin?.on('error', () => undefined);
    if (this.#child.pid === undefined) throw new Error(`no shell can be started as user ${uid}`);
    cgroup?.put(this.#child.pid);
    this.#cgroup = cgroup;
    this.#type(`go\n${functions(this.folder, daemon)}`);
  }

  #type(text: string): void {
    this.#child.stdin?.write(`${text}\n`);
  }

  /** Types one command line, and waits for its end. */
  async run(line: string, deadlineMs = 60_000): Promise<Answer> {
    const file = join(this.folder, `line-${++this.#lines}`);
    this.#type(`{ ${line}\n} </dev/null >${file} 2>&1; echo $? >${file}.tmp; mv ${file}.tmp ${file}.status`);
    await until(`the end of: ${line}`, () => this.#help() || existsSync(`${file}.status`), deadlineMs);
    return { status: Number(readFileSync(`${file}.status`, 'utf8')), text: readFileSync(file, 'utf8') };
  }

  /** Does what the shell's `sudo` is asked for. */
  #help(): false {
    const file = join(this.folder, `sudo-${this.#asked + 1}`);
    if (!existsSync(file)) return false;
    this.#asked += 1;
    const [command = '', ...args] = readFileSync(file, 'utf8').split('\0').slice(0, -1);
    const { status } = spawnSync(command, args, { stdio: 'inherit' });
    writeFileSync(`${file}.tmp`, String(status ?? 1));
    renameSync(`${file}.tmp`, `${file}.status`);
    return false;
  }

  /** Lines of `orca doctor` on one thing: what was found, and what helps. */
  async doctor(
    what: string,
  ): Promise<{ readonly level: string; readonly found: string; readonly help: string | null }> {
    const { text } = await this.run('orca doctor --json');
    const { findings } = JSON.parse(text) as {
      findings: { what: string; level: string; found: string; help: string | null }[];
    };
    const found = findings.find((finding) => finding.what === what);
    if (found === undefined) throw new Error(`doctor says nothing of ${what}: ${text}`);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#cgroup !== undefined) writeFileSync(join(this.#cgroup.path, 'cgroup.kill'), '1');
    else if (existsSync(join(this.state, 'daemon.json'))) await this.run('orca down');
    this.#child.kill('SIGKILL');
    // Where two share a state folder the other shell is a process of it.
    if (this.state.startsWith(this.folder))
      await until(`no process of ${this.state}`, () => withState(this.state).length === 0, 30_000);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const functions = (folder: string, daemon: boolean): string => `
orca() { case ${String(daemon)}-$1 in false-up | false-down | false-restart) ;; *) '${process.execPath}' '${program}' "$@" ;; esac; }
sudo() {
  asked=$((asked + 1)); ask=${folder}/sudo-$asked
  printf '%s\\0' "$@" >$ask.new; mv $ask.new $ask
  until [ -e $ask.status ]; do sleep 0.1; done
  return "$(cat $ask.status)"
}`;

const withState = (state: string): string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && pid !== String(process.pid) && hasState(pid, state));

const hasState = (pid: string, state: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`ORCA_HOME=${state}`);
  } catch {
    return false;
  }
};
