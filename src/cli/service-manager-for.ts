import { findServiceManager, thisManagerHost, type NoManager, type ServiceManager } from '../client/service-manager.ts';
import type { Settings } from '../settings/settings.ts';

/** A service is for the cgroup that it has. */
export const wantsService = (settings: Settings): boolean =>
  settings.get('ORCA_CGROUPS') === 1 && settings.get('ORCA_KEEPER') !== 'sh';

/** The systemd that would run a daemon that the caller starts. */
export const serviceManagerFor = (
  settings: Settings,
  env: Readonly<Record<string, string>>,
): ServiceManager | NoManager =>
  wantsService(settings) ? findServiceManager(thisManagerHost(env['PATH'])) : { kind: 'none', word: null };
