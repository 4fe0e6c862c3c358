import { daemonCommand, type Program } from './program.ts';
import type { ServiceManager } from './service-manager.ts';

export interface Service {
  readonly name: string;
  readonly state: string;
  /** Where its output goes. */
  readonly log: string;
  readonly program: Program;
  /** The file with its environment. */
  readonly environment: string;
  /** What must be in its environment before it can read that file. */
  readonly early: Readonly<Record<string, string>>;
  /** Whether it counts as living as long as anything in its cgroup does; systemd before 250 does not know that. */
  readonly untilEmpty: boolean;
}

/** What the loader and Node read before a program's first line; none of these holds a secret. */
const earlyNames = [
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'OPENSSL_CONF',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'LANG',
  'LC_ALL',
];

export const earlyVariables = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => earlyNames.includes(name)));

/**
 * The command line that has systemd run the daemon as a transient service, and returns once the daemon's program was executed, or could not
 * be. The cgroup is given to us whole; neither a run's death for memory nor the daemon's own end takes the rest of it along.
 */
export const serviceCommand = (manager: ServiceManager, service: Service): readonly [string, ...string[]] => {
  const [node, ...args] = daemonCommand(service.program);
  const properties = [
    'Delegate=yes',
    'OOMPolicy=continue',
    'KillMode=process',
    ...(service.untilEmpty ? ['ExitType=cgroup'] : []),
    'TasksMax=infinity',
    `StandardOutput=append:${service.log}`,
    `StandardError=append:${service.log}`,
  ];
  return [
    manager.run,
    ...(manager.whose === 'user' ? ['--user'] : []),
    ...['--quiet', '--no-ask-password', '--collect', '--service-type=exec', `--unit=${service.name}`],
    `--description=orca daemon of ${service.state}`,
    '--working-directory=/',
    ...properties.flatMap((property) => ['-p', property]),
    ...Object.entries(service.early).map(([name, value]) => `--setenv=${name}=${value}`),
    '--',
    node,
    // systemd puts variables into arguments.
    ...[...args, '--environment', service.environment].map((arg) => arg.replaceAll('$', '$$$$')),
  ];
};
