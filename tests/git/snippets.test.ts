import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { addressOf, cloned, git, tryGit } from '../support/stock-git.ts';

let dataDir: string;
let forgelog: Forgelog;
let ann: TestUser;
let ben: TestUser;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'forgelog-snippets-'));
  forgelog = await startForgelog({ dataDir });
  ann = await createUser(forgelog, { username: 'ann' });
  ben = await createUser(forgelog, { username: 'ben' });
});
afterAll(async () => {
  await forgelog.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const as = (user: TestUser, path: string) =>
  addressOf(forgelog, path, { name: user.username, secret: user.token });
const by = (user: TestUser) => ({ token: user.token });
const files = [
  { file_path: 'pump.py', content: 'print(1)\n' },
  { file_path: 'parts/ünit.txt', content: 'bolt' },
];

async function newSnippet(more: object = {}, place = '', user = ann) {
  const wanted = { title: 'Pumping', visibility: 'private', files, ...more };
  return must(forgelog.post(`${place}/snippets`, wanted, by(user)));
}

async function committed(folder: string, path: string, content: string, message = 'Change'): Promise<string> {
  await writeFile(join(folder, path), content);
  await git(folder, 'add', '-A');
  await git(folder, 'commit', '-q', '-m', message);
  return git(folder, 'rev-parse', 'HEAD');
}

const raw = async (id: number, path: string, user = ann) => {
  const address = `${forgelog.url}/api/v4/snippets/${id}/files/main/${encodeURIComponent(path)}/raw`;
  const answer = await fetch(address, { headers: { 'PRIVATE-TOKEN': user.token } });
  return answer.status === 200 ? answer.text() : answer.status;
};

test('a snippet is cloned, pushed to, changed by the API and pulled, and keeps its commits', async () => {
  const snippet = await newSnippet();
  expect(snippet.http_url_to_repo).toBe(`${forgelog.url}/snippets/${snippet.id}.git`);
  const folder = await cloned(as(ann, `snippets/${snippet.id}`));
  expect(await readFile(join(folder, 'pump.py'), 'utf8')).toBe('print(1)\n');
  expect(await readFile(join(folder, 'parts/ünit.txt'), 'utf8')).toBe('bolt');
  expect(await git(folder, 'log', '--format=%an %ae %s')).toBe('ann ann@example.org Create snippet');

  await committed(folder, 'pump.py', 'print(2)\n', 'Count to two');
  const second = await committed(folder, 'new.md', '# New', 'Say more');
  await git(folder, 'push', '-q', 'origin', 'main');
  expect(await raw(snippet.id, 'pump.py')).toBe('print(2)\n');
  expect(await raw(snippet.id, 'new.md')).toBe('# New');
  const { body: shown } = await forgelog.get(`/snippets/${snippet.id}`, by(ann));
  expect(shown.files.map(({ path }: { path: string }) => path).sort()).toEqual([
    ...['new.md', 'parts/ünit.txt', 'pump.py'],
  ]);

  const change = [{ action: 'move', file_path: 'old.md', previous_path: 'new.md' }];
  await must(forgelog.put(`/snippets/${snippet.id}`, { files: change }, by(ann)));
  await committed(folder, 'pump.py', 'print(3)\n');
  const late = await tryGit(folder, 'push', 'origin', 'main');
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('fetch first')]);
  await git(folder, 'pull', '-q', '--rebase', 'origin', 'main');
  await git(folder, 'push', '-q', 'origin', 'main');
  expect(await readFile(join(folder, 'old.md'), 'utf8')).toBe('# New');
  expect(await raw(snippet.id, 'pump.py')).toBe('print(3)\n');

  // What is pushed has the author and the id that it was pushed with, here and in every other clone.
  const log = await git(folder, 'log', '--format=%H %an %s');
  expect(log).toContain(`${second} Ann Author Say more`);
  expect(log.split('\n')).toHaveLength(5);

  const other = await newSnippet();
  const beside = await cloned(as(ann, `snippets/${other.id}`));
  await committed(beside, 'pump.py', 'print(4)');
  await git(beside, 'push', '-q', 'origin', 'main');
  const pushed = await git(beside, 'log', '--format=%H');
  const third = await newSnippet();
  const made = await git(await cloned(as(ann, `snippets/${third.id}`)), 'rev-parse', 'HEAD');
  const kept = join(dataDir, `repositories/@snippets/user-${ann.id}`);
  const names = [snippet, other, third].map(({ id }) => `${id}.git`).sort();
  expect((await readdir(kept)).sort()).toEqual(names);
  await forgelog.stop();
  // Repositories follow from the log: a lost one is made again, and one that is behind, as after a kill, catches up.
  await rm(join(kept, `${snippet.id}.git`), { recursive: true });
  await git(join(kept, `${other.id}.git`), 'update-ref', 'refs/heads/main', pushed.split('\n').at(-1)!);
  // So is one of another log, where the events of this one are others.
  const strange = join(kept, `${third.id}.git`);
  const mark = await git(strange, 'for-each-ref', '--format=%(refname)', 'refs/internal/events');
  const another = mark.replace(/-.*/, `-${randomUUID()}`);
  await git(strange, 'update-ref', another, made);
  await git(strange, 'update-ref', '-d', mark);
  forgelog = await startForgelog({ dataDir });
  expect(await git(await cloned(as(ann, `snippets/${third.id}`)), 'rev-parse', 'HEAD')).toBe(made);
  expect(await git(strange, 'for-each-ref', '--format=%(refname)', 'refs/internal/events')).toBe(mark);
  const again = await cloned(as(ann, `snippets/${snippet.id}`));
  expect(await git(again, 'log', '--format=%H %an %s')).toBe(log);
  expect(await git(await cloned(as(ann, `snippets/${other.id}`)), 'log', '--format=%H')).toBe(pushed);

  expect((await forgelog.delete(`/snippets/${snippet.id}`, by(ann))).status).toBe(204);
  const gone = await tryGit(again, 'fetch', 'origin');
  expect(gone.stderr).toContain('The snippet you were looking for could not be found');
  await expect.poll(() => readdir(kept)).not.toContain(`${snippet.id}.git`);
});

