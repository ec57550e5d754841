import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { addressOf, cloned, emptyFolder, git, tryGit } from '../support/stock-git.ts';

let dataDir: string;
let forgelog: Forgelog;
let ann: TestUser;
let ben: TestUser;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'forgelog-wikis-'));
  forgelog = await startForgelog({ dataDir });
  ann = await createUser(forgelog, { username: 'ann' });
  ben = await createUser(forgelog, { username: 'ben' });
});
afterAll(async () => {
  await forgelog.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const by = (user: TestUser) => ({ token: user.token });
const as = (user: TestUser, path: string) =>
  addressOf(forgelog, path, { name: user.username, secret: user.token });

let made = 0;
const newProject = async (more: object = {}) =>
  must(forgelog.post('/projects', { name: `engine-${++made}`, ...more }, by(ann)));

async function committed(folder: string, files: Record<string, string | Buffer>, message = 'Change') {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await git(folder, 'add', '-A');
  await git(folder, 'commit', '-q', '-m', message);
  return git(folder, 'rev-parse', 'HEAD');
}

async function pagesOf(id: number, place = 'projects'): Promise<[slug: string, content: string][]> {
  const { body } = await forgelog.get(`/${place}/${id}/wikis?with_content=true`, by(ann));
  return body.map(({ slug, content }: { slug: string; content: string }) => [slug, content]);
}

async function status(address: string, service: string, user: TestUser | null, token = user?.token) {
  const headers = user ? { Authorization: `Basic ${btoa(`${user.username}:${token}`)}` } : undefined;
  const answer = await fetch(`${forgelog.url}/${address}.git/info/refs?service=${service}`, {
    ...{ redirect: 'manual', ...(headers && { headers }) },
  });
  await answer.arrayBuffer();
  return answer.status;
}
const [FETCH, PUSH] = ['git-upload-pack', 'git-receive-pack'] as const;

test('a wiki is cloned, pushed to, written by the API and pulled, and keeps its commits', async () => {
  const project = await newProject();
  const address = as(ann, `${project.path_with_namespace}.wiki`);
  const folder = await emptyFolder();
  await git(folder, 'clone', '-q', address, '.');
  const picture = Buffer.from([0x89, 0x50, 0, 0xff]);
  await committed(folder, { 'Home.md': '# Welcome\n', 'pictures/crank.png': picture }, 'Begin');
  const second = await committed(folder, { 'parts/The-crank.org': '* Turn it\n' }, 'Say more');
  await git(folder, 'push', '-q', 'origin', 'HEAD:main');
  expect(await pagesOf(project.id)).toEqual([
    ['Home', '# Welcome\n'],
    ['parts/The-crank', '* Turn it\n'],
  ]);
  const found = await forgelog.get(`/projects/${project.id}/search?scope=wiki_blobs&search=welcome`, by(ann));
  expect(found.body).toMatchObject([{ path: 'Home.md' }]);

  const wikis = `/projects/${project.id}/wikis`;
  await must(forgelog.post(wikis, { title: 'a.md/New page', content: 'New' }, by(ann)));
  await must(forgelog.put(`${wikis}/Home`, { title: 'Start', content: 'Here' }, by(ann)));
  expect((await forgelog.delete(`${wikis}/parts%2FThe-crank`, by(ann))).status).toBe(204);
  await committed(folder, { 'Late.md': 'late' });
  const late = await tryGit(folder, 'push', 'origin', 'HEAD:main');
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('fetch first')]);
  await git(folder, 'pull', '-q', '--rebase', 'origin', 'main');
  await git(folder, 'push', '-q', 'origin', 'HEAD:main');
  expect(await readFile(join(folder, 'Start.md'), 'utf8')).toBe('Here');
  expect(await readFile(join(folder, 'a.md-/New-page.md'), 'utf8')).toBe('New');
  expect(await readFile(join(folder, 'pictures/crank.png'))).toEqual(picture);
  const log = await git(folder, 'log', '--format=%H %an %s');
  expect(log).toContain(`${second} Ann Author Say more`);
  expect(log.split('\n').map((line) => line.slice(41))).toEqual([
    'Ann Author Change',
    ...['ann Delete page The crank', 'ann Update page Start', 'ann Create page New page'],
    ...['Ann Author Say more', 'Ann Author Begin'],
  ]);

  // A page that moves stays the same page; one that ends and one that begins are two.
  const before = await hookedEvents(project.id);
  await git(folder, 'mv', 'Start.md', 'Home.md');
  await git(folder, 'commit', '-q', '-m', 'Move');
  await git(folder, 'rm', '-q', 'Late.md');
  await committed(folder, { 'New.md': 'Something else' }, 'Replace');
  await git(folder, 'push', '-q', 'origin', 'HEAD:main');
  expect((await hookedEvents(project.id)).slice(before.length)).toEqual([
    ...['WikiCommitPushed', 'WikiPageUpdated'],
    ...['WikiCommitPushed', 'WikiPageDeleted', 'WikiPageCreated'],
  ]);
  const head = await git(folder, 'rev-parse', 'HEAD');

  // Repositories follow from the log: a lost one is made again, and one that is behind, as after a kill, catches up.
  const behind = await newProject();
  const other = await emptyFolder();
  await git(other, 'clone', '-q', as(ann, `${behind.path_with_namespace}.wiki`), '.');
  const early = await committed(other, { 'Home.md': 'Early' });
  await committed(other, { 'Home.md': 'Late' });
  await git(other, 'push', '-q', 'origin', 'HEAD:main');
  const kept = (id: number) => join(dataDir, 'repositories/@wikis', `project-${id}.git`);
  await forgelog.stop();
  await rm(kept(project.id), { recursive: true });
  await git(kept(behind.id), 'update-ref', 'refs/heads/main', early);
  forgelog = await startForgelog({ dataDir });
  const again = await cloned(as(ann, `${project.path_with_namespace}.wiki`));
  expect(await git(again, 'rev-parse', 'HEAD')).toBe(head);
  const caughtUp = await cloned(as(ann, `${behind.path_with_namespace}.wiki`));
  expect(await readFile(join(caughtUp, 'Home.md'), 'utf8')).toBe('Late');
  const shown = await git(again, 'ls-remote', 'origin');
  expect(shown).toBe(`${head}\tHEAD\n${head}\trefs/heads/main`);
  await must(forgelog.put(`/projects/${project.id}`, { path: 'renamed' }, by(ann)));
  await git(again, 'fetch', '-q', 'origin');
  expect((await forgelog.delete(`/projects/${project.id}`)).status).toBe(202);
  await expect
    .poll(() => readdir(join(dataDir, 'repositories/@wikis')))
    .not.toContain(`project-${project.id}.git`);
});

