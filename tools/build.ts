/**
 * Builds the program: `node tools/build.ts` to dist/<hash of the content>/ and turns the link dist/current to it;
 * with `--package` it leaves the link, writes dist/packed.js for the tarball (npm packs no links), and prints the hash.
 *
 * A new build never touches the files of an older one: a running daemon still loads chunks from its own.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, readlink, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { builtinsPlugin } from './builtins-plugin.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const kept = 5;

interface Built {
  readonly path: string;
  readonly text: string;
}

/** pg and pino are CommonJS and `require` Node's own modules: the chunk with esbuild's stand-in gets the real one. */
const requireBanner = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);\n`;

const common: BuildOptions = {
  absWorkingDir: root,
  outdir: 'out',
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Optional: what needs them says how to install them.
  external: ['pg-native', '@aws-sdk/client-s3', '@aws-sdk/client-secrets-manager'],
  legalComments: 'none',
  logLevel: 'warning',
};

/** `main.js` leads to two others that are bundled by themselves. */
const apart: Plugin = {
  name: 'apart',
  setup(build) {
    build.onResolve({ filter: /^\.\/(run-program|daemon)\.ts$/ }, ({ path, importer }) =>
      importer.endsWith('cli/main.ts') ? { path: path.replace(/ts$/, 'js'), external: true } : undefined,
    );
  },
};

/**
 * Three parts: main.js, so small that it needs no compile cache, which only covers what is loaded after it; run-program.js, the whole command
 * line in one file, since each further file costs a start about 1 ms; and the daemon, with what few daemons need in chunks of their own.
 */
const bundle = async (): Promise<readonly Built[]> => {
  const main = { ...common, entryPoints: ['src/cli/main.ts'], plugins: [apart, builtinsPlugin] };
  const commandLine = { ...common, entryPoints: ['src/cli/run-program.ts'], plugins: [builtinsPlugin] };
  const daemon = { ...common, entryPoints: ['src/cli/daemon.ts'], splitting: true, chunkNames: '[name]-[hash]' };
  const results = await Promise.all([build(main), build(commandLine), build(daemon)]);
  return results
    .flatMap((result) => result.outputFiles ?? [])
    .map((file) => ({
      path: relative(join(root, 'out'), file.path),
      text: file.text.includes('typeof require') ? requireBanner + file.text : file.text,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
};

const hashOf = (files: readonly Built[], version: string): string => {
  const hash = createHash('sha256').update(version);
  for (const file of files) hash.update(`\0${file.path}\0${file.text}`);
  return hash.digest('hex').slice(0, 16);
};

/** Writes all files beside, then renames: a folder of this name is always whole. */
const writeBuild = async (folder: string, files: readonly Built[], about: object): Promise<void> => {
  const beside = `${folder}.${process.pid}`;
  await rm(beside, { recursive: true, force: true });
  await mkdir(beside, { recursive: true });
  for (const file of files) await writeFile(join(beside, file.path), file.text);
  await writeFile(join(beside, 'build.json'), `${JSON.stringify(about)}\n`);
  await rename(beside, folder);
};

const replaceFile = async (file: string, content: object): Promise<void> => {
  await writeFile(`${file}.new`, `${JSON.stringify(content)}\n`);
  await rename(`${file}.new`, file);
};

const switchTo = async (hash: string): Promise<void> => {
  const link = join(dist, `.current.${process.pid}`);
  await rm(link, { force: true });
  await symlink(hash, link);
  await rename(link, join(dist, 'current'));
};

const builtAt = async (hash: string): Promise<number> =>
  (await stat(join(dist, hash, 'build.json')).catch(() => null))?.mtimeMs ?? 0;

/** The newest few stay: daemons may run from them. */
const removeOld = async (): Promise<void> => {
  const hashes = (await readdir(dist)).filter((name) => /^[0-9a-f]{16}$/.test(name));
  const dated = await Promise.all(hashes.map(async (hash) => ({ hash, at: await builtAt(hash) })));
  const old = dated.sort((a, b) => b.at - a.at).slice(kept);
  for (const { hash } of old) await rm(join(dist, hash), { recursive: true, force: true });
};

const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const version = String((manifest as { version: unknown }).version);
const files = await bundle();
const hash = hashOf(files, version);
const about = { version, built_at: Date.now(), hash };
const exists = (await builtAt(hash)) !== 0;
const current = await readlink(join(dist, 'current')).catch(() => null);
if (!exists) await writeBuild(join(dist, hash), files, about);
if (process.argv.includes('--package')) {
  await writeFile(join(dist, 'packed.js'), `import './${hash}/main.js';\n`);
  console.log(hash);
} else if (current !== hash) {
  // Built before, left, and now come back to: the same files, but the newest program once more.
  if (exists) {
    await replaceFile(join(dist, hash, 'build.json'), about);
    // A running daemon goes by the time of the program's file.
    await utimes(join(dist, hash, 'main.js'), about.built_at / 1000, about.built_at / 1000);
  }
  await switchTo(hash);
  await removeOld();
}
