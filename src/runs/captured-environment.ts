import type { EnvironmentCapture } from './extras.ts';

/** What tells nearly every program who and where it is: its user, language, time zone, temporary files, and which orca. */
const minimal: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'XDG_STATE_HOME',
  'ORCA_HOME',
]);

/** What a run gets of its caller's environment. */
export const capturedEnvironment = (
  env: Readonly<Record<string, string>>,
  capture: EnvironmentCapture,
): Readonly<Record<string, string>> => {
  switch (capture) {
    case 'all':
      return env;
    case 'minimal':
      return Object.fromEntries(Object.entries(env).filter(([name]) => minimal.has(name) || name.startsWith('LC_')));
    case 'none':
      return {};
  }
};
