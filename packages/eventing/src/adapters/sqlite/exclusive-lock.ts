import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './sqlite-errors.ts';

export class AlreadyOpenError extends Error {
  override readonly name = 'AlreadyOpenError';
}

export interface ExclusiveLock {
  /** How the last owner ended: 'killed' if the machine kept running, 'unknown' if it may have lost power. */
  readonly lastStop: 'clean' | 'killed' | 'unknown';
  release(clean: boolean): void;
}

/**
 * The operating system releases the lock with its owner; a marker file tells how that ended. @throws AlreadyOpenError
 */
export function lockExclusively(path: string): ExclusiveLock {
  const marker = `${path}.open`;
  mkdirSync(dirname(path), { recursive: true });
  const lock = new DatabaseSync(`${path}.lock`);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw cause;
    const owner = existsSync(marker) ? ` (process ${readFileSync(marker, 'utf8').split('\n')[0]})` : '';
    throw new AlreadyOpenError(`${path} is already open for writing${owner}`, { cause });
  }
  const lastStop = howItStopped(marker);
  try {
    writeDurably(marker, `${process.pid}\n${bootId() ?? ''}\n`);
  } catch (error) {
    lock.close();
    throw error;
  }
  let held = true;
  return {
    lastStop,
    release(clean) {
      if (!held) return;
      held = false;
      if (clean) rmSync(marker, { force: true });
      lock.close();
    },
  };
}

function howItStopped(marker: string): ExclusiveLock['lastStop'] {
  if (!existsSync(marker)) return 'clean';
  const boot = readFileSync(marker, 'utf8').split('\n')[1];
  return boot && boot === bootId() ? 'killed' : 'unknown';
}

/** Changes at each boot: a killed process's writes survive, a crashed machine's unsynced ones do not. */
function bootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'w');
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
