import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { countNamed } from './memory-events.ts';
import { parseBytes } from './parse-bytes.ts';
import { readText } from './read-text.ts';

/** A Docker container's cgroup. */
export interface ContainerCgroup {
  /** 64 hexadecimal digits. */
  readonly id: string;
  readonly folder: string;
  /** Of its cgroup hierarchy: the files are called otherwise in 1. */
  readonly version: 1 | 2;
}

/**
 * A container's memory as `docker stats` counts it: what its cgroup has, less the page cache that has not been used lately (seed 001:
 * container_mem); null, the seed's -1, when `current` is no number.
 */
export const containerMemory = (current: string, stat: string, inactive = 'inactive_file'): number | null => {
  const bytes = parseBytes(current);
  return bytes === null ? null : Math.max(0, bytes - Number(countNamed(stat, inactive) ?? 0n));
};

/** The name in a container's `config.v2.json`, without its slash; empty when there is none (seed 001: container_name). */
export const containerName = (config: string): string => {
  try {
    const value: unknown = JSON.parse(config);
    const name = typeof value === 'object' && value !== null && 'Name' in value ? value.Name : '';
    return typeof name === 'string' ? name.replace(/^\//, '') : '';
  } catch {
    return '';
  }
};

/**
 * Containers' cgroups below a `/sys/fs/cgroup` (seed 001: container_ids): `system.slice/docker-<id>.scope` where systemd makes them,
 * `docker/<id>` where Docker does; in cgroup v1, which the seed leaves out, the same below `memory`.
 */
export const containerCgroups = (cgroupRoot: string): ContainerCgroup[] => {
  const found = new Map<string, ContainerCgroup>();
  for (const [below, version] of hierarchies) {
    for (const [parent, pattern] of places) {
      for (const name of foldersIn(join(cgroupRoot, below, parent))) {
        const id = pattern.exec(name)?.[1];
        const folder = join(cgroupRoot, below, parent, name);
        if (id !== undefined && !found.has(id)) found.set(id, { id, folder, version });
      }
    }
  }
  return [...found.values()];
};

const hierarchies = [
  ['', 2],
  ['memory', 1],
] as const;

const places = [
  ['system.slice', /^docker-([0-9a-f]{64})\.scope$/],
  ['docker', /^([0-9a-f]{64})$/],
] as const;

const foldersIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** What a container has now; null when it has ended, or its files cannot be read. */
export const readContainerMemory = ({ folder, version }: ContainerCgroup): number | null => {
  const [current, inactive] =
    version === 2
      ? (['memory.current', 'inactive_file'] as const)
      : (['memory.usage_in_bytes', 'total_inactive_file'] as const);
  return containerMemory(readText(join(folder, current)) ?? '', readText(join(folder, 'memory.stat')) ?? '', inactive);
};
