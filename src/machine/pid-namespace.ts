import { readlinkSync } from 'node:fs';

/**
 * Whether this process is in the first pid namespace of its kernel, whose pids the kernel log names. That namespace always has the same
 * number (PROC_PID_INIT_INO, since 6.18 in the uapi as PID_NS_INIT_INO) and no other can get it: theirs begin at 0xF0000000.
 * `NSpid` cannot tell: it shows one number inside and outside, each from where its /proc was mounted. What cannot be read is no.
 */
export const inFirstPidNamespace = (procRoot: string): boolean => {
  try {
    return readlinkSync(`${procRoot}/self/ns/pid`) === `pid:[${0xeffffffc}]`;
  } catch {
    return false;
  }
};
