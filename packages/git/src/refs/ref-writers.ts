/** Who writes refs of a repository just now: what was left over by a killed git is told by it, and what still holds. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRefListings, type RefListings } from './ref-listings.ts';
import { isValidRefName } from './ref-name.ts';

export interface RefWriting {
  /**
   * Says which refs this writing may move from now on, and removes the locks that a killed git left on them, where
   * nobody else can hold one. Before git locks them; any number of times.
   */
  moves(refs: readonly string[]): void;
  /** When git holds no lock of this writing any more. */
  leave(): void;
}

/** A loose ref as it was read, the stamp of its file, and when that was looked at last (`performance.now()`). */
export interface KnownRef {
  stamp: string;
  oid: string;
  lookedAt: number;
}

export type RefWriters = Pick<RefListings, 'list' | 'isMoving'> & {
  enter(gitDir: string): RefWriting;
  /** Loose refs of a repository that were read since somebody here moved them, by full name. */
  known(gitDir: string): Map<string, KnownRef>;
  /** When the repository is gone. */
  forget(gitDir: string): void;
};

/** Repositories of which single refs are known. */
const MAX_KNOWN = 1_000;

/** Complete only because a data folder belongs to one process. `listingBytes`: of lists of refs that are kept. */
export function createRefWriters(listingBytes: number): RefWriters {
  const writing = new Map<string, number>();
  const known = new Map<string, Map<string, KnownRef>>();
  const listings = createRefListings(listingBytes);
  return {
    list: listings.list,
    isMoving: listings.isMoving,
    enter(gitDir) {
      writing.set(gitDir, (writing.get(gitDir) ?? 0) + 1);
      const mine = new Set<string>();
      let left = false;
      return {
        moves(refs) {
          // What a push calls its refs has not been checked by git yet when this is asked.
          const valid = refs.filter(isValidRefName);
          const further = valid.filter((ref) => !mine.has(ref));
          for (const ref of further) {
            mine.add(ref);
            known.get(gitDir)?.delete(ref);
          }
          listings.began(gitDir, [...new Set(further)]);
          if (writing.get(gitDir) !== 1) return;
          // At once, without waiting in between: whoever enters next may lock what was looked at before.
          for (const ref of ['HEAD', 'packed-refs', ...valid]) {
            const lock = join(gitDir, `${ref}.lock`);
            if (existsSync(lock)) rmSync(lock, { force: true });
          }
        },
        leave() {
          if (left) return;
          left = true;
          for (const ref of mine) known.get(gitDir)?.delete(ref);
          listings.ended(gitDir, [...mine]);
          const others = writing.get(gitDir)! - 1;
          if (others === 0) writing.delete(gitDir);
          else writing.set(gitDir, others);
        },
      };
    },
    known(gitDir) {
      let refs = known.get(gitDir);
      if (!refs) {
        if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value!);
        refs = new Map();
        known.set(gitDir, refs);
      }
      return refs;
    },
    forget(gitDir) {
      known.delete(gitDir);
      listings.forget(gitDir);
    },
  };
}