test('a snippet of a project is there for who may see it, and written by its author and maintainers', async () => {
  const project = await must(forgelog.post('/projects', { name: 'parts', visibility: 'public' }, by(ann)));
  const hidden = await newSnippet({}, `/projects/${project.id}`);
  const open = await newSnippet({ visibility: 'public' }, `/projects/${project.id}`);
  const path = ({ id }: { id: number }) => `${project.path_with_namespace}/snippets/${id}`;
  expect(open.http_url_to_repo).toBe(`${forgelog.url}/${path(open)}.git`);
  await cloned(addressOf(forgelog, path(open), null));
  await cloned(as(ann, path(hidden)));
  const status = async (address: string, service: string, user: TestUser | null, token = user?.token) => {
    const headers = user ? { Authorization: `Basic ${btoa(`${user.username}:${token}`)}` } : undefined;
    const answer = await fetch(`${forgelog.url}/${address}.git/info/refs?service=${service}`, {
      ...(headers && { headers }),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  const [fetching, pushing] = ['git-upload-pack', 'git-receive-pack'];
  expect(await status(path(hidden), fetching, null)).toBe(401);
  expect(await status(path(hidden), fetching, ben)).toBe(404);
  expect(await status(path(hidden), pushing, ben)).toBe(404);
  expect(await status(path(open), fetching, ben)).toBe(200);
  expect(await status(path(open), pushing, ben)).toBe(403);
  expect(await status(path(open), pushing, null)).toBe(401);
  expect(await status(path(open), pushing, ann, 'wrong')).toBe(401);
  // One of a project is not found without it, nor by way of another.
  for (const other of [`snippets/${open.id}`, `ann/other/snippets/${open.id}`, `${path(open)}9`])
    expect(await status(other, fetching, ben)).toBe(404);
  const folder = await cloned(as(ann, path(open)));
  await must(forgelog.put(`/projects/${project.id}`, { snippets_access_level: 'disabled' }, by(ann)));
  expect(await status(path(open), fetching, null)).toBe(401);
  expect(await status(path(open), fetching, ben)).toBe(404);
  await must(forgelog.put(`/projects/${project.id}`, { snippets_access_level: 'enabled' }, by(ann)));
  await must(forgelog.post(`/projects/${project.id}/archive`, {}, by(ann)));
  await committed(folder, 'pump.py', 'changed');
  const archived = await tryGit(folder, 'push', 'origin', 'main');
  expect(archived.stderr).toContain('You are not allowed to push to this snippet.');
  const kept = join(forgelog.dataDir, 'repositories/@snippets');
  expect(await readdir(kept)).toContain(`project-${project.id}`);
  expect((await forgelog.delete(`/projects/${project.id}`)).status).toBe(202);
  await expect.poll(() => readdir(kept)).not.toContain(`project-${project.id}`);
});

test('what a snippet cannot be is refused with the reason, and changes nothing', async () => {
  const snippet = await newSnippet();
  const address = as(ann, `snippets/${snippet.id}`);
  const folder = await cloned(address);
  const start = await git(folder, 'rev-parse', 'HEAD');
  const refusal = async (...refs: string[]) => {
    const { code, stderr } = await tryGit(
      folder,
      'push',
      ...refs.filter((one) => one === '-f'),
      'origin',
      ...refs.filter((one) => one !== '-f'),
    );
    expect(code).toBe(1);
    await git(folder, 'reset', '-q', '--hard', start);
    return stderr.replace(/\s*\nremote:\s*/g, ' ');
  };
  const save = async (message = 'Change') => {
    await git(folder, 'add', '-A');
    await git(folder, 'commit', '-q', '--allow-empty', '-m', message);
  };
  expect(await refusal('HEAD:refs/heads/other')).toContain('A snippet has one branch and no tags');
  expect(await refusal('HEAD:refs/tags/v1')).toContain('A snippet has one branch and no tags');
  expect(await refusal(':refs/heads/main')).toMatch(/cannot be deleted|deletion of the current branch/);
  await git(folder, 'commit', '-q', '--amend', '-m', 'Rewritten');
  expect(await refusal('-f', 'main')).toContain('The history of a snippet is kept');
  await symlink('/etc/passwd', join(folder, 'link'));
  await save();
  expect(await refusal('main')).toContain('link is a symbolic link');
  await chmod(join(folder, 'pump.py'), 0o755);
  await save();
  expect(await refusal('main')).toContain('git update-index --chmod=-x pump.py');
  await writeFile(join(folder, 'image.png'), Buffer.from([0x89, 0, 0xff]));
  await save();
  expect(await refusal('main')).toContain('image.png is not a text in UTF-8');
  for (let at = 0; at < 9; at += 1) await writeFile(join(folder, `f${at}`), `${at}`);
  await save();
  expect(await refusal('main')).toContain('A snippet has 10 files at most');
  await writeFile(join(folder, 'large'), 'x'.repeat(1_048_577));
  await save();
  expect(await refusal('main')).toContain('A snippet has 1048576 bytes at most');
  await writeFile(join(folder, 'empty'), '');
  await save();
  expect(await refusal('main')).toContain('content of empty is empty');
  await git(folder, 'rm', '-q', '-r', '.');
  await save();
  expect(await refusal('main')).toContain('A snippet has at least one file');
  await git(folder, 'update-index', '--add', '--cacheinfo', `160000,${start},sub`);
  await git(folder, 'commit', '-q', '-m', 'Submodule');
  expect(await refusal('main')).toContain('sub is a submodule');
  await git(folder, 'checkout', '-q', '-b', 'side');
  await committed(folder, 'side.txt', 'side');
  await git(folder, 'checkout', '-q', 'main');
  await committed(folder, 'main.txt', 'main');
  await git(folder, 'merge', '-q', '-m', 'Merge', 'side');
  expect(await refusal('main')).toContain('A snippet takes no merge commits');
  const again = await cloned(address);
  expect(await git(again, 'rev-parse', 'HEAD')).toBe(start);
  expect(await git(again, 'for-each-ref', '--format=%(refname)', 'refs/remotes')).not.toContain('other');
});

test('of two who push at once one comes first, and the other fetches', async () => {
  const snippet = await newSnippet();
  const address = as(ann, `snippets/${snippet.id}`);
  const clones = await Promise.all([cloned(address), cloned(address), cloned(address)]);
  for (const [at, folder] of clones.entries()) await committed(folder, `from-${at}`, `${at}`);
  const pushes = await Promise.all(clones.map((folder) => tryGit(folder, 'push', 'origin', 'main')));
  expect(pushes.filter(({ code }) => code === 0)).toHaveLength(1);
  const { body } = await forgelog.get(`/snippets/${snippet.id}`, by(ann));
  expect(body.files).toHaveLength(3);
  const winner = clones[pushes.findIndex(({ code }) => code === 0)]!;
  expect(await git(await cloned(address), 'rev-parse', 'HEAD')).toBe(await git(winner, 'rev-parse', 'HEAD'));
});
