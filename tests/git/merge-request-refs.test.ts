import { join } from 'node:path';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { addressOf, commit, emptyFolder, git, projectToPush, tryGit } from '../support/stock-git.ts';
import { verify } from '../support/verify.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

const HEAD = 'refs/merge-requests/1/head';

/** A project with a merge request of `topic`, its working copy, and its repository. */
async function withRequest(server = forgelog, settings: object = {}) {
  const project = await projectToPush(server, { ...settings });
  const { id, folder } = project;
  await git(folder, 'push', '-q', 'origin', 'main');
  await git(folder, 'checkout', '-q', '-b', 'topic');
  const first = await commit(folder, 'First of topic');
  await git(folder, 'push', '-q', 'origin', 'topic');
  const asked = { source_branch: 'topic', target_branch: 'main', title: 'Topic' };
  const { status, body } = await server.post(`/projects/${id}/merge_requests`, asked);
  expect([status, body.iid]).toEqual([201, 1]);
  const gitDir = join(server.dataDir, 'repositories', repositoryPath(id));
  const listed = async () => {
    const lines = (await git(folder, 'ls-remote', 'origin')).split('\n');
    return new Map(lines.map((line) => line.split('\t').toReversed() as [string, string]));
  };
  const policies = () => expect(server.system.projectors.policiesIdle()).resolves.toBe(true);
  return { ...project, first, gitDir, listed, policies, at: `/projects/${id}/merge_requests/1` };
}

test('the head of a merge request is there to fetch, at once and after each push', async () => {
  const { folder, first, listed } = await withRequest();
  expect((await listed()).get(HEAD)).toBe(first);
  await git(folder, 'fetch', '-q', 'origin', HEAD);
  expect(await git(folder, 'rev-parse', 'FETCH_HEAD')).toBe(first);
  const second = await commit(folder, 'Second of topic');
  await git(folder, 'push', '-q', 'origin', 'topic');
  expect((await listed()).get(HEAD)).toBe(second);
  await git(folder, '-c', 'protocol.version=0', 'fetch', '-q', 'origin', `${HEAD}:refs/heads/review`);
  expect(await git(folder, 'rev-parse', 'review')).toBe(second);
});

test('a clone brings no head, and a push to one is refused', async () => {
  const { id, folder, listed, first } = await withRequest();
  const { body } = await forgelog.get(`/projects/${id}`);
  const url = addressOf(forgelog, body.path_with_namespace, { name: 'root', secret: forgelog.rootToken });
  const copy = await emptyFolder();
  await git(copy, 'clone', '-q', '--single-branch', '--branch', 'main', url, '.');
  expect((await tryGit(copy, 'cat-file', '-e', first)).code).not.toBe(0);
  await commit(folder, 'Other');
  expect((await tryGit(folder, 'push', 'origin', `HEAD:${HEAD}`)).stderr).toContain('hidden ref');
  expect((await listed()).get(HEAD)).toBe(first);
});

test('a closed merge request keeps its head, and one that is opened again follows its branch', async () => {
  const { folder, at, first, listed } = await withRequest();
  await forgelog.put(at, { state_event: 'close' });
  const second = await commit(folder, 'While it was closed');
  await git(folder, 'push', '-q', 'origin', 'topic');
  expect((await listed()).get(HEAD)).toBe(first);
  await forgelog.put(at, { state_event: 'reopen' });
  expect((await listed()).get(HEAD)).toBe(second);
  await git(folder, 'push', '-q', 'origin', ':topic');
  expect((await listed()).get(HEAD)).toBe(second);
});

test('earlier heads are kept where nobody sees them, and all go with the merge request', async () => {
  const { folder, gitDir, first, listed, policies, at } = await withRequest();
  await policies();
  await git(folder, 'commit', '-q', '--amend', '--allow-empty', '-m', 'Otherwise');
  await git(folder, 'push', '-q', '-f', 'origin', 'topic');
  await policies();
  expect([...(await listed()).keys()].filter((ref) => ref.includes('keep-around'))).toEqual([]);
  await git(gitDir, 'gc', '-q', '--prune=now');
  expect(await git(gitDir, 'cat-file', '-t', first)).toBe('commit');
  const response = await forgelog.delete(at);
  expect(response.status).toBe(204);
  await policies();
  expect(await git(gitDir, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\nrefs/heads/topic');
});

test('who may not see merge requests sees no refs of them', async () => {
  const { id } = await withRequest(forgelog, {
    visibility: 'public',
    merge_requests_access_level: 'private',
  });
  const { body } = await forgelog.get(`/projects/${id}`);
  const user = await createUser(forgelog);
  const folder = await emptyFolder();
  const url = addressOf(forgelog, body.path_with_namespace, { name: user.username, secret: user.token });
  for (const version of ['0', '2']) {
    const run = await git(folder, '-c', `protocol.version=${version}`, 'ls-remote', url);
    expect(run).toContain('refs/heads/topic');
    expect(run).not.toContain('merge-requests');
  }
});

test('refs of merge requests survive a restart that compares git with the log, and come back where they are gone', async () => {
  const dataDir = await emptyFolder();
  const before = await startForgelog({ dataDir });
  const { id, gitDir, first, folder } = await withRequest(before);
  expect(await before.system.projectors.policiesIdle()).toBe(true);
  const { body } = await before.get(`/projects/${id}`);
  await before.stop();
  expect((await verify(dataDir)).problems).toEqual([]);
  // A ref that the log does not know makes the start compare all of them.
  await git(gitDir, 'update-ref', 'refs/heads/by-hand', first);
  const after = await startForgelog({ dataDir });
  expect(await git(gitDir, 'for-each-ref', '--format=%(refname)')).toBe(
    `refs/heads/main\nrefs/heads/topic\nrefs/keep-around/merge-requests/1/${first}\n${HEAD}`,
  );
  await after.stop();
  await git(gitDir, 'update-ref', '-d', HEAD);
  const again = await startForgelog({ dataDir });
  onTestFinished(() => again.stop());
  const url = addressOf(again, body.path_with_namespace, { name: 'root', secret: again.rootToken });
  expect(await git(folder, 'ls-remote', url, HEAD)).toContain(first);
});

test('a pusher is told where to open a merge request of a branch, or where it is', async () => {
  const { folder, id } = await withRequest();
  const { body } = await forgelog.get(`/projects/${id}`);
  const begin = `remote:   ${body.web_url}/-/merge_requests`;
  const remoteLines = async (...refs: string[]) => {
    const { stderr } = await tryGit(folder, 'push', 'origin', ...refs);
    return stderr
      .split('\n')
      .filter((line) => line.startsWith('remote:'))
      .map((line) => line.trimEnd());
  };
  await commit(folder, 'More');
  expect(await remoteLines('topic')).toEqual([
    'remote:',
    'remote: View merge request for topic:',
    `${begin}/1`,
    'remote:',
  ]);
  expect(await remoteLines('topic:new/branch#1')).toEqual([
    'remote:',
    'remote: To create a merge request for new/branch#1, visit:',
    `${begin}/new?merge_request%5Bsource_branch%5D=new%2Fbranch%231`,
    'remote:',
  ]);
  await git(folder, 'tag', 'v1');
  for (const quiet of ['topic:main', 'v1', ':new/branch#1']) expect(await remoteLines(quiet)).toEqual([]);
  await forgelog.put(`/projects/${id}`, { merge_requests_access_level: 'disabled' });
  expect(await remoteLines('topic:other')).toEqual([]);
});
