import { accessSync, constants, existsSync } from 'node:fs';
import { OrcaError } from '../errors/orca-error.ts';
import { packagesForCompiler } from './packages-for-compiler.ts';
import { readText } from '../machine/read-text.ts';
import { runProgram } from './program.ts';

export type FoundKeeper =
  | { readonly kind: 'native'; readonly binary: string; readonly script: string; readonly why: null }
  /** `why` is a whole sentence with what to install. */
  | { readonly kind: 'sh'; readonly binary: null; readonly script: string; readonly why: string };

export interface KeeperPlace {
  /** The package's folder, in which `native/` lies. */
  readonly root: string;
  /** ORCA_KEEPER. */
  readonly choice: 'auto' | 'native' | 'sh';
  /** `linux`. */
  readonly platform: string;
  /** `x64`. */
  readonly arch: string;
}

/** Which keeper this machine can have. Throws `keeper-missing` when the native one is demanded and there is none. */
export async function findKeeper(place: KeeperPlace): Promise<FoundKeeper> {
  const script = `${place.root}/native/orca-keep.sh`;
  if (place.choice === 'sh') {
    return { kind: 'sh', binary: null, script, why: 'ORCA_KEEPER is sh: commands are started by a shell script.' };
  }
  const reasons: string[] = [];
  for (const binary of candidates(place)) {
    const why = await unfit(binary);
    if (why === null) return { kind: 'native', binary, script, why: null };
    reasons.push(`${binary} ${why}`);
  }
  const reason = reasons.join('; ');
  const advice = adviceFor(place.platform);
  if (place.choice === 'native') throw new OrcaError('keeper-missing', { why: reason, advice });
  const what =
    'The native keeper is missing, so commands are started by a shell script, which knows less of how they end';
  return { kind: 'sh', binary: null, script, why: `${what} (${reason}). ${advice}.` };
}

/** A native keeper, without a look at whether it works here; null: there is none. */
export const builtKeeper = (place: Pick<KeeperPlace, 'root' | 'platform' | 'arch'>): string | null =>
  candidates(place).find((binary) => existsSync(binary)) ?? null;

/** What was compiled here comes before what was compiled elsewhere. */
const candidates = ({ root, platform, arch }: Pick<KeeperPlace, 'root' | 'platform' | 'arch'>): readonly string[] => [
  `${root}/native/build/orca-keep`,
  `${root}/native/prebuilt/${platform}-${arch}/orca-keep`,
];

/** Why a program is no keeper that this daemon can speak with; null when it is one. */
async function unfit(binary: string): Promise<string | null> {
  if (!existsSync(binary)) return 'is not there';
  try {
    accessSync(binary, constants.X_OK);
  } catch {
    return 'is not executable';
  }
  // Anything that runs `version` at all needs no variable for it.
  const end = await runProgram(binary, ['version'], { env: {}, timeoutMs: 10_000 });
  if (end.failed !== null) return `cannot be run (${end.failed})`;
  if (end.code !== 0) return `does not work here (it ended with ${end.code ?? 'a signal'})`;
  const version = end.output.trim();
  return version === '1' ? null : `speaks protocol ${JSON.stringify(version)}, not 1`;
}

function adviceFor(platform: string): string {
  if (platform !== 'linux') return `The native keeper needs Linux, and this is ${platform}`;
  const release = readText('/etc/os-release') ?? '';
  return `Install ${packagesForCompiler(release)}, then run \`sh native/build.sh native/build/orca-keep\` in the package's folder`;
}
