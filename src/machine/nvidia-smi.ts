import { execFile, type ExecFileException } from 'node:child_process';
import { isAbsolute, join } from 'node:path';

/** Where the program is; null when no folder of a PATH has it. */
export const findNvidiaSmi = (path: string | undefined, isExecutable: (file: string) => boolean): string | null =>
  (path ?? '')
    .split(':')
    .filter(isAbsolute)
    .map((folder) => join(folder, 'nvidia-smi'))
    .find(isExecutable) ?? null;

export type Answer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** A driver that nobody keeps awake takes seconds to answer. */
const answersWithinMs = 5000;
const mostBytes = 1048576;

/**
 * Asks the program, for 5 s at most. Where the driver hangs, not even SIGKILL ends the program: then it is given up, and another one is started only
 * when it is gone, so that a hanging driver collects no processes.
 */
export class NvidiaSmi {
  readonly #file: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #withinMs: number;
  #asking = false;

  constructor(file: string, env: NodeJS.ProcessEnv, withinMs = answersWithinMs) {
    this.#file = file;
    this.#env = env;
    this.#withinMs = withinMs;
  }

  ask(args: readonly string[]): Promise<Answer> {
    if (this.#asking) return Promise.resolve(silent);
    this.#asking = true;
    return new Promise((resolve) => {
      const child = execFile(
        this.#file,
        args,
        // Its words are parsed: no other language's.
        { env: { ...this.#env, LC_ALL: 'C' }, maxBuffer: mostBytes, encoding: 'utf8' },
        (error, stdout, stderr) => {
          clearTimeout(timer);
          resolve(error === null ? { ok: true, text: stdout } : { ok: false, why: whyFailed(error, stdout, stderr) });
        },
      );
      child.stdin?.end();
      child.once('error', () => (this.#asking = false));
      child.once('exit', () => (this.#asking = false));
      const timer = setTimeout(() => {
        resolve(silent);
        child.kill('SIGKILL');
        child.stdout?.destroy();
        child.stderr?.destroy();
        child.unref();
      }, this.#withinMs);
    });
  }
}

const silent: Answer = { ok: false, why: 'nvidia-smi does not answer' };

/** It tells what is wrong on standard output. */
const whyFailed = (error: ExecFileException, stdout: string, stderr: string): string => {
  const said = [stdout, stderr].flatMap((text) => text.split('\n')).find((line) => line.trim() !== '');
  return said === undefined
    ? `nvidia-smi failed: ${error.code ?? error.message}`
    : `nvidia-smi: ${said.trim().slice(0, 200)}`;
};
