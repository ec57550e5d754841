import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { refLogDecider, refLogStream } from '@forgelog/repo/repository-storage/ref-log.decider.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { addressOf, commit, emptyFolder, git, projectToPush, tryGit } from '../support/stock-git.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

const ZERO = '0'.repeat(40);
const newProject = (settings?: Record<string, unknown>) => projectToPush(forgelog, settings);

async function refEvents(projectId: number) {
  const events = await forgelog.system.store.readStream(`repository-${projectId}`);
  return events
    .filter(({ type }) => type === RefUpdated.type)
    .map((event) => event.data as { ref: string; oldOid: string; newOid: string; commitCount: number });
}

/** The refs of the repository on disk, as git itself reads them, equal those of the log. */
async function expectRefsAsLogged(projectId: number) {
  const gitDir = join(forgelog.dataDir, 'repositories', repositoryPath(projectId));
  const refs = await git(gitDir, 'for-each-ref', '--format=%(objectname) %(refname)');
  const logged = new Map<string, string>();
  for (const { ref, newOid } of await refEvents(projectId)) {
    if (newOid === ZERO) logged.delete(ref);
    else logged.set(ref, newOid);
  }
  const present = refs === '' ? [] : refs.split('\n');
  expect(present.toSorted()).toEqual([...logged].map(([ref, oid]) => `${oid} ${ref}`).toSorted());
  const problems = await tryGit(gitDir, 'fsck', '--strict', '--no-dangling');
  expect(problems.code).toBe(0);
}

async function member(projectId: number, level: number) {
  const user = await createUser(forgelog);
  await forgelog.post(`/projects/${projectId}/members`, { user_id: user.id, access_level: level });
  return { name: user.username, secret: user.token, ...user };
}

test('the first push chooses the default branch, and each ref is one event', async () => {
  const project = await newProject();
  const oid = await git(project.folder, 'rev-parse', 'HEAD');
  await git(project.folder, 'branch', 'a-first-by-name');
  await git(project.folder, 'tag', 'v1');
  await git(project.folder, 'push', 'origin', '--all');
  const { body } = await forgelog.get(`/projects/${project.id}`);
  expect(body).toMatchObject({ default_branch: 'main', empty_repo: false });
  await git(project.folder, 'push', 'origin', 'v1');
  const events = await refEvents(project.id);
  expect(events.toSorted((a, b) => (a.ref < b.ref ? -1 : 1))).toMatchObject([
    { ref: 'refs/heads/a-first-by-name', oldOid: ZERO, newOid: oid, commitCount: 1 },
    { ref: 'refs/heads/main', oldOid: ZERO, newOid: oid },
    { ref: 'refs/tags/v1', oldOid: ZERO, newOid: oid, commitCount: 0 },
  ]);
  const [event] = await forgelog.system.store.readStream(`repository-${project.id}`);
  expect(event?.type).toBe(RefUpdated.type);
  expect(event?.metadata).toMatchObject({ actorId: 1, credential: { kind: 'personal_access_token' } });
  await expectRefsAsLogged(project.id);
});

