/** Locks of a git that was killed and could not remove them itself. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Exit } from '../process/supervisor-protocol.ts';

/**
 * For the refs of a transaction that is known to have been prepared by the git that ended so: its locks are still
 * there, and nobody else's can be. Any other end but SIGKILL lets git remove them, and then they may be another's.
 */
export async function removeLocksOf(gitDir: string, refs: string[], exit: Exit | undefined): Promise<void> {
  if (exit?.signal !== 'SIGKILL') return;
  for (const name of [...refs, 'packed-refs', 'HEAD'])
    await rm(join(gitDir, `${name}.lock`), { force: true });
}
