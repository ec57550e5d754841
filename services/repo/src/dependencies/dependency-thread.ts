import { parseFileSizes } from '@forgelog/git/trees/file-sizes.ts';
import type { LockedPackage, PackageManager } from './dependency.ts';
import { packageManagerOf, readLockfile } from './lockfiles.ts';

export interface FoundLockfile {
  path: string;
  size: number;
  manager: PackageManager;
}

export type DependencyTask =
  | { listing: Uint8Array; most: number }
  | { manager: PackageManager; content: Uint8Array };

/** Runs in a thread of its own: a listing may have 300,000 files, and a lockfile megabytes. */
export default (task: DependencyTask): FoundLockfile[] | LockedPackage[] =>
  'listing' in task ? findLockfiles(task.listing, task.most) : readLockfile(task.manager, task.content);

function findLockfiles(listing: Uint8Array, most: number): FoundLockfile[] {
  const found: FoundLockfile[] = [];
  for (const { path, size } of parseFileSizes(listing)) {
    const manager = packageManagerOf(path);
    if (manager) found.push({ path, size, manager });
    if (found.length === most) break;
  }
  return found;
}
