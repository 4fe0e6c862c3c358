import type { Logger } from 'pino';
import { nothingRemembered } from '../admission/admit.ts';
import { unknownMachine } from '../admission/machine-state.ts';
import { KeptBackLog } from '../admission/kept-back.ts';
import { Queue } from '../admission/queue.ts';
import { realCgroupFs } from '../containment/cgroup-fs.ts';
import { HeldWatch } from '../containment/held-watch.ts';
import { realSetUpHost } from '../containment/real-host.ts';
import { cgroupsOff, setUpCgroups } from '../containment/set-up.ts';
import { findKeeper } from '../keeper/find-keeper.ts';
import type { Program } from '../keeper/keepers.ts';
import { openKeepers } from '../keeper/open-keepers.ts';
import { watchExits } from '../keeper/watch-exits.ts';
import { readBootId } from '../machine/boot-id.ts';
import { machineCapacity } from '../machine/capacity.ts';
import { KernelLog } from '../machine/kernel-log.ts';
import { openKernelLog } from '../machine/kernel-log-file.ts';
import { makeFolders } from '../machine/make-folders.ts';
import { readText } from '../machine/read-text.ts';
import { inFirstPidNamespace } from '../machine/pid-namespace.ts';
import { PassPace } from '../usage/pass-pace.ts';
import { readProcUnits } from '../machine/proc-units.ts';
import { sharedCounterFile } from '../machine/shared-counter.ts';
import { parseServiceWord, serviceVariable } from '../settings/service-word.ts';
import type { Settings } from '../settings/settings.ts';
import { withoutStartVariables } from '../settings/start-variables.ts';
import { openStore } from '../store/open-store.ts';
import { readPaused } from '../store/pause.ts';
import { millis } from '../units/brands.ts';
import { parseObjectAddress } from '../units/object-address.ts';
import { onFolderChanged } from './adopt.ts';
import { capacityAndBudget } from './budget.ts';
import { followCeiling, noCeiling } from './ceiling.ts';
import { Changes } from './changes.ts';
import { Dependents } from './dependents.ts';
import { realHost } from './host.ts';
import { LogKeeping } from './keep-logs.ts';
import { LogMoving } from './log-moving.ts';
import { LearnedCommands } from './learned.ts';
import { newMachineLook } from './machine-state.ts';
import { onReport } from './on-report.ts';
import { openGpus } from './open-gpus.ts';
import { ownerGone } from './owner-gone.ts';
import { Owners } from './owners.ts';
import { Retention } from './retention.ts';
import { Outlook } from './outlook.ts';
import { openSampling } from './sampling.ts';
import type { Identity, Scheduler } from './scheduler.ts';
import { isDown, markDown } from './set-down.ts';
import { Signal } from './signal.ts';
import { Stall } from './stall.ts';
import { StartFolders } from './start-folders.ts';
import { stateFolder } from './state-folder.ts';
import { ContainedWatch } from './watch-contained.ts';
import { watchOnce } from './watch-events.ts';

export interface Opening {
  readonly settings: Settings;
  /** The checked state folder, locked by this process. */
  readonly state: string;
  readonly log: Logger;
  readonly identity: Identity;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The package's folder. */
  readonly root: string;
  /** How this daemon is started again should it die. */
  readonly program: Program;
  /** The resident's stream, where one started this daemon. */
  readonly inherited: number | null;
}

