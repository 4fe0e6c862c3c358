import { cpSync, mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { program } from './orca.ts';

/** A package's folder of its own, with several builds of the program that differ in what they say of themselves. */
export class Package {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    mkdirSync(join(root, 'dist'), { recursive: true });
    symlinkSync(join(dirname(dirname(dirname(realpathSync(program)))), 'native'), join(root, 'native'));
  }

  /** Adds a build and gives its entry file. */
  build(name: string, about: { readonly version: string; readonly built_at: number }): string {
    const folder = join(this.#root, 'dist', name);
    cpSync(dirname(realpathSync(program)), folder, { recursive: true });
    writeFileSync(join(folder, 'build.json'), JSON.stringify({ ...about, hash: name }));
    return join(folder, 'main.js');
  }

  /** Turns `dist/current` to a build, as the build tool does. */
  switchTo(name: string): void {
    const link = join(this.#root, 'dist/.current');
    symlinkSync(name, link);
    renameSync(link, join(this.#root, 'dist/current'));
  }
}
