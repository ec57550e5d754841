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

/** Another process has the file open for writing. */
export class AlreadyOpenError extends Error {
  override readonly name = 'AlreadyOpenError';
}

export interface ExclusiveLock {
  /** How the last owner ended: 'clean', 'killed' (the machine went on), or 'unknown' (it may have lost power). */
  readonly lastStop: 'clean' | 'killed' | 'unknown';
  /** Gives the file free; `clean` says that it needs no check at the next open. */
  release(clean: boolean): void;
}

/**
 * Makes this process the only writer of `path`. The lock is one of the operating system's (held through an empty
 * SQLite file beside it), so it ends with its owner however that ends; a marker file tells the next owner of that.
 * @throws AlreadyOpenError
 */
export function lockExclusively(path: string): ExclusiveLock {
  const marker = `${path}.open`;
  mkdirSync(dirname(path), { recursive: true });
  const lock = new DatabaseSync(`${path}.lock`);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    const owner = existsSync(marker) ? ` (process ${readFileSync(marker, 'utf8').split('\n')[0]})` : '';
    throw new AlreadyOpenError(`${path} is already open for writing${owner}`, { cause });
  }
  const lastStop = howItStopped(marker);
  writeDurably(marker, `${process.pid}\n${bootId() ?? ''}\n`);
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

/** Differs after each start of the machine: what a killed process wrote is still there, what a dead machine had in memory is not. */
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
