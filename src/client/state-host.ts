import { readFileSync, statfsSync } from 'node:fs';

/** Of statfs(2): what is free, in blocks of `bsize` bytes and in files. */
export interface FileSystemRoom {
  readonly type: number;
  readonly bsize: number;
  readonly blocks: number;
  readonly bfree: number;
  readonly bavail: number;
  readonly files: number;
  readonly ffree: number;
}

/** What the state folder's rules need to know of the machine; tests give their own. */
export interface StateHost {
  readonly uid: number;
  /** Null where the system has none. */
  readonly machineId: string | null;
  readonly statfs: (path: string) => FileSystemRoom;
  /** Where a state folder moves that cannot be used: `/var/tmp/orca-<uid>`. */
  readonly refuge: string;
  /** Tells the person something once. */
  readonly say: (sentence: string) => void;
}

export function thisStateHost(say: (sentence: string) => void): StateHost {
  // Not `userInfo()`: it throws for a container's user that is in no user database.
  const uid = process.getuid?.() ?? 0;
  return { uid, machineId: readMachineId(), statfs: (path) => statfsSync(path), refuge: `/var/tmp/orca-${uid}`, say };
}

function readMachineId(): string | null {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim() || null;
  } catch {
    return null;
  }
}
