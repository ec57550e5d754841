/** Who writes refs of a repository just now, so that a lock that none of them can own is known to be left over. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isValidRefName } from './ref-name.ts';

export type RefWriting = {
  /** Removes the locks that a killed git left on these refs, where nobody else can hold one. Before git locks them. */
  clearLocks(refs: readonly string[]): void;
  /** When git holds no lock of this writing any more. */
  leave(): void;
};

export type RefWriters = { enter(gitDir: string): RefWriting };

/** Complete only because a data folder belongs to one process. */
export function createRefWriters(): RefWriters {
  const writing = new Map<string, number>();
  return {
    enter(gitDir) {
      writing.set(gitDir, (writing.get(gitDir) ?? 0) + 1);
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
  };
}
