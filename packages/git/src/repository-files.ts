/** Creates and removes a repository's folder, and sets its HEAD. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GitBusyError, GitError, InvalidNameError } from './errors.ts';
import { syncFolder } from './objects/loose-object-writer.ts';
import { isValidBranchName } from './refs/ref-name.ts';

/** The config and folders of `git init --bare`, without the samples. */
export const REPOSITORY_CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';
export const REPOSITORY_FOLDERS = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'];

/**
 * Creates a bare repository atomically, an empty one unless `fill` adds to its folder. What `fill` writes is synced by
 * itself, except for the names of files in the usual folders.
 * @throws GitError `repository_exists`
 */
export async function initRepository(
  gitDir: string,
  defaultBranch: string,
  fill: (folder: string) => Promise<void> = async () => {},
): Promise<void> {
  if (!isValidBranchName(defaultBranch)) throw new InvalidNameError('branch name');
  const parent = dirname(gitDir);
  const made = await mkdir(parent, { recursive: true });
  const temporary = `${gitDir}.new-${randomBytes(6).toString('hex')}`;
  try {
    for (const folder of REPOSITORY_FOLDERS) await mkdir(join(temporary, folder), { recursive: true });
    await writeDurably(join(temporary, 'HEAD'), headText(defaultBranch));
    await writeDurably(join(temporary, 'config'), REPOSITORY_CONFIG);
    await fill(temporary);
    for (const folder of [...REPOSITORY_FOLDERS, 'objects', 'refs', '.'])
      await syncFolder(join(temporary, folder));
    await rename(temporary, gitDir); // fails if the target is a non-empty folder
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST')
      throw new GitError('repository_exists', 'the repository exists');
    throw error;
  }
  await syncFolder(parent);
  // Also sync the parent folders that were created.
  for (let folder = parent; made && folder.length >= made.length; folder = dirname(folder))
    await syncFolder(dirname(folder));
}

export async function hasRepository(gitDir: string): Promise<boolean> {
  return stat(join(gitDir, 'HEAD')).then(
    () => true,
    () => false,
  );
}

/** Sets the default branch, which need not exist yet. */
export async function setHead(gitDir: string, branch: string): Promise<void> {
  if (!isValidBranchName(branch)) throw new InvalidNameError('branch name');
  const lock = join(gitDir, 'HEAD.lock'); // the same lock as git's
  try {
    await writeDurably(lock, headText(branch), 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new GitBusyError('HEAD is locked');
    await rm(lock, { force: true });
    throw error;
  }
  await rename(lock, join(gitDir, 'HEAD'));
  await syncFolder(gitDir);
}

/** With growing pauses, ten seconds in all: a git that was told to end has ended by then. */
const REMOVALS = 14;
const REMOVAL_DELAY_MS = 100;

export async function setAsideRepository(gitDir: string): Promise<string | undefined> {
  const aside = `${gitDir}.aside-${randomBytes(6).toString('hex')}`;
  try {
    await rename(gitDir, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  await syncFolder(dirname(gitDir));
  return aside;
}

/** Removes a repository if it exists. A rename hides it from readers at once; then its files are deleted. */
export async function removeRepository(gitDir: string): Promise<void> {
  const doomed = `${gitDir}.gone-${randomBytes(6).toString('hex')}`;
  try {
    await rename(gitDir, doomed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await syncFolder(dirname(gitDir));
  // A git that works in the folder writes on into it under its new name, so that a folder just emptied is not empty.
  await rm(doomed, { recursive: true, force: true, maxRetries: REMOVALS, retryDelay: REMOVAL_DELAY_MS });
}

const headText = (branch: string) => `ref: refs/heads/${branch}\n`;

export async function writeDurably(path: string, text: string, flag = 'w') {
  const file = await open(path, flag, 0o644);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
