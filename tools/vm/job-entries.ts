import { join } from 'node:path';
import { build } from 'esbuild';
import type { Entry } from './archive.ts';
import { compileEat } from './eat.ts';
import type { Job } from './job.ts';

/**
 * The part of the guest's file system that changes often: the program, its keeper, the job as one file, what Node is given to run it. They
 * lie below /orca as they do in the checkout.
 */
export const jobEntries = async (root: string, folder: string, job: Job): Promise<Entry[]> => {
  const bundle = join(folder, 'job.js');
  const eat = join(folder, 'eat');
  compileEat(root, eat);
  await build({
    entryPoints: [join(root, job.source)],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // A package in CommonJS requires Node's own modules.
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
    logLevel: 'warning',
  });
  const same = ['dist/current', 'native/build/orca-keep', 'native/orca-keep.sh', 'package.json'];
  return [
    { to: '/init', from: join(root, job.machine === 'plain' ? 'test/vm/init.sh' : 'test/vm/systemd/init.sh') },
    ...(job.machine === 'plain' ? [] : units.map((name) => ({ to: join('/orca', name), from: join(root, name) }))),
    ...same.map((path) => ({ to: join('/orca', path), from: join(root, path) })),
    { to: job.guest, from: bundle },
    { to: '/orca/test/vm/eat', from: eat },
    { to: '/orca/test/vm/environment', text: environmentText(process.env) },
    { to: '/orca/test/vm/arguments', text: lines([...job.options, job.guest, ...job.args]) },
  ];
};

/** What the guest's systemd is told to run. */
const units = ['orca-suite.target', 'orca-suite.service', 'suite.sh'].map((name) => `test/vm/systemd/${name}`);

const lines = (words: readonly string[]): string => words.map((word) => `${word}\n`).join('');

/** What a person may choose about the suite, as lines for the guest's shell; numbers only. And that the machine is slow. */
const environmentText = (env: NodeJS.ProcessEnv): string =>
  Object.entries({
    ORCA_TEST_PATIENCE: '4',
    ORCA_TEST_DEATHS: env['ORCA_TEST_DEATHS'],
    ORCA_TEST_SEED: env['ORCA_TEST_SEED'],
  })
    .filter(([, value]) => /^\d+$/.test(value ?? ''))
    .map(([name, value]) => `export ${name}=${value}\n`)
    .join('');
