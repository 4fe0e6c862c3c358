import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseCeilingMark } from './ceiling-mark.ts';
import { ownPath, ownPathV1, pathsUp } from './own-path.ts';
import { readText } from './read-text.ts';
import type { KernelRoots } from './shared-counter.ts';

/** A limit file's number of bytes (`memory.max`, `memory.limit_in_bytes`), or `max` for none; null when it is neither. */
export const parseLimit = (text: string): number | 'max' | null => {
  const word = text.trim();
  if (word === 'max') return 'max';
  return /^\d{1,20}$/.test(word) ? Number(word) : null;
};

/**
 * The smallest memory limit that this process's cgroup and those above it have, in bytes; null without one. Version 1
 * writes a number near 2^63 for none, which is larger than any machine, so the caller's minimum passes over it. A ceiling
 * of orca's own on `base` is not the machine's limit, as long as the file holds exactly what was set.
 */
export const memoryLimit = (roots: KernelRoots, base: string | null): number | null => {
  const limits = limitFiles(roots).flatMap((file) => {
    const limit = parseLimit(readText(file) ?? '');
    return typeof limit === 'number' && !isOwnCeiling(file, limit, base) ? [limit] : [];
  });
  return limits.length === 0 ? null : Math.min(...limits);
};

export const isOwnCeiling = (file: string, limit: number, base: string | null): boolean =>
  dirname(file) === base && foldersOf(base).some((name) => parseCeilingMark(name)?.bytes === limit);

const foldersOf = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const limitFiles = ({ procRoot, cgroupRoot }: KernelRoots): string[] => {
  const text = readText(join(procRoot, 'self/cgroup')) ?? '';
  const v2 = ownPath(text);
  const v1 = ownPathV1(text, 'memory');
  return [
    ...(v2 === '' ? [] : pathsUp(v2).map((path) => join(cgroupRoot, path, 'memory.max'))),
    ...(v1 === '' ? [] : pathsUp(v1).map((path) => join(cgroupRoot, 'memory', path, 'memory.limit_in_bytes'))),
  ];
};
