import { settingsToSend } from '../settings/run-settings.ts';
import type { StdinRequest, SubmitRequest } from '../wire/api.ts';
import type { Context } from './context.ts';
import { environmentFields, type EnvironmentOptions } from './environment-options.ts';
import { pathHere } from './path-here.ts';
import { placementFields, withSecretVariables } from './placement-options.ts';
import { requestFields, type RequestOptions } from './request-options.ts';

/** A submission but for what it runs. */
export type SubmissionFields = Omit<SubmitRequest, 'token' | 'commands' | 'stdin' | 'owner'>;

/** Everything that the options and the caller's process say about the runs; throws for the first bad option. */
export async function submissionFields(
  context: Context,
  options: RequestOptions & EnvironmentOptions,
): Promise<SubmissionFields> {
  const placed = placementFields(options, (path) => pathHere(context, path));
  const given = await environmentFields(context, options);
  return {
    ...requestFields(options),
    ...placed,
    ...given,
    cwd: pathHere(context, options.cwd ?? '.'),
    env: withSecretVariables(given.env, context.env, placed.secrets),
    umask: context.umask,
    settings: settingsToSend(context.loaded.settings),
  };
}

export const submission = (
  fields: SubmissionFields,
  rest: { token: string; commands: readonly (readonly string[])[]; stdin: StdinRequest; owner: string | null },
): SubmitRequest => ({ ...fields, ...rest });
