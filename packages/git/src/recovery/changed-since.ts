/** Tells a repository that was left as it was from one that somebody put back, mended or moved refs in. */
import { readdirSync, statSync } from 'node:fs';

/** Beside the refs: what git must read before anything else. */
const FILES = ['HEAD', 'config', 'packed-refs', 'objects', 'objects/pack'];

/**
 * By change times, which nobody can set: whatever was copied here or written since has a later one. Synchronous, since
 * a file whose inode is at hand takes microseconds, and a turn through the pool of threads ten times as long.
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
    // Not there, or not to be read: whoever looks at the repository says so.
    return true;
  }
}
