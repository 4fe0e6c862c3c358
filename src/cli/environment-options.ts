import { systemErrorWords } from '../client/system-error.ts';
import { OrcaError } from '../errors/orca-error.ts';
import { inputSize } from '../machine/input-size.ts';
import { capturedEnvironment } from '../runs/captured-environment.ts';
import type { EnvironmentCapture, InputFile } from '../runs/extras.ts';
import { memoryVariable } from '../runs/memory-env.ts';
import type { SubmitRequest } from '../wire/api.ts';
import type { Context } from './context.ts';
import { pathHere } from './path-here.ts';
import { environmentOf } from './request-options.ts';
import { submitterOf } from './submitter.ts';

/** What `run` and `submit` are told of what a run gets besides its command, as it was typed. */
export interface EnvironmentOptions {
  readonly env?: readonly string[];
  readonly captureEnv?: string;
  readonly memoryEnv?: readonly string[];
  readonly input?: readonly string[];
  readonly as?: string;
  readonly cpus?: string;
}

export type EnvironmentFields = Pick<
  SubmitRequest,
  'env' | 'capture' | 'memory_env' | 'inputs' | 'submitter' | 'cpus_asked'
>;

/** The same as the daemon takes it. Each bad option is one sentence and exit status 120. */
export async function environmentFields(context: Context, options: EnvironmentOptions): Promise<EnvironmentFields> {
  const capture = captureOf(context, options.captureEnv);
  const memoryEnv = options.memoryEnv ?? [];
  // Read only to have it refused.
  for (const one of memoryEnv) memoryVariable(one);
  const inputs = await inputsOf(context, options.input ?? []);
  return {
    env: environmentOf(capturedEnvironment(context.env, capture), options.env ?? []),
    submitter: submitterOf(context, options.as),
    ...(capture === 'all' ? {} : { capture }),
    ...(memoryEnv.length === 0 ? {} : { memory_env: memoryEnv }),
    ...(inputs.length === 0 ? {} : { inputs }),
    ...(options.cpus === undefined ? {} : { cpus_asked: true }),
  };
}

const captures: readonly EnvironmentCapture[] = ['all', 'minimal', 'none'];

function captureOf({ loaded }: Context, value: string | undefined): EnvironmentCapture {
  if (value === undefined) return loaded.settings.get('ORCA_CAPTURE_ENV');
  const known = captures.find((capture) => capture === value);
  if (known !== undefined) return known;
  const why = `it is one of ${captures.join(', ')}`;
  const hint = 'Write for example --capture-env minimal.';
  throw new OrcaError('option-invalid', { option: '--capture-env', value, why, hint });
}

async function inputsOf(context: Context, files: readonly string[]): Promise<InputFile[]> {
  const inputs: InputFile[] = [];
  for (const file of files) {
    const path = pathHere(context, file);
    try {
      inputs.push({ path, bytes: await inputSize(path) });
    } catch (cause) {
      throw new OrcaError('file-unreadable', { path, why: systemErrorWords(cause) }, cause);
    }
  }
  return inputs;
}
