import type { ServiceWord } from '../settings/service-word.ts';
import type { OffReason } from './off-reason.ts';

/** Why systemd does not run the daemon as a service with a cgroup of its own, as the second half of a sentence; null when it does. */
export const whyNoService = (word: ServiceWord): string | null => {
  switch (word.kind) {
    case 'service':
      return null;
    case 'no-linger':
      return 'a service of this user would end at logout, with its runs: the user does not linger';
    case 'no-manager':
      return "this user's systemd does not run, though the user lingers";
    case 'no-systemd-run':
      return 'systemd-run was not found, which could have started orca as a service';
    case 'refused':
      return `systemd did not start orca as a service (${word.why})`;
  }
};

/** The one command or step that would have it run there; null where nobody can say one. */
export const serviceAdvice = (word: ServiceWord, reason: OffReason): string | null => {
  switch (word.kind) {
    case 'no-linger':
      return 'loginctl enable-linger && orca restart';
    case 'no-manager':
      return `sudo systemctl start user@${word.uid}.service && orca restart`;
    case 'service':
      return reason.kind === 'memory-not-given' && reason.folder.includes('/user@')
        ? 'have root give the unit user@.service `Delegate=cpu io memory pids` (systemctl edit user@.service), and start the machine again'
        : null;
    case 'no-systemd-run':
    case 'refused':
      return null;
  }
};
