import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

// The requests that python-gitlab sends, old (2.10) and new, spelled as it spells them.
let forgelog: Forgelog;
let project: string;

beforeAll(async () => {
  forgelog = await startForgelog();
  project = `/projects/${(await forgelog.post('/projects', { name: 'py' })).body.id}`;
  for (let at = 1; at <= 5; at += 1) {
    await createUser(forgelog);
    await forgelog.post(`${project}/issues`, { title: `Issue ${at}`, labels: 'a,b' });
  }
});
afterAll(() => forgelog.stop());

test('2.10 follows a next link by adding the parameters that it holds once more', async () => {
  const held = '&per_page=2&labels=a%2Cb&with_labels_details=False';
  let path: string | undefined = `${project}/issues?${held.slice(1)}`;
  const iids: number[] = [];
  while (path) {
    const page = await forgelog.get(path);
    expect(page.status).toBe(200);
    iids.push(...page.body.map(({ iid }: { iid: number }) => iid));
    expect(page.headers.get('link')!.match(/per_page=/g)!.length).toBe(
      page.headers.get('link')!.match(/rel=/g)!.length,
    );
    const next = /<[^>]*\/api\/v4([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    path = next && `${next}${held}`;
  }
  expect(iids).toEqual([5, 4, 3, 2, 1]);
});

test('a keyset list of anything goes on by its next link alone', async () => {
  const users = (await forgelog.get('/users?order_by=id&sort=asc')).body;
  const seen: unknown[] = [];
  let path: string | undefined = '/users?pagination=keyset&order_by=id&sort=asc&per_page=2';
  while (path) {
    const page = await forgelog.get(path);
    expect(page.status).toBe(200);
    seen.push(...page.body);
    // What it asks of offset pages is not there, which it takes for unknown.
    for (const name of ['x-total', 'x-total-pages', 'x-per-page', 'x-prev-page', 'x-next-page'])
      expect(page.headers.has(name)).toBe(false);
    path = /<[^>]*\/api\/v4([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect(seen).toEqual(users);
  expect(seen.length).toBeGreaterThan(4);
});

test('every dot is encoded, and a DELETE announces JSON and brings none', async () => {
  const file = `${project}/repository/files/docs%2Fread%2Eme%2Emd`;
  const text = { branch: 'main', content: 'hello', commit_message: 'Add' };
  expect((await forgelog.post(file, text)).status).toBe(201);
  expect((await forgelog.get(`${file}?ref=main`)).body.file_path).toBe('docs/read.me.md');
  const branches = `${project}/repository/branches`;
  await forgelog.post(branches, { branch: 'release/1.2', ref: 'main' });
  const branch = `${branches}/release%2F1%2E2`;
  expect((await forgelog.get(branch)).body.name).toBe('release/1.2');
  const headers = { 'Content-Type': 'application/json' };
  expect((await forgelog.delete(branch, { headers })).status).toBe(204);
  expect((await forgelog.get(branch, { headers })).status).toBe(404);
});

test('booleans are True and False in queries, 1 and 0 in multipart forms', async () => {
  const form = new FormData();
  const flags = { issues_enabled: '0', emails_disabled: '1' };
  for (const [name, value] of Object.entries({ name: 'form', ...flags })) form.append(name, value);
  const made = await forgelog.call('POST', '/projects', { body: form });
  expect(made.body).toMatchObject({ issues_enabled: false, emails_disabled: true });
  const names = async (query: string) =>
    (await forgelog.get(`/projects?${query}`)).body.map(({ name }: { name: string }) => name);
  expect(await names('with_issues_enabled=True&simple=True')).toEqual(['py']);
  expect(await names('archived=True')).toEqual([]);
});

test('a release is made, saved and deleted by its tag, whose dots and slashes are encoded', async () => {
  const text = { branch: 'main', content: 'x', commit_message: 'Add' };
  await forgelog.post(`${project}/repository/files/release%2Etxt`, text);
  const given = { name: 'One', tag_name: 'rel/1.0', description: 'The first', ref: 'main' };
  const { body: made } = await forgelog.post(`${project}/releases`, given);
  const one = `${project}/releases/rel%2F1%2E0`;
  expect((await forgelog.get(one)).body).toEqual(made);
  const link = { name: 'Binary', url: 'https://example.com/b', link_type: 'package' };
  const { body: added } = await forgelog.post(`${one}/assets/links`, link);
  // It saves a whole object: what it knows of it, and what was set.
  const saved = await forgelog.put(`${one}/assets/links/${added.id}`, { ...added, name: 'Program' });
  expect(saved.body).toEqual({ ...added, name: 'Program' });
  expect((await forgelog.put(one, { ...made, name: 'First' })).body.name).toBe('First');
  expect((await forgelog.delete(`${one}/assets/links/${added.id}`)).status).toBe(200);
  expect((await forgelog.delete(one)).body.tag_name).toBe('rel/1.0');
  expect((await forgelog.get(one)).status).toBe(404);
});

test('a merge request is opened, saved, approved, rebased and merged', async () => {
  const text = { branch: 'main', content: 'x\n', commit_message: 'Add' };
  await forgelog.post(`${project}/repository/files/requests%2Etxt`, text);
  const { token } = await createUser(forgelog);
  const { id: userId } = (await forgelog.get('/user', { token })).body;
  await forgelog.post(`${project}/members`, { user_id: userId, access_level: 30 });
  const change = { branch: 'topic', start_branch: 'main', commit_message: 'Change' };
  const actions = [{ action: 'update', file_path: 'requests.txt', content: 'y\n' }];
  await forgelog.post(`${project}/repository/commits`, { ...change, actions });
  const requests = `${project}/merge_requests`;
  const opened = await forgelog.post(requests, {
    ...{ source_branch: 'topic', target_branch: 'main', title: 'Change', labels: ['a', 'b'] },
    ...{ assignee_ids: [userId], remove_source_branch: true },
  });
  expect([opened.status, opened.body.merge_status]).toEqual([201, 'can_be_merged']);
  const one = `${requests}/${opened.body.iid}`;
  // `save()` sends what was changed, a list of labels joined by commas.
  const saved = await forgelog.put(one, { description: 'New', labels: 'a,c', discussion_locked: false });
  expect(saved.body).toMatchObject({ description: 'New', labels: ['a', 'c'] });
  const listed = await forgelog.get(
    `${requests}?state=opened&order_by=updated_at&iids%5B%5D=${saved.body.iid}`,
  );
  expect(listed.body).toMatchObject([{ iid: saved.body.iid, reference: `!${saved.body.iid}` }]);
  const approved = await forgelog.post(`${one}/approve`, { sha: opened.body.sha }, { token });
  expect(approved.body).toMatchObject({ approved: true, approved_by: [{ user: { id: userId } }] });
  expect((await forgelog.post(`${one}/unapprove`, undefined, { token })).status).toBe(201);
  const more = { ...text, content: 'z\n', branch: 'main', commit_message: 'More' };
  await forgelog.post(`${project}/repository/files/more%2Etxt`, more);
  expect((await forgelog.put(`${one}/rebase`, { skip_ci: true })).body).toEqual({ rebase_in_progress: true });
  const rebased = await forgelog.get(
    `${one}?include_rebase_in_progress=True&include_diverged_commits_count=True`,
  );
  expect(rebased.body).toMatchObject({
    rebase_in_progress: false,
    diverged_commits_count: 0,
    merge_error: null,
  });
  const options = { merge_when_pipeline_succeeds: false, should_remove_source_branch: true };
  const merged = await forgelog.put(`${one}/merge`, { ...options, merge_commit_message: 'By hand' });
  expect(merged.body).toMatchObject({ state: 'merged', sha: rebased.body.sha });
  expect((await forgelog.get(`${project}/repository/commits/main`)).body.message).toBe('By hand\n');
  expect((await forgelog.put(`${one}/merge`)).status).toBe(405);
  expect((await forgelog.delete(one)).status).toBe(204);
});
