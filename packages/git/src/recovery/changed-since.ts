/** Detects whether a repository was changed, restored or repaired since a moment. */
import { readdirSync, statSync } from 'node:fs';

/** Files beside the refs that git reads first. */
const FILES = ['HEAD', 'config', 'packed-refs', 'objects', 'objects/pack'];

/**
 * Compares change times, which cannot be set: any copied or written file has a later one. Synchronous, since a cached
 * inode takes microseconds and a turn through the thread pool ten times as long.
 */
export function changedSince(gitDir: string, ctimeMs: number): boolean {
  const isLater = (path: string) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && found.ctimeMs > ctimeMs;
  };
  const isFolderChanged = (path: string): boolean =>
    isLater(path) ||
    readdirSync(path, { withFileTypes: true }).some((entry) => {
      const below = `${path}/${entry.name}`;
      return entry.isDirectory() ? isFolderChanged(below) : isLater(below);
    });
  try {
    if (isLater(gitDir) || FILES.some((name) => isLater(`${gitDir}/${name}`))) return true;
    return isFolderChanged(`${gitDir}/refs`);
  } catch {
    // Missing or unreadable: the check of the repository reports it.
    return true;
  }
}
