import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { dropOldEnvironmentFiles, writeEnvironmentFile } from '../settings/environment-file.ts';
import type { Program } from './program.ts';
import { earlyVariables, serviceCommand, type Service } from './service-command.ts';
import type { ServiceManager } from './service-manager.ts';

export interface ServiceStart {
  readonly state: string;
  readonly log: string;
  readonly program: Program;
  readonly env: Readonly<Record<string, string>>;
}

export interface StartedService {
  /** Whether the service is seen to be no more; asking looks again, now and then, and answers at once what it knows. */
  gone(): boolean;
}

/** How long systemd may take to start it; then it is taken for one that does not answer. */
const askPatienceMs = 10_000;
const lookEveryMs = 1000;

/**
 * Has systemd run the daemon as a service of its own. Resolves once its program was executed; else rejects with systemd's words, and nothing
 * was changed. The name is new each time: the service of an earlier daemon may go on while its runs do.
 */
export const startService = async (manager: ServiceManager, start: ServiceStart): Promise<StartedService> => {
  const id = randomBytes(4).toString('hex');
  const environment = join(start.state, `environment.${id}`);
  dropOldEnvironmentFiles(start.state, Date.now());
  const service: Service = {
    name: `orca-${id}.service`,
    state: start.state,
    log: start.log,
    program: start.program,
    environment,
    early: earlyVariables(start.env),
    untilEmpty: true,
  };
  try {
    writeEnvironmentFile(environment, start.env);
    await askFor(manager, service);
  } catch (cause) {
    rmSync(environment, { force: true });
    throw cause;
  }
  return watched(manager, service.name, environment);
};

const askFor = async (manager: ServiceManager, service: Service): Promise<void> => {
  try {
    await run(manager, serviceCommand(manager, service));
  } catch (cause) {
    // Before 250. The unit ends with its main process then, and what is in its cgroup goes on all the same.
    if (!(cause instanceof Error && cause.message.includes('ExitType'))) throw cause;
    await run(manager, serviceCommand(manager, { ...service, untilEmpty: false }));
  }
};

/** Rejects with the last line that it said. */
const run = ({ env }: ServiceManager, [file, ...args]: readonly [string, ...string[]]): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile(file, args, { env, timeout: askPatienceMs, cwd: '/' }, (error, _, said) => {
      if (error === null) return resolve();
      const line = said.trim().split('\n').at(-1) ?? '';
      const late = error.killed === true ? `no answer within ${askPatienceMs / 1000} s` : error.message;
      reject(new Error(line === '' ? late : line, { cause: error }));
    });
  });

const watched = (manager: ServiceManager, name: string, environment: string): StartedService => {
  let [gone, looking, lookedAt] = [false, false, performance.now()];
  const args = [...(manager.whose === 'user' ? ['--user'] : []), 'is-active', '--quiet', name];
  const look = (): void => {
    looking = true;
    const child = execFile(manager.ctl, args, { env: manager.env, timeout: askPatienceMs, cwd: '/' }, (error) => {
      [looking, lookedAt] = [false, performance.now()];
      // 3: it is not active; 4: there is none (systemctl(1)). Anything else says nothing of it.
      if (error === null || (error.code !== 3 && error.code !== 4)) return;
      gone = true;
      rmSync(environment, { force: true });
    });
    child.unref();
  };
  return {
    gone: () => {
      if (!gone && !looking && performance.now() - lookedAt >= lookEveryMs) look();
      return gone;
    },
  };
};
