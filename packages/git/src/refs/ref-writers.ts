/** Tracks who writes refs, to tell the lock of a killed git from one that is still held. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRefListings, type RefListings } from './ref-listings.ts';
import { isValidRefName } from './ref-name.ts';

export interface RefWriting {
  /**
   * Announces refs that this writer may move, before git locks them. Removes stale locks on them unless another writer
   * may hold one. May be called repeatedly.
   */
  moves(refs: readonly string[]): void;
  /** Call once git holds no more locks. */
  leave(): void;
}

/** A cached loose ref, its file's stamp, and when that was last checked (`performance.now()`). */
export interface KnownRef {
  stamp: string;
  oid: string;
  lookedAt: number;
}

export type RefWriters = Pick<RefListings, 'list' | 'isMoving'> & {
  enter(gitDir: string): RefWriting;
  /** Loose refs by full name, read since our last write to them. */
  known(gitDir: string): Map<string, KnownRef>;
  /** Call when the repository is removed. */
  forget(gitDir: string): void;
};

const MAX_KNOWN = 1_000;

/** Complete only because a data folder belongs to one process. `listingBytes` bounds the cached lists of refs. */
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
          // Refs of a push arrive here before git has validated their names.
          const valid = refs.filter(isValidRefName);
          const further = valid.filter((ref) => !mine.has(ref));
          for (const ref of further) {
            mine.add(ref);
            known.get(gitDir)?.delete(ref);
          }
          listings.began(gitDir, [...new Set(further)]);
          if (writing.get(gitDir) !== 1) return;
          // Synchronous: a writer that enters later may take a lock that was checked before.
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
