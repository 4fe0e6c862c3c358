import { join } from 'node:path';
import { containerCgroups, containerName, readContainerMemory } from './containers.ts';
import { readText } from './read-text.ts';

export interface ContainerUse {
  readonly name: string;
  /** Bytes. */
  readonly mem: number;
}

/**
 * A reader of the Docker containers below a `/sys/fs/cgroup`. `names` is Docker's folder of containers, null for none: without a name a
 * container is the first 12 characters of its id. A name that was read once is kept while the container is there.
 */
export const containerUses = (cgroupRoot: string, names: string | null): (() => ContainerUse[]) => {
  let known = new Map<string, string>();
  return () => {
    const there = new Map<string, string>();
    const uses = containerCgroups(cgroupRoot).flatMap((container) => {
      const name = known.get(container.id) ?? readName(names, container.id);
      if (name !== '') there.set(container.id, name);
      const mem = readContainerMemory(container);
      return mem === null ? [] : [{ name: name === '' ? container.id.slice(0, 12) : name, mem }];
    });
    known = there;
    return uses.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  };
};

const readName = (names: string | null, id: string): string =>
  names === null ? '' : containerName(readText(join(names, id, 'config.v2.json')) ?? '');
