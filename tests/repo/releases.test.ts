import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { forgelogForTest } from '../support/forgelog.ts';
import { startJob } from '../support/sample-job.ts';
import { addressOf, emptyFolder, git } from '../support/stock-git.ts';

const README = { action: 'create', file_path: 'docs/read me.md', content: '# Engine\n' };

/** A project with a commit, and its path. */
async function started(options: Parameters<typeof forgelogForTest>[0] = {}, settings: object = {}) {
  const forgelog = await forgelogForTest(options);
  const { body } = await forgelog.post('/projects', { path: 'engine', ...settings });
  const project = `/projects/${body.id}`;
  const commit = { branch: 'main', commit_message: 'Begin\n\nChangelog: added', actions: [README] };
  const { body: first } = await forgelog.post(`${project}/repository/commits`, commit);
  const release = (json: object) => forgelog.post(`${project}/releases`, { ref: 'main', ...json });
  return { forgelog, id: body.id as number, path: body.path_with_namespace, project, tip: first.id, release };
}

/** Follows an address as a browser or wget does. */
const follow = (url: string, token?: string, method = 'GET') =>
  fetch(url, { method, redirect: 'manual', headers: token === undefined ? {} : { 'PRIVATE-TOKEN': token } });

test('every address that a release names leads somewhere', async () => {
  const { forgelog, path, release } = await started({}, { visibility: 'public' });
  const link = { name: 'Binary', url: 'https://example.com/b', filepath: '/bin/b' };
  const { status, body } = await release({ tag_name: 'rel/1.0', assets: { links: [link] } });
  expect(status).toBe(201);
  const magic = { zip: '504b0304', 'tar.gz': '1f8b', 'tar.bz2': '425a68', tar: '706178' };
  for (const { format, url } of body.assets.sources) {
    const archive = await follow(url);
    expect([format, archive.status]).toEqual([format, 200]);
    const bytes = Buffer.from(await archive.arrayBuffer());
    expect(bytes.subarray(0, 6).toString('hex')).toMatch(
      new RegExp(`^${magic[format as keyof typeof magic]}`),
    );
  }
  const download = await follow(body.assets.links[0].direct_asset_url);
  expect([download.status, download.headers.get('location')]).toEqual([302, link.url]);
  const [{ sha, filepath }] = body.evidences;
  const evidence = await (await follow(filepath)).text();
  expect(createHash('sha256').update(evidence).digest('hex')).toBe(sha);
  expect(await (await follow(body._links.self)).json()).toMatchObject({ tag_name: 'rel/1.0' });
  const feed = await follow(`${forgelog.url}/${path}/-/releases.json`);
  expect(await feed.json()).toMatchObject({ items: [{ url: body._links.self }] });
  const raw = await follow(`${forgelog.url}/${path}/-/raw/rel/1.0/docs/read%20me.md`);
  expect(await raw.text()).toBe('# Engine\n');
});

test('addresses of a private project are as closed as its API, and nothing is changed there', async () => {
  const { forgelog, path, release } = await started();
  const { body } = await release({ tag_name: 'v1' });
  const page = `${forgelog.url}/${path}/-`;
  const outsider = await createUser(forgelog);
  const urls = [
    ...[body.assets.sources[0].url, body.evidences[0].filepath, body._links.self],
    ...[`${page}/raw/main/docs/read%20me.md`, `${page}/releases.json`],
  ];
  for (const url of urls) {
    expect((await follow(url, forgelog.rootToken)).status, url).toBe(200);
    for (const token of [undefined, outsider.token]) {
      const hidden = await follow(url, token);
      const missing = await follow(url.replace('/engine/', '/nothing/'), token);
      expect([hidden.status, await hidden.text()], url).toEqual([404, await missing.text()]);
    }
  }
  for (const method of ['DELETE', 'PUT', 'POST'])
    expect((await follow(body._links.self, forgelog.rootToken, method)).status).toBe(404);
  expect((await follow(body._links.self, forgelog.rootToken)).status).toBe(200);
});

test('a release goes with its tag, whoever deletes it and how', async () => {
  const { forgelog, path, project, release } = await started();
  for (const tag_name of ['api', 'push', 'stays']) await release({ tag_name });
  await forgelog.delete(`${project}/repository/tags/api`);
  const folder = await emptyFolder();
  await git(folder, 'init', '-q');
  const root = { name: 'root', secret: forgelog.rootToken };
  await git(folder, 'push', '-q', addressOf(forgelog, path, root), ':refs/tags/push');
  for (const tag of ['api', 'push'])
    expect((await forgelog.get(`${project}/releases/${tag}`)).status, tag).toBe(404);
  // The name is free at once.
  expect((await release({ tag_name: 'push' })).status).toBe(201);
  expect(await forgelog.system.projectors.policiesIdle()).toBe(true);
  const left = (await forgelog.get(`${project}/releases?order_by=created_at&sort=asc`)).body;
  expect(left.map(({ tag_name }: { tag_name: string }) => tag_name)).toEqual(['stays', 'push']);
});

