import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** What `node tools/build.ts` built. */
export const program = join(root, 'dist/current/main.js');

/** A state folder for one measurement, with a clean environment: NODE_EXTRA_CA_CERTS alone costs Node up to 90 ms a start. */
export class BenchOrca {
  readonly folder = mkdtempSync(join(tmpdir(), 'orca-bench-'));
  readonly env: NodeJS.ProcessEnv;

  constructor(settings: NodeJS.ProcessEnv = {}) {
    const { PATH, LANG } = process.env;
    this.env = { PATH, LANG, HOME: this.folder, ORCA_HOME: join(this.folder, 'state'), ...settings };
  }

  run(...args: string[]): string {
    return execFileSync(process.execPath, [program, ...args], { env: this.env, encoding: 'utf8', cwd: this.folder });
  }

  get daemonPid(): number {
    return (JSON.parse(readFileSync(join(this.folder, 'state/daemon.json'), 'utf8')) as { pid: number }).pid;
  }

  [Symbol.dispose](): void {
    spawnSync(process.execPath, [program, 'down', '--drain'], { env: this.env });
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Milliseconds that `work` takes. */
export const timed = async (work: () => void | Promise<void>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/** The q-th part of the values, 0.5 for the median. */
export const quantile = (values: readonly number[], q: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
};

/** Whether a program can be had. */
export const has = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

/** Prints rows in columns; the first row is the head. */
export const printTable = (rows: readonly (readonly string[])[]): void => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(cells.join('  ').trimEnd());
  }
};