/** Types of the events of a wiki, in their order. */
async function hookedEvents(projectId: number): Promise<string[]> {
  const all = await forgelog.system.store.readStream(`wiki-${projectId}`, { fromRevision: 0, limit: 100 });
  return all.map(({ type }) => type);
}

test('who reads the wiki fetches it, who writes its pages pushes, and a closed one is not there', async () => {
  const group = await must(
    forgelog.post('/groups', { name: 'crew', path: 'crew', visibility: 'public' }, by(ann)),
  );
  const project = await must(
    forgelog.post('/projects', { name: 'ship', namespace_id: group.id, visibility: 'public' }, by(ann)),
  );
  const hidden = await newProject();
  const wiki = 'crew/ship.wiki';
  const closed = `${hidden.path_with_namespace}.wiki`;
  expect(await status(wiki, FETCH, null)).toBe(200);
  expect(await status(wiki, PUSH, null)).toBe(401);
  expect(await status(wiki, PUSH, ben)).toBe(403);
  expect(await status(wiki, PUSH, ann, 'wrong')).toBe(401);
  expect(await status(closed, FETCH, null)).toBe(401);
  for (const nowhere of [closed, 'crew/none.wiki', `${wiki}.wiki`, 'nobody.wiki', 'ann.wiki'])
    for (const service of [FETCH, PUSH]) expect(await status(nowhere, service, ben)).toBe(404);
  await must(
    forgelog.post(`/projects/${project.id}/members`, { user_id: ben.id, access_level: 20 }, by(ann)),
  );
  expect(await status(wiki, PUSH, ben)).toBe(403);
  await must(forgelog.put(`/projects/${project.id}/members/${ben.id}`, { access_level: 30 }, by(ann)));
  expect(await status(wiki, PUSH, ben)).toBe(200);
  const folder = await emptyFolder();
  await git(folder, 'clone', '-q', as(ben, wiki), '.');
  await committed(folder, { 'Home.md': 'Ahoy' });
  await git(folder, 'push', '-q', 'origin', 'HEAD:main');
  expect(await pagesOf(project.id)).toEqual([['Home', 'Ahoy']]);
  await must(forgelog.put(`/projects/${project.id}`, { wiki_access_level: 'private' }, by(ann)));
  expect(await status(wiki, FETCH, null)).toBe(401);
  expect(await status(wiki, FETCH, ben)).toBe(200);
  await must(forgelog.put(`/projects/${project.id}`, { wiki_access_level: 'disabled' }, by(ann)));
  expect(await status(wiki, FETCH, ann)).toBe(404);
  await must(forgelog.put(`/projects/${project.id}`, { wiki_access_level: 'enabled' }, by(ann)));
  await must(forgelog.post(`/projects/${project.id}/archive`, {}, by(ann)));
  expect(await status(wiki, FETCH, ben)).toBe(200);
  expect(await status(wiki, PUSH, ben)).toBe(403);

  // The wiki of a group is at the path of the group.
  expect(await status('crew.wiki', FETCH, null)).toBe(200);
  expect(await status('crew.wiki', PUSH, ben)).toBe(403);
  const ours = await emptyFolder();
  await git(ours, 'clone', '-q', as(ann, 'crew.wiki'), '.');
  await committed(ours, { 'Rules.md': 'Be kind.' });
  await git(ours, 'push', '-q', 'origin', 'HEAD:main');
  expect(await pagesOf(group.id, 'groups')).toEqual([['Rules', 'Be kind.']]);
  await must(forgelog.put(`/groups/${group.id}/wikis/Rules`, { content: 'Be brave.' }, by(ann)));
  await git(ours, 'pull', '-q', 'origin', 'main');
  expect(await readFile(join(ours, 'Rules.md'), 'utf8')).toBe('Be brave.');
});

