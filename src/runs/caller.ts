/** A process that the caller descends from. */
export interface CallerAncestor {
  readonly pid: number;
  readonly name: string;
  /** `pts/3`; null: it has none. */
  readonly terminal: string | null;
}

/** What people and programs start other programs through. They come and go with a single command, so they are nobody. */
const shells: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'fish', 'ksh', 'mksh', 'csh', 'tcsh', 'ash', 'busybox', 'nu', 'pwsh'],
  ...['env', 'sudo', 'su', 'doas', 'timeout', 'nice', 'ionice', 'nohup', 'setsid', 'time', 'xargs', 'stdbuf', 'script'],
  ...['flock', 'watch', 'chrt', 'taskset', 'unshare', 'nsenter', 'tini', 'dumb-init', 'docker-init'],
]);
/** What all of a user's processes descend from. */
const roots: ReadonlySet<string> = new Set(['systemd', 'init', 'launchd', 'runit', 'orca-keep', '(sd-pam)']);
/** One process of these may stand for a single command, so their numbers say nothing. */
const doors: ReadonlySet<string> = new Set([
  'sshd',
  'sshd-session',
  'sshd-auth',
  'dropbear',
  'cron',
  'crond',
  'atd',
  'login',
]);

/**
 * Who a submission counts for when nobody says it (decision 25): an agent's many short shells are one, two agents in two terminals are two. The
 * outermost terminal in which more than shells leads to the caller; else the outermost program that is no shell; else null. `ancestors`: nearest first.
 */
export const callerOf = (ancestors: readonly CallerAncestor[]): string | null => {
  const outermost = ancestors.findLastIndex(({ terminal }) => terminal !== null);
  const terminal = ancestors[outermost]?.terminal ?? null;
  const programs = ancestors.filter(isProgram);
  // A terminal with shells only is a person who types, or one that a program opened for a single command.
  if (terminal !== null && ancestors.slice(0, outermost + 1).some(isProgram)) return terminal;
  const last = programs.at(-1);
  if (last === undefined) return null;
  return doors.has(last.name) ? last.name : `${last.name} ${last.pid}`;
};

/** Pid 1 of a container is its root, whatever it is called. */
const isProgram = ({ name, pid }: CallerAncestor): boolean =>
  pid !== 1 && !roots.has(name) && !shells.has(name.replace(/^-/, ''));
