/** Programs that have the work done by another process, which belongs to no run: a service, another machine, another user's session. */
const clients: ReadonlySet<string> = new Set([
  ...['docker', 'docker-compose', 'podman', 'podman-compose', 'nerdctl', 'crictl', 'ctr', 'lxc', 'incus'],
  ...['kubectl', 'oc', 'sbatch', 'srun', 'qsub', 'bsub', 'condor_submit', 'ssh', 'systemd-run', 'at', 'batch'],
]);

/** A program that runs the command which its own arguments name. */
interface Wrapper {
  /** Its options that take the next word as their value. */
  readonly valued: readonly string[];
  /** Words of its own before the command, such as a duration. */
  readonly operands?: number;
  /** `NAME=value` may come before the command. */
  readonly assigns?: boolean;
  /** With one of these it runs no command that its words name. */
  readonly otherwise?: readonly string[];
}

const sudoValues = ['-u', '-g', '-h', '-p', '-C', '-r', '-t', '-T', '-U', '-D', '-R'];
const sudoLongValues = ['--user', '--group', '--host', '--prompt', '--close-from', '--role', '--type', '--chdir'];

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: [...sudoValues, ...sudoLongValues], assigns: true, otherwise: ['-e', '--edit', '-l', '--list'] },
  doas: { valued: ['-u', '-C', '-a'] },
  env: { valued: ['-u', '--unset', '-C', '--chdir'], assigns: true, otherwise: ['-S'] },
  time: { valued: ['-f', '--format', '-o', '--output'] },
  nice: { valued: ['-n', '--adjustment'] },
  ionice: { valued: ['-c', '--class', '-n', '--classdata'], otherwise: ['-p', '--pid'] },
  nohup: { valued: [] },
  setsid: { valued: [] },
  stdbuf: { valued: ['-i', '--input', '-o', '--output', '-e', '--error'] },
  timeout: { valued: ['-k', '--kill-after', '-s', '--signal'], operands: 1 },
};

/**
 * The name of the client that the command is, also behind `sudo`, `env`, `nice` and their like; null for any other command.
 * What its work uses is used elsewhere. What a shell or a script calls is not looked into.
 */
export const workOutside = (argv: readonly string[]): string | null => {
  const [word, ...rest] = argv;
  if (word === undefined) return null;
  const name = word.slice(word.lastIndexOf('/') + 1);
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (wrapper !== undefined) return workOutside(wrapped(wrapper, rest));
  return clients.has(name) && !staysInside(name, rest) ? name : null;
};

/** Podman has no service, but moves a container to a cgroup beside the caller's, unless it is told to make none. */
const staysInside = (name: string, words: readonly string[]): boolean =>
  name === 'podman' &&
  words.some((word, at) => word === '--cgroups=disabled' || (word === '--cgroups' && words[at + 1] === 'disabled'));

/** The command among a wrapper's words; empty where there is none. */
const wrapped = ({ valued, operands = 0, assigns = false, otherwise = [] }: Wrapper, words: readonly string[]) => {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (otherwise.includes(word)) return [];
    if (word === '--') {
      at += 1;
      break;
    }
    if (valued.includes(word)) at += 1;
    else if (!word.startsWith('-')) break;
  }
  while (assigns && /^[A-Za-z_]\w*=/.test(words[at] ?? '')) at += 1;
  return words.slice(at + operands);
};
