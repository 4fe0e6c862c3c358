import type { NoManager, ServiceManager } from '../client/service-manager.ts';
import { lookForBase } from '../containment/look-for-base.ts';
import { whyOff } from '../containment/off-reason.ts';
import { offWords, type SetUpHost } from '../containment/set-up.ts';
import { formatSize } from '../units/format-size.ts';
import type { DaemonJson } from '../wire/api.ts';
import type { Finding } from './doctor.ts';

const what = 'cgroups';

/** Whether runs have cgroups of their own, as the daemon that runs found it when it began; an older one says nothing of it. */
export function containmentFinding({ containment }: Partial<Pick<DaemonJson, 'containment'>>): Finding {
  if (containment === undefined) return off('the daemon that runs is of a version without cgroups', 'orca restart');
  const { on, why, advice } = containment;
  return on ? ok(`${why}; ${ceilingWords(containment)}`) : off(why, advice);
}

/** What a daemon that is started from here would find. It looks only: whether the kernel then takes all of it is not known before. */
export function containmentAhead(
  host: Pick<SetUpHost, 'fs' | 'procRoot' | 'wanted' | 'systemd'>,
  manager: ServiceManager | NoManager,
): Finding {
  if (manager.kind === 'manager') {
    const whose = manager.whose === 'system' ? 'systemd' : "this user's systemd";
    return ok(`runs will have cgroups of their own, in a service that ${whose} starts for the daemon`);
  }
  const looked = lookForBase(host);
  if (looked.ok) return ok(`runs will have cgroups of their own in ${looked.base.folder}`);
  const { why, advice } = offWords({ ...host, service: manager.word }, looked.reason);
  return off(why, advice);
}

/** What a daemon without a keeper that can place a run in a cgroup will find. */
export const containmentWithout = (kind: 'sh-keeper'): Finding => off(whyOff({ kind }), null);

/** An older daemon says nothing of a ceiling, and has none. */
const ceilingWords = (containment: Partial<DaemonJson['containment']>): string => {
  const { ceiling_bytes = null, ceiling_why = null } = containment;
  if (ceiling_bytes !== null) return `all together may have ${formatSize(ceiling_bytes)}`;
  return ceiling_why === null ? 'no ceiling over all together' : `no ceiling over all together: ${ceiling_why}`;
};

const ok = (found: string): Finding => ({ what, level: 'ok', found, help: null });

const off = (why: string, help: string | null): Finding => ({
  what,
  level: 'warn',
  found: `limits are watched by sampling: ${why}`,
  help,
});

/** Whether the kernel tells how long a run waits for memory; without that nobody is found held at a limit. */
export function heldFindings(read: (file: string) => string | null): Finding[] {
  if (read('/proc/pressure/memory') !== null) return [];
  const found = 'the kernel does not tell pressure (PSI): a run that hangs at its limit without dying is not ended';
  const help = 'boot with psi=1 on the kernel command line, which helps if the kernel was built with CONFIG_PSI';
  return [{ what, level: 'warn', found, help }];
}
