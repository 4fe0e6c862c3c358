import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../e2e/support/until.ts';

export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A login of a user, opened by PAM as `ssh` or a console would: systemd-logind knows it, and the user's manager begins and ends with it. */
export class Session {
  readonly #shell: ChildProcess;
  readonly #closed: Promise<void>;
  /** A folder that every user may write in. */
  readonly folder = mkdtempSync(join(tmpdir(), 'session-'));
  #lines = 0;

  constructor(user: string) {
    chmodSync(this.folder, 0o777);
    this.#shell = spawn('su', ['-l', user], { stdio: ['pipe', 'inherit', 'inherit'], cwd: '/' });
    this.#closed = new Promise((resolve) => this.#shell.once('close', () => resolve()));
  }

  /** Runs a line of its shell, to the end. What it exports holds for those that follow. */
  async run(line: string): Promise<Ran> {
    this.#lines += 1;
    const file = join(this.folder, `line-${this.#lines}`);
    const tell = `echo $? >${file}.new; mv ${file}.new ${file}.status`;
    this.#shell.stdin?.write(`{ ${line}\n} >${file}.stdout 2>${file}.stderr </dev/null; ${tell}\n`);
    const read = (what: string): string => readFileSync(`${file}.${what}`, 'utf8');
    const ended = (): true | null => (existsSync(`${file}.status`) ? true : null);
    await until(ended, `\`${line}\` ends`, 200_000);
    return { status: Number(read('status')), stdout: read('stdout'), stderr: read('stderr') };
  }

  /** What it writes; it must end well. */
  async says(line: string): Promise<string> {
    const { status, stdout, stderr } = await this.run(line);
    if (status !== 0) throw new Error(`\`${line}\` ended with ${status}: ${stdout}${stderr}`);
    return stdout;
  }

  /** Logs out: the shell reads the end of its input. */
  async logOut(): Promise<void> {
    this.#shell.stdin?.end();
    await this.#closed;
  }
}
