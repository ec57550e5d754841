import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { childrenOf, isRunning } from '@forgelog/git/testing/processes.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { writeEndlessTree } from '../support/odd-repository.ts';
import {
  commitAll,
  fill,
  folderForTest,
  git,
  newFolder,
  newProject,
  type TestProject,
} from '../support/repositories.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** More than run and wait for one repository at once. */
const READERS = 200;
/** Blames that run, half as many as there are cores, and wait for one repository before the next one is refused. */
const RUN_OR_WAIT = Math.max(2, Math.floor(availableParallelism() / 2)) + 64;

let forgelog: Forgelog;
let folder: string;
let busy: TestProject;
let quiet: TestProject;

beforeAll(async () => {
  forgelog = await startForgelog();
  folder = newFolder();
  for (let commit = 0; commit < 12; commit++) {
    const lines = Array.from(
      { length: 3000 },
      (_, line) => `line ${line} ${line % 12 <= commit ? commit : ''}`,
    );
    await writeFile(join(folder, 'long.txt'), lines.join('\n'));
    if (commit === 11) await writeFile(join(folder, 'noise'), randomBytes(8_000_000));
    commitAll(folder, `Commit ${commit}`);
  }
  busy = await newProject(forgelog, 'busy', { visibility: 'public' });
  quiet = await newProject(forgelog, 'quiet', { visibility: 'public' });
  await fill(forgelog, busy, folder);
  await fill(forgelog, quiet, folder);
});
afterAll(async () => {
  await forgelog.stop();
  await rm(folder, { recursive: true, force: true });
});

const gits = () => childrenOf(process.pid).filter(({ command }) => /^git |\/git /.test(command));