test('names that are none of pages are kept and said, and what a wiki cannot be is refused', async () => {
  const project = await newProject();
  await must(forgelog.post(`/projects/${project.id}/wikis`, { title: 'Home', content: 'Welcome' }, by(ann)));
  const address = as(ann, `${project.path_with_namespace}.wiki`);
  const folder = await cloned(address);
  await committed(folder, {
    ...{ 'Getting started.md': 'a', 'Home.org': 'b', 'empty.md': ' \n', 'bytes.md': Buffer.from([0xff]) },
    ...{ 'Old.markdown': 'c', '.gitignore': '*.tmp', 'a\nb.md': 'd', '<img src=x>.md': 'e' },
  });
  const { code, stderr } = await tryGit(folder, 'push', 'origin', 'main');
  expect(code, stderr).toBe(0);
  for (const path of [
    'Getting started.md',
    'Home.org',
    'empty.md',
    'bytes.md',
    'Old.markdown',
    '<img src=x>.md',
  ])
    expect(stderr).toContain(`${path} is kept, but is no page`);
  expect(await pagesOf(project.id)).toEqual([['Home', 'Welcome']]);
  await committed(folder, { 'empty.md': 'No longer' });
  await git(folder, 'push', '-q', 'origin', 'main');
  expect(await pagesOf(project.id)).toEqual([
    ['Home', 'Welcome'],
    ['empty', 'No longer'],
  ]);
  const taken = await forgelog.post(
    `/projects/${project.id}/wikis`,
    { title: 'Getting-started.md/x', content: 'x', format: 'markdown' },
    by(ann),
  );
  expect(taken.status).toBe(201);
  const below = { title: '.gitignore/x', content: 'x' };
  expect(await forgelog.post(`/projects/${project.id}/wikis`, below, by(ann))).toMatchObject({ status: 400 });
  await git(folder, 'pull', '-q', 'origin', 'main');

  const start = await git(folder, 'rev-parse', 'HEAD');
  const refusal = async (...refs: string[]) => {
    const run = await tryGit(folder, 'push', 'origin', ...refs);
    expect(run.code).toBe(1);
    await git(folder, 'reset', '-q', '--hard', start);
    await git(folder, 'clean', '-qfdx');
    return run.stderr.replace(/\s*\nremote:\s*/g, ' ');
  };
  const save = async (message = 'Change') => {
    await git(folder, 'add', '-A');
    await git(folder, 'commit', '-q', '--allow-empty', '-m', message);
  };
  expect(await refusal('HEAD:refs/heads/other')).toContain('A wiki has one branch and no tags');
  expect(await refusal('HEAD:refs/internal/events/9')).toMatch(/hidden|one branch/);
  expect(await refusal(':refs/heads/main')).toMatch(/cannot be deleted|deletion of the current branch/);
  await git(folder, 'commit', '-q', '--amend', '-m', 'Rewritten');
  expect(await refusal('+main')).toContain('The history of a wiki is kept');
  await symlink('/etc/passwd', join(folder, 'link.md'));
  await save();
  expect(await refusal('main')).toContain('link.md is a symbolic link');
  await writeFile(join(folder, 'Home.md'), 'x'.repeat(1_048_577));
  await save();
  expect(await refusal('main')).toContain('Home.md is too long (1048577 bytes)');
  for (let at = 0; at < 5; at += 1) await writeFile(join(folder, `f${at}.bin`), Buffer.alloc(1_048_576));
  await save();
  expect(await refusal('main')).toContain('A push to a wiki brings 4194304 bytes at most');
  expect(await git(await cloned(address), 'rev-parse', 'HEAD')).toBe(start);
});

test('of two who push first at once one comes first, and the other fetches', async () => {
  const project = await newProject();
  const address = as(ann, `${project.path_with_namespace}.wiki`);
  const clones = await Promise.all([1, 2, 3].map(() => emptyFolder()));
  for (const [at, folder] of clones.entries()) {
    await git(folder, 'init', '-q', '-b', 'main');
    await committed(folder, { [`From-${at}.md`]: `${at}` });
  }
  const pushes = await Promise.all(clones.map((folder) => tryGit(folder, 'push', address, 'main')));
  expect(pushes.filter(({ code }) => code === 0)).toHaveLength(1);
  expect(await pagesOf(project.id)).toHaveLength(1);
  const winner = clones[pushes.findIndex(({ code }) => code === 0)]!;
  expect(await git(await cloned(address), 'rev-parse', 'HEAD')).toBe(await git(winner, 'rev-parse', 'HEAD'));
});
