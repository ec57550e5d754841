import { existsSync, statSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '@forgelog/service-kit/configuration.ts';

const MADE_HERE = [
  /^(events|access|read-models)\.db/,
  /^(secret-key|repositories|objects|eventstore)$/,
  /^(gateway|repo|tracker|ci|admin)_/,
];
const SETGID = 0o2000;
const PERMISSIONS = 0o777;

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'it is not a folder',
  ENOENT: 'a part of the path does not exist and cannot be created',
  EIO: 'the disk does not answer',
  ESTALE: 'the network file system does not answer',
  ENOTCONN: 'the network file system does not answer',
};

/** Bits that files never get. The setgid bit shares a folder with its group. */
const withheld = (mode: number): number => ((mode & SETGID) === 0 ? 0o077 : 0o027);

/** Makes the files that this process and its children create private, whatever umask it was started with. */
export function keepFilesPrivate(folder: string): void {
  process.umask(withheld(existsSync(folder) ? statSync(folder).mode : 0));
}

/** @throws ConfigurationError if the folder cannot be created or written */
export async function requireDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rmdir(await mkdtemp(join(folder, '.writable-')));
    await tighten(folder);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const cause = CAUSES[code] ?? message;
    throw new ConfigurationError(
      `DATA_DIR: ${folder} cannot be used, because ${cause} (${code}). Make it writable, or name another folder.`,
    );
  }
}

async function tighten(folder: string): Promise<void> {
  const taken = withheld((await lstat(folder)).mode);
  for (const name of await readdir(folder)) {
    if (!MADE_HERE.some((form) => form.test(name))) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (!found || found.isSymbolicLink() || found.uid !== process.getuid?.()) continue;
    if ((found.mode & taken) === 0) continue;
    await chmod(path, found.mode & ~taken & (PERMISSIONS | SETGID)).catch((error: NodeJS.ErrnoException) => {
      // SQLite's files of a transaction may be gone by now.
      if (error.code !== 'ENOENT') throw error;
    });
  }
}
