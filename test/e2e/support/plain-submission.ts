import type { SubmitRequest } from '../../../src/wire/api.ts';

/** A submission of one command as the API takes it, past the checks of orca's own client. */
export const plainSubmission = (token: string, command: readonly string[]): SubmitRequest => ({
  token,
  commands: [command],
  cwd: '/',
  env: { PATH: process.env['PATH'] ?? '' },
  umask: 0o022,
  name: null,
  cpus: 1,
  memory: null,
  retries: 0,
  timeout_ms: null,
  priority: 0,
  stdin: { kind: 'null' },
  owner: null,
  settings: {},
});
