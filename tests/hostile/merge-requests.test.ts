import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { forgelogForTest } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { addressOf, emptyFolder, git, tryGit } from '../support/stock-git.ts';

vi.setConfig({ testTimeout: 300_000 });

async function started(visibility = 'private') {
  const forgelog = await forgelogForTest();
  const given = { name: 'target', visibility, initialize_with_readme: true };
  const { id, path_with_namespace: path } = await must(forgelog.post('/projects', given));
  const folder = await emptyFolder();
  const url = addressOf(forgelog, path, { name: 'root', secret: forgelog.rootToken });
  await git(folder, 'clone', '-q', url, 'copy');
  return { forgelog, id, project: `/projects/${id}`, copy: join(folder, 'copy'), url };
}

test('branches with names that mean something elsewhere are reviewed and merged as any other', async () => {
  const { forgelog, project, copy, url } = await started();
  const first = await git(copy, 'rev-parse', 'HEAD');
  const names = [
    ...['-x', '--output=owned', '$(touch$IFSowned)', '`touch$IFSowned`', ';touch$IFSowned', '|owned'],
    ...['"quoted"', "'", '%{source_branch}', '%2e%2e%2fetc', '&a=b#c', '<script>', 'refs/heads/main', 'HEAD'],
    ...['\u202egnp.exe', 'ünï/cöde', 'z'.repeat(120), first, 'merge-requests/1/head'],
  ];
  const refused: string[] = [];
  for (const [at, name] of names.entries()) {
    await git(copy, 'checkout', '-q', '--detach', first);
    await writeFile(join(copy, `${at}.txt`), name);
    await git(copy, 'add', '-A');
    await git(copy, 'commit', '-q', '-m', `Change ${at}`);
    const sha = await git(copy, 'rev-parse', 'HEAD');
    const pushed = await tryGit(copy, 'push', '-q', url, `${sha}:refs/heads/${name}`);
    if (pushed.code !== 0) {
      expect(pushed.stderr).toMatch(/Branch name is invalid|cannot create a branch with a SHA-1/);
      refused.push(name);
      continue;
    }
    const given = {
      source_branch: name,
      target_branch: 'main',
      title: `From ${at}`,
      remove_source_branch: true,
    };
    const opened = await must(forgelog.post(`${project}/merge_requests`, given));
    expect(opened).toMatchObject({ sha, source_branch: name, detailed_merge_status: 'mergeable' });
    const one = `${project}/merge_requests/${opened.iid}`;
    const { changes } = await must(forgelog.get(`${one}/changes`));
    expect(changes.map(({ new_path }: { new_path: string }) => new_path)).toEqual([`${at}.txt`]);
    const merged = await must(forgelog.put(`${one}/merge`));
    const commit = await must(forgelog.get(`${project}/repository/commits/${merged.merge_commit_sha}`));
    expect(commit.parent_ids[1]).toBe(sha);
    expect(commit.title).toBe(`Merge branch '${name}' into 'main'`);
    const branch = `${project}/repository/branches/${encodeURIComponent(name)}`;
    await eventually(`${name} is deleted`, () => forgelog.get(branch), {
      until: ({ status }) => status === 404,
    });
  }
  await git(copy, 'fetch', '-q', url, 'main');
  const files = (await git(copy, 'ls-tree', '--name-only', 'FETCH_HEAD')).split('\n');
  // What git could take for an option, or for a commit.
  expect(refused).toEqual(['-x', '--output=owned', 'refs/heads/main', 'HEAD', first]);
  expect(files).toHaveLength(names.length - refused.length + 1);
});

