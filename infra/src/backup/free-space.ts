import { statfs } from 'node:fs/promises';
import { BackupError } from './backup-error.ts';

const MIB = 1024 * 1024;
/** For lists, and what is written meanwhile. */
const RESERVE = 64 * MIB;

/** @throws BackupError where a folder's disk has less space than that */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < bytes + RESERVE)
    throw new BackupError(
      `${folder} has ${inMebibytes(free)} free, and ${inMebibytes(bytes + RESERVE)} are needed. Nothing was changed.`,
    );
}

export const inMebibytes = (bytes: number): string => `${Math.ceil(bytes / MIB)} MiB`;