test('two hundred blames of one repository queue or get Retry-After, and another repository is served', async () => {
  const blame = ({ id }: TestProject) =>
    forgelog.get(`/projects/${id}/repository/files/long.txt/blame?ref=main`);
  const expected = await blame(quiet);
  expect(expected.status).toBe(200);
  let answered = 0;
  // While git's supervisor is stopped none ends, on a fast machine and on a slow one.
  const supervisor = childrenOf(process.pid).find(({ command }) => command.includes('supervisor-main'))!.pid;
  process.kill(supervisor, 'SIGSTOP');
  const many = Array.from({ length: READERS }, async () => {
    const reply = await blame(busy);
    answered += 1;
    return reply;
  });
  await eventually('those beyond the limit are answered', () => answered, {
    until: (count) => count === READERS - RUN_OR_WAIT,
  });
  process.kill(supervisor, 'SIGCONT');
  const other = await blame(quiet);
  expect(other.status).toBe(200);
  expect(other.text).toBe(expected.text);
  // The other repository did not wait for all who wait for this one.
  expect(answered).toBeLessThan(READERS);
  const replies = await Promise.all(many);
  const served = replies.filter(({ status }) => status === 200);
  const refused = replies.filter(({ status }) => status !== 200);
  expect(served).toHaveLength(RUN_OR_WAIT);
  for (const { status, headers } of refused) {
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  for (const { text } of served) expect(text).toBe(expected.text);
  // Whoever comes again is served.
  expect((await blame(busy)).status).toBe(200);
});

test('of two hundred archives five are served, and the rest gets Retry-After', async () => {
  const replies = await Promise.all(
    Array.from({ length: READERS }, () =>
      fetch(`${forgelog.url}/api/v4/projects/${busy.id}/repository/archive.tar`).then(async (response) => ({
        status: response.status,
        headers: response.headers,
        bytes: (await response.arrayBuffer()).byteLength,
      })),
    ),
  );
  const served = replies.filter(({ status }) => status === 200);
  expect(served).toHaveLength(5);
  expect(new Set(served.map(({ bytes }) => bytes)).size).toBe(1);
  for (const { status, headers } of replies.filter((reply) => !served.includes(reply))) {
    expect(status).toBe(429);
    const number = (name: string) => Number(headers.get(name));
    expect(number('Retry-After')).toBeGreaterThan(0);
    expect(number('Retry-After')).toBeLessThanOrEqual(60);
    expect(number('RateLimit-Limit')).toBe(5);
    expect(number('RateLimit-Observed')).toBeGreaterThan(5);
    expect(headers.get('RateLimit-Remaining')).toBe('0');
    expect(headers.get('RateLimit-Name')).toBe('archives');
    expect(Date.parse(headers.get('RateLimit-ResetTime')!) / 1000).toBe(number('RateLimit-Reset'));
    expect(number('RateLimit-Reset') * 1000).toBeGreaterThan(Date.now() - 60_000);
  }
});

test('a hanging git is killed with its process group when its client disconnects', async () => {
  const abort = new AbortController();
  const headers = { 'PRIVATE-TOKEN': forgelog.rootToken };
  const response = await fetch(`${forgelog.url}/api/v4/projects/${quiet.id}/repository/archive.tar.gz`, {
    headers,
    signal: abort.signal,
  });
  expect(response.status).toBe(200);
  const working = () => gits().filter(({ command }) => command.includes(' archive '));
  await eventually('git makes the archive', () => working().length);
  const [git] = working();
  const group = [git!.pid, ...childrenOf(git!.pid).map(({ pid }) => pid)];
  // Stopped, it hears no SIGTERM.
  for (const pid of group) process.kill(pid, 'SIGSTOP');
  abort.abort();
  await eventually('all of git ends', () => group.filter(isRunning), { until: (left) => left.length === 0 });
});

test('all reads of an endless tree are refused or truncated, and leave no git process', async () => {
  const endless = folderForTest();
  writeEndlessTree(endless);
  const nothing = git(endless, 'hash-object', '-t', 'tree', '-w', '/dev/null');
  git(endless, 'update-ref', 'refs/heads/little', git(endless, 'commit-tree', '-m', 'Little', nothing));
  const project = await newProject(forgelog, 'endless', { visibility: 'public' });
  await fill(forgelog, project, endless);
  const sha = git(endless, 'rev-parse', 'main');
  const file = encodeURIComponent(Array(10).fill('0').join('/'));
  const read = async (path: string) => {
    const reply = await forgelog.get(`${project.at}/${path}`);
    return { status: reply.status, retry: Number(reply.headers.get('retry-after')), body: reply.body };
  };
  const refused = [`commits/${sha}`, `commits/${sha}/diff`, 'commits?with_stats=true', 'archive.tar.gz'];
  const answers = await Promise.all(refused.map(read));
  expect(answers.map(({ status }) => status)).toEqual(refused.map(() => 503));
  for (const { retry } of answers) expect(retry).toBeGreaterThan(0);
  const compared = await read('compare?from=little&to=main');
  expect([compared.status, compared.body.compare_timeout, compared.body.diffs]).toEqual([200, true, []]);
  const left = () => gits().filter(({ command }) => / (diff-tree|archive) /.test(command));
  await eventually('what is given up ends', left, { until: ({ length }) => length === 0 });

  const served = [
    `commits/${sha}?stats=false`,
    `commits?path=${file}`,
    `commits?path=none`,
    `commits?with_stats=false`,
    'contributors',
    'tree',
    'tree?recursive=true&per_page=100',
    'tree?recursive=true&per_page=100&page=900',
    `files/${file}?ref=main`,
    `files/${file}/raw?ref=main`,
    `files/${file}/blame?ref=main`,
    'branches/main',
    `merge_base?refs[]=main&refs[]=${sha}`,
  ];
  for (const path of served) expect([path, (await read(path)).status]).toEqual([path, 200]);

  // On top of it a commit is written, and only what it changes is looked at.
  const commit = await forgelog.post(`${project.at}/commits`, {
    branch: 'main',
    commit_message: 'On top',
    actions: [{ action: 'create', file_path: 'new.txt', content: 'new\n' }],
  });
  expect(commit.status).toBe(201);
  expect(commit.body.stats).toEqual({ additions: 1, deletions: 0, total: 1 });
  const small = await read(`compare?from=${sha}&to=main`);
  expect([small.status, small.body.compare_timeout, small.body.diffs.length]).toEqual([200, false, 1]);
});
