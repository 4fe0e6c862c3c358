import { ctlLine, readCtlAnswer, type CtlAnswer, type CtlRequest } from './ctl.ts';
import { runProgram } from './program.ts';
import { withoutStartVariables } from '../settings/start-variables.ts';

export interface ShPlace {
  /** `orca-keep.sh`. */
  readonly script: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Asks the `sh` keeper of a start, through its script. */
export async function askShCtl(
  { script, env }: ShPlace,
  folder: string,
  request: CtlRequest,
  timeoutMs = 10_000,
): Promise<CtlAnswer> {
  const args = [script, 'ctl', folder, ctlLine(request).trimEnd()];
  const end = await runProgram('/bin/sh', args, { env: withoutStartVariables(env), timeoutMs });
  if (end.failed !== null) return { answer: 'error', why: end.failed };
  if (end.code === 0) return readCtlAnswer(end.output);
  if (end.code === 1) return { answer: 'no keeper', why: 'its script found none' };
  return { answer: 'error', why: `orca-keep.sh ctl ended with ${end.code ?? 'a signal'}` };
}
