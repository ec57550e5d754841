import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { onTestFinished } from 'vitest';
import type { Forgelog } from './forgelog.ts';
import { addressOf, git as push } from './stock-git.ts';

const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  LC_ALL: 'C',
  TZ: 'UTC',
  GIT_AUTHOR_NAME: 'Ann Author',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Carl Committer',
  GIT_COMMITTER_EMAIL: 'carl@example.org',
};

/** Stock git in a folder: the oracle. Output as text, its last newline cut. */
export function git(folder: string, ...args: string[]): string {
  return gitBytes(folder, ...args)
    .toString()
    .replace(/\n$/, '');
}

export function gitBytes(folder: string, ...args: string[]): Buffer {
  return execFileSync('git', ['-C', folder, ...args], {
    env: ENVIRONMENT,
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

let clock = 1_600_000_000;

/** Commits what is there, at a time of its own, and returns the id. */
export function commitAll(folder: string, message: string, author = 'Ann Author <ann@example.org>'): string {
  clock += 60;
  git(folder, 'add', '-A');
  const by = [`--author=${author}`, `--date=${clock} +0200`];
  execFileSync('git', ['-C', folder, 'commit', '-q', '--allow-empty', ...by, '-m', message], {
    env: { ...ENVIRONMENT, GIT_COMMITTER_DATE: `${clock + 5} +0000` },
  });
  return git(folder, 'rev-parse', 'HEAD');
}

/** An empty folder with a repository on branch `main`, gone after the test (or the file, from beforeAll). */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forgelog-source-'));
  git(folder, 'init', '-q', '-b', 'main');
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

export function folderForTest(): string {
  const folder = newFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

export interface TestProject {
  id: number;
  /** Full path. */
  path: string;
  /** Below `/api/v4`: `/projects/7/repository`. */
  at: string;
  /** The bare repository behind it. */
  gitDir: string;
}

/** A project of root's with an empty repository. */
export async function newProject(
  forgelog: Forgelog,
  path: string,
  options: { visibility?: 'private' | 'internal' | 'public' } = {},
): Promise<TestProject> {
  const { status, body } = await forgelog.post('/projects', { path, visibility: 'private', ...options });
  if (status !== 201) throw new Error(JSON.stringify(body));
  const gitDir = join(forgelog.dataDir, 'repositories', repositoryPath(body.id));
  const { id, path_with_namespace } = body;
  return { id, path: path_with_namespace, at: `/projects/${id}/repository`, gitDir };
}

/** Pushes every branch and tag of a folder's repository into a project. */
export async function fill(forgelog: Forgelog, project: TestProject, folder: string): Promise<void> {
  const address = addressOf(forgelog, project.path, { name: 'root', secret: forgelog.rootToken });
  await push(folder, 'push', '-q', address, 'refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*');
}
