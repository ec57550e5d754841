/** Who writes refs of a repository just now: what was left over by a killed git is told by it, and what still holds. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isValidRefName } from './ref-name.ts';

export type RefWriting = {
  /** Removes the locks that a killed git left on these refs, where nobody else can hold one. Before git locks them. */
  clearLocks(refs: readonly string[]): void;
  /** When git holds no lock of this writing any more. */
  leave(): void;
};

/** A loose ref as it was read, the stamp of its file, and when that was looked at last (`performance.now()`). */
export type KnownRef = { stamp: string; oid: string; lookedAt: number };

export type RefWriters = {
  enter(gitDir: string): RefWriting;
  /**
   * Loose refs of a repository that were read since somebody here wrote one, by full name; undefined while somebody
   * does. Another map than before whenever somebody has.
   */
  known(gitDir: string): Map<string, KnownRef> | undefined;
};

/** Repositories whose refs are known at once. */
const MAX_KNOWN = 1_000;

/** Complete only because a data folder belongs to one process. */
export function createRefWriters(): RefWriters {
  const writing = new Map<string, number>();
  const known = new Map<string, Map<string, KnownRef>>();
  return {
    enter(gitDir) {
      writing.set(gitDir, (writing.get(gitDir) ?? 0) + 1);
      known.delete(gitDir);
      let left = false;
      return {
        clearLocks(refs) {
          if (writing.get(gitDir) !== 1) return;
          // At once, without waiting in between: whoever enters next may lock what was looked at before.
          // What a push calls its refs has not been checked by git yet when this is asked.
          for (const ref of ['HEAD', 'packed-refs', ...refs.filter(isValidRefName)]) {
            const lock = join(gitDir, `${ref}.lock`);
            if (existsSync(lock)) rmSync(lock, { force: true });
          }
        },
        leave() {
          if (left) return;
          left = true;
          const others = writing.get(gitDir)! - 1;
          if (others === 0) writing.delete(gitDir);
          else writing.set(gitDir, others);
        },
      };
    },
    known(gitDir) {
      if (writing.has(gitDir)) return undefined;
      let refs = known.get(gitDir);
      if (!refs) {
        if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value!);
        refs = new Map();
        known.set(gitDir, refs);
      }
      return refs;
    },
  };
}
