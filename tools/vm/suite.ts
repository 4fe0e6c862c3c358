import { join } from 'node:path';
import { build } from 'esbuild';
import type { Entry } from './archive.ts';
import { compileEat } from './eat.ts';

/**
 * The part of the guest's file system that changes often: the program, its keeper, the suite as one file, its arguments. They
 * lie below /orca as they do in the checkout, the suite as deep as the tests' support, whose paths lead from there.
 */
export const suiteEntries = async (root: string, folder: string, args: readonly string[]): Promise<Entry[]> => {
  const suite = join(folder, 'suite.js');
  const eat = join(folder, 'eat');
  compileEat(root, eat);
  await build({
    entryPoints: [join(root, 'test/vm/suite.ts')],
    outfile: suite,
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
    { to: '/init', from: join(root, 'test/vm/init.sh') },
    ...same.map((path) => ({ to: join('/orca', path), from: join(root, path) })),
    { to: '/orca/test/vm/suite/suite.js', from: suite },
    { to: '/orca/test/vm/eat', from: eat },
    { to: '/orca/test/vm/environment', text: environmentText(process.env) },
    { to: '/orca/test/vm/arguments', text: args.map((arg) => `${arg}\n`).join('') },
  ];
};

/** What a person may choose about the suite, as lines for the guest's shell; numbers only. */
const environmentText = (env: NodeJS.ProcessEnv): string =>
  ['ORCA_TEST_DEATHS', 'ORCA_TEST_SEED']
    .filter((name) => /^\d+$/.test(env[name] ?? ''))
    .map((name) => `export ${name}=${env[name]}\n`)
    .join('');
