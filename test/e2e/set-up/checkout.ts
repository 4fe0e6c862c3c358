import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import { linkModules } from './link-modules.ts';

const repository = join(import.meta.dirname, '../../..');

export interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A checkout with the real set-up, a tiny program, and a PATH that holds only what the test names. */
export class Checkout {
  readonly folder: string;
  /** The programs on PATH. */
  readonly bin: string;
  readonly #base: string;

  constructor(t: TestContext) {
    this.#base = mkdtempSync(join(tmpdir(), 'orca set-up-'));
    t.after(() => rmSync(this.#base, { recursive: true, force: true }));
    chmodSync(this.#base, 0o755);
    this.folder = join(this.#base, 'a checkout');
    this.bin = join(this.#base, 'bin');
    for (const folder of [this.folder, this.bin, this.home]) mkdirSync(folder);
    for (const item of ['orca', 'tools', 'package.json', 'package-lock.json', '.npmrc'])
      cpSync(join(repository, item), join(this.folder, item), { recursive: true, preserveTimestamps: true });
    linkModules(repository, this.folder);
    mkdirSync(join(this.folder, '.git'));
    this.write('src/cli/main.ts', `console.log('one', ...process.argv.slice(2));`);
    // The other two parts of a build.
    for (const part of ['run-program', 'daemon']) this.write(`src/cli/${part}.ts`, '');
    this.write('native/build.sh', `printf '#!/bin/sh\\n' >"$1" && chmod +x "$1"`);
    for (const tool of tools) {
      const found = which(tool);
      if (found !== null) symlinkSync(found, join(this.bin, tool));
    }
  }

  get home(): string {
    return join(this.#base, 'home');
  }

  write(file: string, content: string): void {
    mkdirSync(join(this.folder, file, '..'), { recursive: true });
    writeFileSync(join(this.folder, file), content);
  }

  /** Puts a program on PATH: a link to `target`, or a script. */
  program(name: string, content: { readonly target: string } | { readonly script: string }): void {
    const file = join(this.bin, name);
    rmSync(file, { force: true });
    if ('target' in content) symlinkSync(content.target, file);
    else writeFileSync(file, `#!/bin/sh\n${content.script}\n`, { mode: 0o755 });
  }

  /** Runs ./orca there; `uid` as which user. */
  async orca(args: readonly string[] = [], uid?: number): Promise<Answer> {
    const env = { PATH: this.bin, HOME: this.home };
    const child = spawn(join(this.folder, 'orca'), args, {
      env,
      timeout: 60_000,
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, stdout, stderr }));
    return promise;
  }
}

const tools =
  'sh cat chmod cksum cmp cp dirname env find flock grep head id ls mkdir mv readlink rm sleep tail touch uname'.split(
    ' ',
  );

const which = (name: string): string | null =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file)) ?? null;
