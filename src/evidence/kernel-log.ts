import type { OomKill } from '../machine/oom-kills.ts';
import type { KernelLog } from './evidence.ts';

/** A start's tree, as far as it is known after its end. Times are microseconds since boot, on CLOCK_MONOTONIC. */
export interface TreeInTime {
  readonly fromUs: number;
  readonly toUs: number;
  readonly nowUs: number;
  readonly leader: number | null;
  /** When a pid was last seen in the tree; null: never. */
  readonly lastSeenUs: (pid: number) => number | null;
  /** The name of its own cgroup's folder, where it had one. */
  readonly cgroup: string | null;
}

/** A process that nobody saw for longer than this was not killed just now: its pid may be a stranger's by then. */
const unseenUs = 60_000_000;

/**
 * The log's clock is not disciplined as CLOCK_MONOTONIC is: they part by up to some 100 µs a second, so for hours of a day on a machine
 * that has been up for long, only that far can a time be compared.
 */
const slackUs = (nowUs: number): number => 2_000_000 + nowUs / 5000;

/** What the log says of a tree: the kill of one of its processes in its time, before all one at its own cgroup's limit. */
export const killInTree = (kills: readonly OomKill[] | null, tree: TreeInTime): KernelLog => {
  if (kills === null) return 'unread';
  const slack = slackUs(tree.nowUs);
  const ours = kills.filter(({ atUs, pid }) => {
    if (atUs < tree.fromUs - slack || atUs > tree.toUs + slack) return false;
    if (pid === tree.leader) return true;
    const seen = tree.lastSeenUs(pid);
    return seen !== null && atUs <= seen + unseenUs + slack;
  });
  const isOwn = ({ memcg }: OomKill): boolean => tree.cgroup !== null && memcg?.split('/').at(-1) === tree.cgroup;
  const kill = ours.find(isOwn) ?? ours.at(0);
  return kill === undefined ? 'nothing' : { pid: kill.pid, ownMemcg: isOwn(kill) };
};