test('a first branch with another name becomes the default one', async () => {
  const project = await newProject();
  await git(project.folder, 'push', 'origin', 'main:trunk');
  expect((await forgelog.get(`/projects/${project.id}`)).body.default_branch).toBe('trunk');
  const clone = await emptyFolder();
  await git(clone, 'clone', '-q', project.address, 'copy');
  expect(await git(join(clone, 'copy'), 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('trunk');
});

test('a secret in a push option is not recorded in the log', async () => {
  const project = await newProject();
  await commit(project.folder, 'Deploy');
  await git(
    project.folder,
    'push',
    '-o',
    'ci.variable=DEPLOY_KEY=s3cret',
    '-o',
    'key=s3cret',
    'origin',
    'main',
  );
  const events = await refEvents(project.id);
  expect(JSON.stringify(events)).not.toContain('s3cret');
  expect(events.at(-1)).toMatchObject({ pushOptions: ['ci.variable=DEPLOY_KEY', 'key'] });
});

test('moving, deleting and recreating a branch are one event each, with old and new id', async () => {
  const project = await newProject();
  const first = await git(project.folder, 'rev-parse', 'HEAD');
  await git(project.folder, 'push', 'origin', 'main', 'main:other');
  await commit(project.folder, 'Second');
  const third = await commit(project.folder, 'Third');
  await git(project.folder, 'push', '-o', 'ci.skip', 'origin', 'main');
  await git(project.folder, 'push', 'origin', 'main:same-as-default');
  await git(project.folder, 'push', 'origin', '--delete', 'other');
  await git(project.folder, 'push', '--force', 'origin', `${first}:main`);
  const events = await refEvents(project.id);
  expect(events.slice(2)).toMatchObject([
    { ref: 'refs/heads/main', oldOid: first, newOid: third, commitCount: 2, pushOptions: ['ci.skip'] },
    { ref: 'refs/heads/same-as-default', oldOid: ZERO, newOid: third, commitCount: 0 },
    { ref: 'refs/heads/other', oldOid: first, newOid: ZERO, commitCount: 0, commitTitle: null },
    { ref: 'refs/heads/main', oldOid: third, newOid: first, commitCount: 0, commitTitle: 'First commit' },
  ]);
  await expectRefsAsLogged(project.id);
});

test('a push without changes records no event', async () => {
  const project = await newProject();
  await git(project.folder, 'push', 'origin', 'main');
  await git(project.folder, 'push', 'origin', 'main');
  expect(await refEvents(project.id)).toHaveLength(1);
});

test('an atomic push moves all refs or none', async () => {
  const project = await newProject();
  await git(project.folder, 'push', 'origin', 'main');
  const before = (await refEvents(project.id)).length;
  await commit(project.folder, 'Second');
  await git(project.folder, 'push', '--atomic', 'origin', 'main', 'main:one', 'main:two');
  expect((await refEvents(project.id)).length - before).toBe(3);
  const refused = await tryGit(project.folder, 'push', '--atomic', 'origin', 'main:three', ':main');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('remote: The default branch of a project cannot be deleted.');
  expect((await refEvents(project.id)).length - before).toBe(3);
  await expectRefsAsLogged(project.id);
});

test('git itself refuses a push that is behind the branch', async () => {
  const project = await newProject();
  const first = await git(project.folder, 'rev-parse', 'HEAD');
  await commit(project.folder, 'Second');
  await git(project.folder, 'push', 'origin', 'main');
  const refused = await tryGit(project.folder, 'push', 'origin', `${first}:main`);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('non-fast-forward');
  expect(await refEvents(project.id)).toHaveLength(1);
});

test('one of two concurrent pushes to a branch wins', async () => {
  const project = await newProject();
  await git(project.folder, 'push', 'origin', 'main');
  const clones = await Promise.all(
    [1, 2, 3].map(async (number) => {
      const folder = join(await emptyFolder(), 'copy');
      await git(project.folder, 'clone', '-q', project.address, folder);
      const oid = await commit(folder, `Writer ${number}`);
      return { folder, oid };
    }),
  );
  const runs = await Promise.all(clones.map(({ folder }) => tryGit(folder, 'push', 'origin', 'main')));
  const winners = clones.filter((_, at) => runs[at]!.code === 0);
  expect(winners).toHaveLength(1);
  const events = await refEvents(project.id);
  expect(events).toHaveLength(2);
  expect(events[1]!.newOid).toBe(winners[0]!.oid);
  await expectRefsAsLogged(project.id);
});

test('Developers push, and only Maintainers force-push the default branch', async () => {
  const project = await newProject();
  const first = await git(project.folder, 'rev-parse', 'HEAD');
  await commit(project.folder, 'Second');
  await git(project.folder, 'push', 'origin', 'main');
  const developer = addressOf(forgelog, project.path, await member(project.id, 30));
  await git(project.folder, 'push', developer, 'main:feature');
  await git(project.folder, 'push', '--force', developer, `${first}:feature`);
  const forced = await tryGit(project.folder, 'push', '--force', developer, `${first}:main`);
  expect(forced.stderr).toContain(
    'remote: You are not allowed to force push code to a protected branch on this project.',
  );
  expect(forced.stderr).toContain('pre-receive hook declined');
  const maintainer = addressOf(forgelog, project.path, await member(project.id, 40));
  await git(project.folder, 'push', '--force', maintainer, `${first}:main`);
  await expectRefsAsLogged(project.id);
});

test('Reporters, Guests and outsiders cannot push', async () => {
  const project = await newProject({ visibility: 'public' });
  await git(project.folder, 'push', 'origin', 'main');
  for (const level of [10, 20]) {
    const address = addressOf(forgelog, project.path, await member(project.id, level));
    const refused = await tryGit(project.folder, 'push', address, 'main:mine');
    expect(refused.stderr).toContain('You are not allowed to push code to this project.');
    expect(refused.stderr).toContain('403');
  }
  const user = await createUser(forgelog);
  const outsider = addressOf(forgelog, project.path, { name: user.username, secret: user.token });
  expect((await tryGit(project.folder, 'push', outsider, 'main:mine')).stderr).toContain('403');
  const nobody = await tryGit(project.folder, 'push', addressOf(forgelog, project.path, null), 'main:mine');
  expect(nobody.stderr).toContain('could not read Username');
  expect(await refEvents(project.id)).toHaveLength(1);
});

test('pushes to an archived project or an internal ref are refused', async () => {
  const project = await newProject();
  await git(project.folder, 'push', 'origin', 'main');
  for (const ref of [
    'refs/merge-requests/1/head',
    'refs/internal/x',
    'refs/pipelines/7',
    'refs/other/x',
    'refs/heads/-x',
  ]) {
    const refused = await tryGit(project.folder, 'push', 'origin', `main:${ref}`);
    expect(refused.code, ref).not.toBe(0);
    expect(refused.stderr).toContain('rejected');
  }
  await forgelog.post(`/projects/${project.id}/archive`);
  const archived = await tryGit(project.folder, 'push', 'origin', 'main:late');
  expect(archived.stderr).toContain(
    'remote: You are not allowed to push code to this project. It is archived.',
  );
  await forgelog.post(`/projects/${project.id}/unarchive`);
  await git(project.folder, 'push', 'origin', 'main:late');
  expect(await refEvents(project.id)).toHaveLength(2);
  await expectRefsAsLogged(project.id);
});

test('names like object ids are refused with a reason, and existing ones can be deleted', async () => {
  const project = await newProject();
  await git(project.folder, 'push', 'origin', 'main');
  const oid = await git(project.folder, 'rev-parse', 'main');
  for (const name of ['a'.repeat(40), 'B'.repeat(40), 'cD'.repeat(32), `${'e'.repeat(40)}/x`]) {
    const refused = await tryGit(project.folder, 'push', 'origin', `main:refs/heads/${name}`, 'main:fine');
    expect(refused.code, name).not.toBe(0);
    expect(refused.stderr).toContain(
      `remote: refs/heads/${name}: You cannot create a branch with a SHA-1 or SHA-256 branch name.`,
    );
    const tag = await tryGit(
      project.folder,
      ...['push', 'origin', `main:refs/tags/${name}`, 'main:refs/tags/main'],
    );
    expect(tag.stderr).toContain(
      `remote: refs/tags/${name}: You cannot create a tag with a SHA-1 or SHA-256 tag name.`,
    );
    expect(tag.stderr).toContain(
      'remote: refs/tags/main: You cannot use default branch name to create a tag',
    );
    expect(tag.stderr).toContain('[remote rejected] main -> main (pre-receive hook declined)');
  }
  expect(await refEvents(project.id)).toHaveLength(1);

  // From a time when they could be made.
  const gitDir = join(forgelog.dataDir, 'repositories', repositoryPath(project.id));
  const refs = ['a', 'B'].flatMap((digit) =>
    ['heads', 'tags'].map((kind) => `refs/${kind}/${digit.repeat(digit === 'a' ? 40 : 64)}`),
  );
  const moves = refs.map((ref) => ({
    ...{ ref, oldOid: ZERO, newOid: oid, commitTitle: null, forced: false },
    ...{ commitCount: 0, commitCountIsLowerBound: false },
  }));
  const pushId = 'interrupted';
  await forgelog.portsOf('repo').commands.handle(
    refLogDecider,
    refLogStream(project.id),
    {
      type: 'RecordMoves',
      ...{ projectId: project.id, pushId, via: 'push', pushOptions: [], moves, commits: null },
    },
    SYSTEM_METADATA,
  );
  // The policy that ends interrupted pushes makes the refs.
  await forgelog.system.projectors.policiesIdle();
  expect(await git(gitDir, 'for-each-ref', '--format=%(refname)', ...refs)).toBe(refs.toSorted().join('\n'));
  const at = `/projects/${project.id}/repository`;
  expect((await forgelog.delete(`${at}/branches/${'a'.repeat(40)}`)).status).toBe(204);
  expect((await forgelog.delete(`${at}/tags/${'a'.repeat(40)}`)).status).toBe(204);
  await git(
    project.folder,
    'push',
    'origin',
    `:refs/heads/${'B'.repeat(64)}`,
    `:refs/tags/${'B'.repeat(64)}`,
  );
  await expectRefsAsLogged(project.id);
  expect(await git(gitDir, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
});

test('a name that is not UTF-8 is refused, since the log cannot store it', async () => {
  const project = await newProject();
  await git(project.folder, 'push', 'origin', 'main');
  const packed = `${await git(project.folder, 'rev-parse', 'main')} refs/heads/caf`;
  const line = Buffer.concat([Buffer.from(packed), Buffer.from([0xe9, 0x0a])]);
  await writeFile(join(project.folder, '.git', 'packed-refs'), line);
  const refused = await tryGit(project.folder, 'push', 'origin', '--all');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('Branch name is invalid');
  await expectRefsAsLogged(project.id);
});

test('a push above the buffer size, with its probe request, arrives complete', async () => {
  const project = await newProject();
  await git(project.folder, 'config', 'http.postBuffer', '65536');
  const { randomBytes } = await import('node:crypto');
  await writeFile(join(project.folder, 'large.bin'), randomBytes(3_000_000));
  await git(project.folder, 'add', '-A');
  await commit(project.folder, 'Large');
  await git(project.folder, 'push', 'origin', 'main');
  await expectRefsAsLogged(project.id);
  await forgelog.system.projectors.policiesIdle();
  const { body } = await forgelog.get(`/projects/${project.id}?statistics=true`);
  expect(body.statistics.commit_count).toBe(2);
  expect(body.statistics.repository_size).toBeGreaterThan(2_900_000);
});

test('more concurrent pushes than slots all succeed', async () => {
  const project = await newProject();
  await git(project.folder, 'push', '-q', 'origin', 'main');
  const branches = Array.from({ length: 20 }, (_, at) => `branch-${at}`);
  for (const branch of branches) {
    await git(project.folder, 'checkout', '-q', '-b', branch, 'main');
    await commit(project.folder, `${branch}, first`);
    await commit(project.folder, `${branch}, second`);
  }
  await Promise.all(branches.map((branch) => git(project.folder, 'push', '-q', 'origin', branch)));
  const counts = (await refEvents(project.id)).slice(1).map(({ ref, commitCount }) => [ref, commitCount]);
  expect(Object.fromEntries(counts)).toEqual(
    Object.fromEntries(branches.map((branch) => [`refs/heads/${branch}`, 2])),
  );
  await expectRefsAsLogged(project.id);
});