test('a difference of very many and very long files is bounded, and says so', async () => {
  const { forgelog, project, copy, url } = await started();
  await git(copy, 'checkout', '-q', '-b', 'huge');
  for (let at = 0; at < 1_200; at += 1) await writeFile(join(copy, `f${at}`), `${at}\n`);
  await writeFile(join(copy, 'a-long-line'), 'x'.repeat(5_000_000));
  await writeFile(join(copy, 'a-many-lines'), 'y\n'.repeat(1_000_000));
  await git(copy, 'add', '-A');
  await git(copy, 'commit', '-q', '-m', 'Huge');
  await git(copy, 'push', '-q', url, 'huge');
  const given = { source_branch: 'huge', target_branch: 'main', title: 'Huge' };
  const { iid, changes_count } = await must(forgelog.post(`${project}/merge_requests`, given));
  expect(changes_count).toBe('1000+');
  const reply = await forgelog.get(`${project}/merge_requests/${iid}/changes`);
  expect(reply.body).toMatchObject({ overflow: true });
  expect(reply.body.changes.length).toBeLessThanOrEqual(1_000);
  const [line, lines] = reply.body.changes;
  expect([line, lines]).toMatchObject([
    { new_path: 'a-long-line', diff: '' },
    { new_path: 'a-many-lines', diff: '' },
  ]);
  expect(reply.text.length).toBeLessThan(2_000_000);
  expect((await must(forgelog.put(`${project}/merge_requests/${iid}/merge`))).state).toBe('merged');
});

test('who sees one side of a request from a fork learns nothing of the other', async () => {
  const { forgelog, id, project } = await started();
  const [author, reader, stranger] = [
    await createUser(forgelog),
    await createUser(forgelog),
    await createUser(forgelog),
  ];
  for (const { id: user_id } of [author, reader])
    await must(forgelog.post(`${project}/members`, { user_id, access_level: 30 }));
  const as = ({ token }: { token: string }) => ({ token });
  const fork = await must(forgelog.post(`${project}/fork`, { path: 'secret-fork' }, as(author)));
  await eventually(
    'it is forked',
    async () => (await forgelog.get(`/projects/${fork.id}`)).body.import_status === 'finished',
  );
  const actions = [{ action: 'create', file_path: 'offered.txt', content: 'offered' }];
  const change = { branch: 'topic', start_branch: 'main', commit_message: 'Offered', actions };
  const at = `/projects/${fork.id}`;
  const { id: sha } = await must(forgelog.post(`${at}/repository/commits`, change, as(author)));
  const given = { source_branch: 'topic', target_branch: 'main', title: 'Offered', target_project_id: id };
  const { iid } = await must(forgelog.post(`${at}/merge_requests`, given, as(author)));
  const kept = [{ action: 'create', file_path: 'kept.txt', content: 'kept' }];
  const own = { branch: 'private', start_branch: 'main', commit_message: 'Kept', actions: kept };
  const { id: keptSha } = await must(forgelog.post(`${at}/repository/commits`, own, as(author)));
  const one = `${project}/merge_requests/${iid}`;

  // What was offered is read, what else the fork has is not.
  expect((await must(forgelog.get(`${one}/changes`, as(reader)))).changes).toHaveLength(1);
  for (const path of ['', '/repository/branches', `/repository/commits/${sha}`, '/merge_requests'])
    expect((await forgelog.get(`${at}${path}`, as(reader))).status, path).toBe(404);
  expect((await forgelog.get(`${project}/repository/commits/${keptSha}`, as(reader))).status).toBe(404);
  const ahead = `${project}/repository/compare?from=main&to=private&from_project_id=${fork.id}`;
  expect((await forgelog.get(ahead, as(reader))).status).toBe(404);
  expect((await forgelog.put(`${one}/rebase`, {}, as(reader))).status).toBe(403);

  // Whoever lost the target keeps their fork, and no more.
  await must(forgelog.delete(`${project}/members/${author.id}`));
  for (const path of ['', '/changes', '/commits', '/discussions', '/versions', '/approvals'])
    expect((await forgelog.get(`${one}${path}`, as(author))).status, path).toBe(404);
  expect((await forgelog.put(one, { title: 'Mine' }, as(author))).status).toBe(404);
  expect(await must(forgelog.get('/merge_requests?scope=all', as(author)))).toEqual([]);
  expect(await must(forgelog.get(`${at}/repository/commits/${sha}/merge_requests`, as(author)))).toEqual([]);
  const again = { ...given, source_branch: 'private' };
  expect((await forgelog.post(`${at}/merge_requests`, again, as(author))).status).toBe(404);

  // Of a fork and a target that are both unseen there is nothing.
  for (const path of [one, `${at}/merge_requests`, `${project}/merge_requests`])
    expect((await forgelog.get(path, as(stranger))).status, path).toBe(404);
  expect((await forgelog.post(`${at}/merge_requests`, again, as(stranger))).status).toBe(404);
});
