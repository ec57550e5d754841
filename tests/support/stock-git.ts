import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Forgelog } from './forgelog.ts';

/** Nothing of the machine's or the user's git reaches what runs here. */
const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  GIT_AUTHOR_NAME: 'Ann Author',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_AUTHOR_DATE: '2021-08-01T10:00:00Z',
  GIT_COMMITTER_NAME: 'Carl Committer',
  GIT_COMMITTER_EMAIL: 'carl@example.org',
  GIT_COMMITTER_DATE: '2021-08-01T10:00:00Z',
  LC_ALL: 'C',
  TZ: 'UTC',
};

export interface GitRun {
  code: number;
  stdout: string;
  /** What git and the server said. */
  stderr: string;
}

/** Runs stock git, beside this process: the server that it speaks to may be in it. */
export function tryGit(folder: string, ...args: string[]): Promise<GitRun> {
  const child = spawn('git', args, { cwd: folder, env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? -1, stdout: stdout.trimEnd(), stderr }));
  });
}

/** Like `tryGit`, where it must succeed; gives the output. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const run = await tryGit(folder, ...args);
  if (run.code !== 0) throw new Error(`git ${args.join(' ')} ended with ${run.code}: ${run.stderr}`);
  return run.stdout;
}

/** Like `git`, with what it reads from its input; gives the output as bytes. */
export async function gitBytes(folder: string, input: string, ...args: string[]): Promise<Buffer> {
  const child = spawn('git', args, { cwd: folder, env: ENVIRONMENT, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  const ended = once(child, 'close');
  const output = await buffer(child.stdout);
  const [code] = await ended;
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}`);
  return output;
}

/** An empty folder, gone after the test. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-stock-git-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The working copy of a clone. */
export async function cloned(address: string): Promise<string> {
  const folder = await emptyFolder();
  await git(folder, 'clone', '-q', address, '.');
  return folder;
}

/** A working copy with one commit on `main`. */
export async function workingCopy(): Promise<string> {
  const folder = await emptyFolder();
  await git(folder, 'init', '-q', '-b', 'main');
  await commit(folder, 'First commit');
  return folder;
}

/** An empty commit on the current branch; gives its id. */
export async function commit(folder: string, message: string): Promise<string> {
  await git(folder, 'commit', '-q', '--allow-empty', '-m', message);
  return git(folder, 'rev-parse', 'HEAD');
}

let projects = 0;

/** A project of root's with an empty repository, and a working copy with one commit whose `origin` it is. */
export async function projectToPush(
  forgelog: Pick<Forgelog, 'url' | 'post' | 'rootToken'>,
  settings: Record<string, unknown> = {},
): Promise<{ id: number; path: string; folder: string; address: string }> {
  const { body } = await forgelog.post('/projects', { name: `pushed-${++projects}`, ...settings });
  const { id, path_with_namespace: path } = body;
  const folder = await workingCopy();
  const address = addressOf(forgelog, path, { name: 'root', secret: forgelog.rootToken });
  await git(folder, 'remote', 'add', 'origin', address);
  return { id, path, folder, address };
}

/** The address of a project for git, with who asks in it. */
export function addressOf(
  forgelog: Pick<Forgelog, 'url'>,
  path: string,
  who: { name: string; secret: string } | null,
): string {
  const url = new URL(`${forgelog.url}/${path}.git`);
  if (who) {
    url.username = who.name;
    url.password = who.secret;
  }
  return url.href;
}
