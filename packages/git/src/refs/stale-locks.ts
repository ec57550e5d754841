/** Removes locks of a killed git. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Exit } from '../process/supervisor-protocol.ts';

/**
 * Call with refs whose transaction this git had prepared: after a SIGKILL its locks remain, and nobody else holds them.
 * After any other end git has removed its locks, and existing ones may be another's.
 */
export async function removeLocksOf(gitDir: string, refs: string[], exit: Exit | undefined): Promise<void> {
  if (exit?.signal !== 'SIGKILL') return;
  for (const name of [...refs, 'packed-refs', 'HEAD'])
    await rm(join(gitDir, `${name}.lock`), { force: true });
}