test('a job releases by its token, as the release tool of its agent asks', async () => {
  const { forgelog, id, project, tip } = await started();
  const job = await startJob(forgelog, id);
  const asJob = { token: null, headers: { 'JOB-TOKEN': job.token } };
  const asked = {
    ...{ id: String(id), name: 'Release 1.0', description: 'Made by a job', tag_name: 'v1.0', ref: tip },
    assets: { links: [{ name: 'Binary', url: 'https://example.com/b', link_type: 'package' }] },
    ...{ milestones: [], released_at: '2021-09-20T10:00:00Z' },
  };
  const created = await forgelog.post(`${project}/releases`, asked, asJob);
  expect(created).toMatchObject({
    status: 201,
    body: { name: 'Release 1.0', commit: { id: tip }, released_at: '2021-09-20T10:00:00.000Z' },
  });
  expect((await forgelog.get(`${project}/releases/v1.0`, asJob)).body.tag_name).toBe('v1.0');
  expect((await forgelog.post(`${project}/releases`, asked, asJob)).status).toBe(409);
  await job.end();
  expect((await forgelog.get(`${project}/releases/v1.0`, asJob)).status).toBe(401);
});

test('milestones of a release are shown as they are now, with the issues that the reader sees', async () => {
  const { forgelog, project, release } = await started();
  const milestone = (title: string) => forgelog.post(`${project}/milestones`, { title });
  const [{ body: first }, { body: second }] = [await milestone('First'), await milestone('Second')];
  const issue = (more: object) =>
    forgelog.post(`${project}/issues`, { title: 'x', milestone_id: first.id, ...more });
  const { body: closed } = await issue({});
  await issue({ confidential: true });
  await forgelog.put(`${project}/issues/${closed.iid}`, { state_event: 'close' });
  const made = await release({ tag_name: 'v1', milestones: ['First', 'Second'] });
  expect(made.body.milestones).toMatchObject([
    { id: first.id, title: 'First', issue_stats: { total: 2, closed: 1 } },
    { id: second.id, issue_stats: { total: 0, closed: 0 } },
  ]);
  await forgelog.put(`${project}/milestones/${first.id}`, { title: 'Renamed' });
  await forgelog.delete(`${project}/milestones/${second.id}`);
  await forgelog.put(project, { visibility: 'public' });
  const { body } = await forgelog.get(`${project}/releases/v1`, { token: null });
  expect(body.milestones).toMatchObject([{ title: 'Renamed', issue_stats: { total: 1, closed: 1 } }]);
  const refused = await forgelog.put(`${project}/releases/v1`, { milestones: ['First'] });
  expect([refused.status, refused.body.message]).toEqual([400, 'Milestone(s) not found: First']);
  const kept = await forgelog.put(`${project}/releases/v1`, { milestones: ['Renamed'] });
  expect(kept.body.milestones).toMatchObject([{ id: first.id }]);
});

test('notes that the changelog renders become the description of a release', async () => {
  const { forgelog, project, tip, release } = await started();
  await release({ tag_name: 'v1.0.0' });
  const more = { action: 'create', file_path: 'b', content: 'b' };
  const message = 'Compute faster\n\nChangelog: performance';
  const commit = { branch: 'main', commit_message: message, actions: [more] };
  await forgelog.post(`${project}/repository/commits`, commit);
  const { body: changelog } = await forgelog.get(`${project}/repository/changelog?version=1.1.0`);
  expect(changelog.notes).not.toContain('Begin');
  const { body } = await release({ tag_name: 'v1.1.0', description: changelog.notes });
  expect(body.description).toContain('### performance (1 change)\n\n- [Compute faster]');
  expect(body.commit.parent_ids).toEqual([tip]);
});

test.runIf(!process.env.TEST_STORES && !process.env.TEST_PROCESSES)(
  'an upcoming release gets evidence once, though the server was off when its day came',
  async () => {
    const dataDir = await emptyFolder();
    let now = Date.parse('2030-01-01T12:00:00Z');
    const options = { dataDir, clock: () => new Date(now) };
    const { forgelog: first, project, release } = await started(options);
    expect((await release({ tag_name: 'v1', released_at: '2030-01-02' })).body.evidences).toEqual([]);
    for (const _ of ['its day', 'a day later']) {
      await first.stop();
      now += 2 * 86_400_000;
      const forgelog = await forgelogForTest(options);
      const evidences = async () => (await forgelog.get(`${project}/releases/v1`)).body.evidences;
      await expect.poll(evidences).toMatchObject([{ collected_at: '2030-01-03T12:00:00.000Z' }]);
      await forgelog.stop();
    }
  },
);

test('what the release step of semantic-release calls', async () => {
  const { forgelog, path } = await started();
  const project = `/projects/${encodeURIComponent(path)}`;
  const { body } = await forgelog.get(project);
  const { project_access, group_access } = body.permissions;
  expect(Math.max(project_access?.access_level ?? 0, group_access?.access_level ?? 0)).toBeGreaterThan(29);
  await forgelog.post(`${project}/repository/tags`, { tag_name: 'v1.0.0', ref: 'main' });
  const form = new FormData();
  form.append('file', new File(['the bytes'], 'engine.tgz'));
  const upload = await forgelog.post(`${project}/uploads`, form);
  expect(upload.status).toBe(201);
  const url = `${forgelog.url}${upload.body.full_path}`;
  const published = await forgelog.post(`${project}/releases`, {
    ...{ tag_name: 'v1.0.0', description: '# 1.0.0\n' },
    assets: { links: [{ name: upload.body.alt, url }] },
  });
  expect(published).toMatchObject({
    status: 201,
    body: { assets: { links: [{ name: 'engine.tgz', url }] } },
  });
  const asset = await follow(published.body.assets.links[0].direct_asset_url, forgelog.rootToken);
  expect(await asset.text()).toBe('the bytes');
});