/** The scheduler of one state folder, with its store and keepers; it knows nothing of earlier runs until `recover`. */
export const openScheduler = async (opening: Opening): Promise<Scheduler> => {
  const { settings, log, env, root, program, inherited } = opening;
  const host = realHost();
  const { address } = parseObjectAddress(settings.get('ORCA_LOGS'));
  // What goes to an object storage is written here first.
  const logs = address === null ? settings.get('ORCA_LOGS') : `${opening.state}/logs`;
  const state = stateFolder(opening.state, logs, (readText(`${opening.state}/machine`) ?? '').trim());
  for (const folder of [state.runs, state.metrics]) makeFolders(folder);
  const url = settings.get('ORCA_STORE_URL');
  const store = await openStore(
    url === '' ? { kind: 'embedded', file: `${state.folder}/orca.db` } : { kind: 'postgres', url },
  );
  const choice = settings.get('ORCA_KEEPER');
  const found = await findKeeper({ root, choice, platform: process.platform, arch: process.arch });
  const kernel = { procRoot: host.procRoot, cgroupRoot: '/sys/fs/cgroup' };
  const ownerPatience = millis(settings.get('ORCA_OWNER_SECONDS') * 1000);

  const wanted = settings.get('ORCA_CGROUPS') === 1;
  const setUpHost = realSetUpHost(wanted, parseServiceWord(env[serviceVariable]));
  const cgroups = found.kind === 'sh' ? cgroupsOff({ kind: 'sh-keeper' }) : setUpCgroups(setUpHost);
  log.info({ on: cgroups.on, why: cgroups.why }, 'cgroups of the runs');
  const base = cgroups.on ? cgroups.base : null;
  // After set-up: a daemon that was started inside a run has left that run's limit behind.
  const machine = machineCapacity(kernel, base);
  const { capacity, budget } = capacityAndBudget(settings, machine);
  const down = await isDown({ store });
  markDown({ state, log }, down);
  const paused = await readPaused(store.read);
  const learned = new LearnedCommands();
  // Nothing is awaited from here on: the keepers may report at once.
  const scheduler: Scheduler = {
    host,
    settings,
    store,
    keepers: openKeepers(found, {
      state: state.folder,
      env,
      program,
      inherited,
      onReport: (report) => onReport(scheduler, report),
    }),
    log,
    state,
    identity: opening.identity,
    machine,
    capacity,
    budget,
    machineState: unknownMachine,
    machineLook: newMachineLook({ cgroupRoot: kernel.cgroupRoot, passwdFile: '/etc/passwd' }),
    gpus: openGpus({ host, settings, log, env, scheduler: () => scheduler }),
    cgroups,
    cgroupFs: realCgroupFs,
    ceiling: noCeiling,
    leftCgroups: new Set(),
    strangeCgroups: new Map(),
    contained: new ContainedWatch(realCgroupFs, watchOnce),
    held: new HeldWatch(),
    sharedCounter: sharedCounterFile(kernel, base),
    kernelLog: new KernelLog(openKernelLog),
    inPidNamespace: !inFirstPidNamespace(host.procRoot),
    bootId: readBootId(host.procRoot),
    units: readProcUnits(host.procRoot),
    exits: watchExits((folder) => onFolderChanged(scheduler, folder)),
    usage: { running: false, pace: new PassPace(), peaksKeptAt: 0 },
    sampling: openSampling({ host, state, env }),
    retention: new Retention(),
    startFolders: new StartFolders(state.starts, state.spares),
    raises: new Map(),
    env: withoutStartVariables(env),
    heldStored: new Map(),
    keptSecrets: new Map(),
    masks: new Map(),
    logKeeping: new LogKeeping(),
    logMoving: new LogMoving(address),
    fetching: new Map(),
    queue: new Queue((command) => learned.get(command) !== null),
    round: null,
    remembered: nothingRemembered,
    learned,
    dependents: new Dependents(),
    innerWaits: new Set(),
    outlook: new Outlook(),
    claiming: new Map(),
    entering: 0,
    troubles: new Map(),
    stall: new Stall(),
    live: new Map(),
    endsOnDisk: { begunAt: millis(0), next: null },
    changes: new Changes(),
    eventsWritten: new Signal(),
    moved: new Signal(),
    freed: new Signal(),
    owners: new Owners(host.timers, (owner) => {
      ownerGone(scheduler, owner).catch((error: unknown) => log.error({ err: error }, 'an owner could not be stopped'));
    }),
    ownerPatience,
    down,
    paused,
    keptBack: { log: new KeptBackLog(), notedAt: millis(0) },
    closing: false,
    cancelWake: null,
  };
  followCeiling(scheduler);
  return scheduler;
};
