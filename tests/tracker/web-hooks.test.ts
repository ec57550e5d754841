import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { type HookReceiver, startReceiver } from '../support/hook-receiver.ts';
import { must } from '../support/must.ts';
import { registerRunner } from '../support/protocol-runner.ts';
import { REACHING_LOCAL } from '../support/receiver.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
  await must(forgelog.put('/application/settings', REACHING_LOCAL));
});
afterAll(() => forgelog.stop());

let projects = 0;
const ALL = {
  ...{ push_events: true, tag_push_events: true, issues_events: true, confidential_issues_events: true },
  ...{ note_events: true, confidential_note_events: true, merge_requests_events: true },
};
const TOKEN = 'a-word-that-both-know';

async function hooked(flags: object = ALL, server: Forgelog = forgelog) {
  const receiver = await startReceiver();
  const { id } = await must(
    server.post('/projects', { name: `hooked-${++projects}`, initialize_with_readme: true }),
  );
  const hook = await must(
    server.post(`/projects/${id}/hooks`, { url: `${receiver.url}/hook`, token: TOKEN, ...flags }),
  );
  const one = `/projects/${id}/hooks/${hook.id}`;
  const kinds = () => receiver.received.map(({ body }) => body.object_kind);
  return { receiver, id, hook, one, kinds };
}

const arrived = (receiver: HookReceiver, count: number) =>
  expect.poll(() => receiver.received.length).toBe(count);

test('a hook has no token that anybody reads', async () => {
  const { id, hook, one } = await hooked();
  expect(hook).toMatchObject({
    ...ALL,
    project_id: id,
    enable_ssl_verification: true,
    alert_status: 'executable',
  });
  expect(
    JSON.stringify([hook, await must(forgelog.get(one)), await must(forgelog.get(`/projects/${id}/hooks`))]),
  ).not.toContain(TOKEN);
  const log = JSON.stringify(await forgelog.system.store.readStream(`webHook-${hook.id}`));
  expect(log).not.toContain(TOKEN);
  expect(log).not.toContain('/hook');
  const changed = await must(
    forgelog.put(one, { issues_events: false, push_events_branch_filter: 'release/*' }),
  );
  expect(changed).toMatchObject({
    issues_events: false,
    push_events_branch_filter: 'release/*',
    push_events: true,
  });
  expect((await forgelog.delete(one)).status).toBe(204);
  expect((await forgelog.get(one)).status).toBe(404);
});

test('an address that is none, or is private, is refused', async () => {
  const { id } = await must(forgelog.post('/projects', { name: `refusing-${++projects}` }));
  for (const url of [
    'ftp://a.example/',
    'a.example',
    'http://user:word@a.example/',
    'http://169.254.169.254/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://0.0.0.0/',
    'https://a\\b.example',
  ])
    expect(await forgelog.post(`/projects/${id}/hooks`, { url })).toMatchObject({
      status: 422,
      body: { error: 'Invalid url given' },
    });
  expect(
    await forgelog.post(`/projects/${id}/hooks`, {
      url: 'https://a.example',
      push_events_branch_filter: 'a b',
    }),
  ).toMatchObject({ status: 422, body: { error: 'Invalid branch filter given' } });
});

test('pushes, tags, issues, comments and merge requests are told of, in order and signed', async () => {
  const { receiver, id, kinds } = await hooked();
  const at = `/projects/${id}`;
  const actions = [
    { action: 'create', file_path: 'engine.txt', content: 'steam' },
    { action: 'update', file_path: 'README.md', content: 'new' },
  ];
  const commit = await must(
    forgelog.post(`${at}/repository/commits`, {
      branch: 'topic',
      start_branch: 'main',
      commit_message: 'Add an engine',
      actions,
    }),
  );
  await arrived(receiver, 1);
  const [push] = receiver.received;
  expect(push!.headers).toMatchObject({
    'content-type': 'application/json',
    'x-gitlab-event': 'Push Hook',
    'x-gitlab-token': TOKEN,
    'user-agent': expect.stringMatching(/^Forgelog\//),
  });
  const { 'webhook-id': name, 'webhook-timestamp': time, 'webhook-signature': signature } = push!.headers;
  expect(signature).toBe(
    `v1,${createHmac('sha256', TOKEN).update(`${name}.${time}.${push!.text}`).digest('base64')}`,
  );
  expect(push!.body).toMatchObject({
    ...{
      object_kind: 'push',
      event_name: 'push',
      ref: 'refs/heads/topic',
      after: commit.id,
      checkout_sha: commit.id,
    },
    ...{ before: '0'.repeat(40), user_username: 'root', project_id: id, message: null },
    project: {
      id,
      path_with_namespace: `root/hooked-${projects}`,
      visibility_level: 0,
      default_branch: 'main',
    },
    repository: { visibility_level: 0 },
  });
  expect(push!.body.commits.at(-1)).toMatchObject({
    ...{ id: commit.id, title: 'Add an engine', added: ['engine.txt'], modified: ['README.md'], removed: [] },
  });

  await must(forgelog.post(`${at}/repository/tags`, { tag_name: 'v1', ref: 'main', message: 'First' }));
  await arrived(receiver, 2);
  expect(receiver.received[1]!.body).toMatchObject({
    object_kind: 'tag_push',
    ref: 'refs/tags/v1',
    message: expect.stringContaining('First'),
  });

  const { iid } = await must(forgelog.post(`${at}/issues`, { title: 'Leak', labels: 'steam', weight: 3 }));
  await must(forgelog.put(`${at}/issues/${iid}`, { title: 'A leak' }));
  await must(forgelog.put(`${at}/issues/${iid}`, { state_event: 'close' }));
  await arrived(receiver, 5);
  const [opened, renamed, closed] = receiver.received.slice(2).map(({ body }) => body);
  expect(opened).toMatchObject({
    ...{ object_kind: 'issue', event_type: 'issue', user: { username: 'root', email: '[REDACTED]' } },
    object_attributes: {
      iid,
      action: 'open',
      state_id: 1,
      weight: 3,
      url: expect.stringMatching(/-\/issues\/1$/),
    },
    labels: [{ title: 'steam', type: 'ProjectLabel' }],
  });
  expect(renamed).toMatchObject({
    object_attributes: { action: 'update' },
    changes: { title: { previous: 'Leak', current: 'A leak' } },
  });
  expect(closed).toMatchObject({
    object_attributes: { action: 'close', state: 'closed' },
    changes: { state_id: { previous: 1, current: 2 } },
  });

  await must(forgelog.post(`${at}/issues/${iid}/notes`, { body: 'Fixed' }));
  const secret = await must(forgelog.post(`${at}/issues`, { title: 'Hole', confidential: true }));
  await must(forgelog.post(`${at}/issues/${secret.iid}/notes`, { body: 'Quiet' }));
  await arrived(receiver, 8);
  const told = receiver.received.slice(5);
  expect(told.map(({ headers }) => headers['x-gitlab-event']).toSorted()).toEqual([
    ...['Confidential Issue Hook', 'Confidential Note Hook', 'Note Hook'],
  ]);
  expect(told.find(({ headers }) => headers['x-gitlab-event'] === 'Note Hook')!.body).toMatchObject({
    object_attributes: { note: 'Fixed', noteable_type: 'Issue', created_at: expect.stringMatching(/ UTC$/) },
    issue: { iid },
  });

  const request = await must(
    forgelog.post(`${at}/merge_requests`, { source_branch: 'topic', target_branch: 'main', title: 'Engine' }),
  );
  await arrived(receiver, 9);
  const actionsAgain = [{ action: 'create', file_path: 'more.txt', content: 'coal' }];
  const more = { branch: 'topic', commit_message: 'Add coal', actions: actionsAgain };
  const second = await must(forgelog.post(`${at}/repository/commits`, more));
  await arrived(receiver, 11);
  await must(forgelog.put(`${at}/merge_requests/${request.iid}/merge`));
  await expect.poll(() => kinds().length).toBeGreaterThanOrEqual(13);
  const requests = receiver.received
    .filter(({ body }) => body.object_kind === 'merge_request')
    .map(({ body }) => body);
  expect(requests.map(({ object_attributes: { action } }) => action)).toEqual(['open', 'update', 'merge']);
  expect(requests[1]).toMatchObject({
    object_attributes: { oldrev: commit.id, last_commit: { id: second.id } },
  });
  expect(requests[2]).toMatchObject({
    object_attributes: { state: 'merged', state_id: 3, source: { id }, target: { id } },
  });
});

const SPOKEN = expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC$/);

test('pipelines, jobs and deployments are told of with the status that each event gave them', async () => {
  const flags = { pipeline_events: true, job_events: true, deployment_events: true };
  const { receiver, id, one } = await hooked({ ...flags, push_events: false });
  const at = `/projects/${id}`;
  const content = 'deploy: {script: make, environment: production}';
  const actions = [{ action: 'create', file_path: '.gitlab-ci.yml', content }];
  const { id: sha } = await must(
    forgelog.post(`${at}/repository/commits`, { branch: 'main', commit_message: 'Build', actions }),
  );
  const { runners_token: registration } = await must(forgelog.get(at));
  const runner = await registerRunner(forgelog, registration);
  await expect.poll(async () => (await must(forgelog.get(`${at}/jobs`))).length).toBe(1);
  const job = (await runner.request())!;
  await runner.update(job, { state: 'success', exit_code: 0 });
  const of = (kind: string) =>
    receiver.received.filter(({ body }) => body.object_kind === kind).map(({ body }) => body);
  const states = () => [
    of('pipeline').map(({ object_attributes: { status } }) => status),
    of('build').map(({ build_status }) => build_status),
    of('deployment').map(({ status }) => status),
  ];
  await expect.poll(states).toEqual([
    ['pending', 'running', 'success'],
    ['pending', 'running', 'success'],
    ['running', 'success'],
  ]);
  const [pipeline] = of('pipeline').slice(-1);
  expect(pipeline).toMatchObject({
    object_attributes: {
      ...{ ref: 'main', tag: false, sha, source: 'push', detailed_status: 'passed', stages: ['test'] },
      ...{ variables: [], created_at: SPOKEN, finished_at: SPOKEN, duration: expect.any(Number) },
    },
    ...{ merge_request: null, user: { username: 'root' }, project: { id }, commit: { id: sha } },
    builds: [
      {
        ...{ id: job.id, stage: 'test', name: 'deploy', status: 'success', manual: false },
        runner: { runner_type: 'project_type' },
        artifacts_file: { filename: null, size: null },
        environment: { name: 'production', action: 'start' },
      },
    ],
  });
  expect(of('build').at(-1)).toMatchObject({
    ...{ build_id: job.id, build_name: 'deploy', pipeline_id: pipeline.object_attributes.id, sha },
    ...{ project_id: id, build_created_at: SPOKEN, build_finished_at: SPOKEN, build_allow_failure: false },
    commit: { id: pipeline.object_attributes.id, sha, message: 'Build' },
    repository: { visibility_level: 0 },
  });
  expect(of('deployment').at(-1)).toMatchObject({
    ...{
      deployable_id: job.id,
      environment: 'production',
      short_sha: sha.slice(0, 8),
      commit_title: 'Build',
    },
    ...{ user: { username: 'root' }, user_url: expect.stringMatching(/\/root$/), project: { id } },
  });
  expect(new Set(receiver.received.map(({ headers }) => headers['x-gitlab-event']))).toEqual(
    new Set(['Pipeline Hook', 'Job Hook', 'Deployment Hook']),
  );
  for (const trigger of Object.keys(flags))
    expect(await forgelog.post(`${one}/test/${trigger}`)).toMatchObject({ status: 201 });
});

test('releases, pages of the wiki and feature flags are told of', async () => {
  const flags = { releases_events: true, wiki_page_events: true, feature_flag_events: true };
  const { receiver, id, one } = await hooked({ ...flags, push_events: false });
  const at = `/projects/${id}`;
  const link = { name: 'Manual', url: 'https://manual.example.org/' };
  const release = {
    tag_name: 'v1',
    ref: 'main',
    name: 'First',
    description: 'New',
    assets: { links: [link] },
  };
  await must(forgelog.post(`${at}/releases`, release));
  await must(forgelog.put(`${at}/releases/v1`, { name: 'The first' }));
  await must(forgelog.post(`${at}/wikis`, { title: 'Steam engine', content: 'hot' }));
  await must(forgelog.put(`${at}/wikis/Steam-engine`, { title: 'Engines', content: 'cold' }));
  await must(forgelog.put(`${at}/wikis/Engines`, { title: 'Engine', content: 'cold' }));
  expect((await forgelog.delete(`${at}/wikis/Engine`)).status).toBe(204);
  await must(forgelog.post(`${at}/feature_flags`, { name: 'steam', version: 'new_version_flag' }));
  await must(forgelog.put(`${at}/feature_flags/steam`, { description: 'Hot' }));
  await must(forgelog.put(`${at}/feature_flags/steam`, { active: false }));
  const of = (kind: string) =>
    receiver.received.filter(({ body }) => body.object_kind === kind).map(({ body }) => body);
  await expect
    .poll(() => ['release', 'wiki_page', 'feature_flag'].map((kind) => of(kind).length))
    .toEqual([2, 4, 1]);
  const [created, updated] = of('release');
  expect(created).toMatchObject({
    ...{ action: 'create', tag: 'v1', description: 'New', created_at: SPOKEN, released_at: SPOKEN },
    ...{
      url: expect.stringMatching(/-\/releases\/v1$/),
      project: { id },
      commit: { title: expect.any(String) },
    },
    assets: { count: 5, links: [{ ...link, external: true, link_type: 'other' }] },
  });
  expect(updated).toMatchObject({ action: 'update', name: 'The first' });
  const pages = of('wiki_page').map(({ object_attributes }) => object_attributes);
  expect(pages.map(({ action, content }) => [action, content])).toEqual([
    ['create', 'hot'],
    ['update', 'cold'],
    ['update', 'cold'],
    ['delete', ''],
  ]);
  expect(pages.at(-1)).toMatchObject({ title: 'Engine', format: 'markdown', slug: 'Engine' });
  expect(of('wiki_page')[0]).toMatchObject({
    wiki: { path_with_namespace: `root/hooked-${projects}.wiki` },
    user: { username: 'root' },
  });
  expect(of('feature_flag')).toMatchObject([
    {
      ...{ project: { id }, user: { username: 'root' }, user_url: expect.stringMatching(/\/root$/) },
      object_attributes: { name: 'steam', description: 'Hot', active: false },
    },
  ]);
  for (const trigger of ['releases_events', 'feature_flag_events'])
    expect(await forgelog.post(`${one}/test/${trigger}`)).toMatchObject({ status: 201 });
  expect((await forgelog.post(`${one}/test/wiki_page_events`)).status).toBe(422);
});

test('what a hook is not told of, and branches that its filter leaves out, are not sent', async () => {
  const { receiver, id } = await hooked({ push_events: true, push_events_branch_filter: 'release/*' });
  await must(forgelog.post(`/projects/${id}/issues`, { title: 'Quiet' }));
  for (const branch of ['topic', 'release/1'])
    await must(forgelog.post(`/projects/${id}/repository/branches`, { branch, ref: 'main' }));
  await arrived(receiver, 1);
  await forgelog.system.projectors.policiesIdle();
  expect(receiver.received.map(({ body }) => body.ref)).toEqual(['refs/heads/release/1']);
});

test('a failed delivery is tried again, before what follows about the same subject', async () => {
  const { receiver, id, one } = await hooked({ issues_events: true, push_events: false });
  let left = 2;
  receiver.answer = (response) => response.writeHead(left-- > 0 ? 503 : 200).end();
  const { iid } = await must(forgelog.post(`/projects/${id}/issues`, { title: 'First' }));
  await must(forgelog.put(`/projects/${id}/issues/${iid}`, { title: 'Second' }));
  await arrived(receiver, 4);
  const told = receiver.received.map(({ body }) => body.object_attributes.action);
  expect(told).toEqual(['open', 'open', 'open', 'update']);
  const names = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(names.slice(0, 3)).size).toBe(1);
  await expect.poll(async () => (await must(forgelog.get(`${one}/events`))).length).toBe(2);
  const [update, open] = await must(forgelog.get(`${one}/events`));
  expect(open).toMatchObject({
    attempts: 3,
    delivered: true,
    response_status: '200',
    trigger: 'issues_hooks',
  });
  expect(update).toMatchObject({ attempts: 1, request_data: { object_kind: 'issue' } });
}, 20_000);

test('a hook is tried, sent to again and replayed', async () => {
  const { receiver, id, one } = await hooked({ issues_events: true, push_events: false });
  expect((await forgelog.post(`${one}/test/note_events`)).status).toBe(422);
  for (const title of ['First', 'Second']) await must(forgelog.post(`/projects/${id}/issues`, { title }));
  await arrived(receiver, 2);
  expect(await forgelog.post(`${one}/test/issues_events`)).toMatchObject({ status: 201 });
  expect(await forgelog.post(`${one}/test/push_events`)).toMatchObject({ status: 201 });
  await arrived(receiver, 4);
  await expect.poll(async () => (await must(forgelog.get(`${one}/events`))).length).toBe(4);
  const deliveries = await must(forgelog.get(`${one}/events`));
  const first = deliveries.at(-1);
  expect(await forgelog.post(`${one}/events/${first.id}/resend`)).toMatchObject({
    status: 201,
    body: { response_status: '200' },
  });
  await arrived(receiver, 5);
  expect(receiver.received[4]!.headers['webhook-id']).toBe(receiver.received[0]!.headers['webhook-id']);
  expect(await forgelog.post(`${one}/replay`, { after_event_id: first.id })).toMatchObject({ status: 202 });
  await arrived(receiver, 6);
  expect(await forgelog.post(`${one}/replay`)).toMatchObject({ status: 202 });
  await arrived(receiver, 8);
  expect(receiver.received.slice(5).map(({ body }) => body.object_attributes.title)).toEqual([
    'Second',
    'First',
    'Second',
  ]);
  expect((await forgelog.post(`${one}/replay`, { after: 'nowhere' })).status).toBe(400);
});

test('a redirect is not followed, and an answer without end is not read', async () => {
  const { receiver, id, one } = await hooked({ issues_events: true, push_events: false });
  receiver.answer = (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
  await must(forgelog.post(`/projects/${id}/issues`, { title: 'Redirected' }));
  await arrived(receiver, 1);
  let ended = false;
  receiver.answer = (response) => {
    response.on('close', () => {
      ended = true;
    });
    const more = (): void => {
      while (!ended && response.write(Buffer.alloc(65_536))) {
        // As fast as it is taken.
      }
      if (!ended) response.once('drain', more);
    };
    more();
  };
  await must(forgelog.post(`/projects/${id}/issues`, { title: 'Endless' }));
  await expect.poll(() => ended).toBe(true);
  await expect.poll(async () => (await must(forgelog.get(`${one}/events`))).length).toBe(2);
  expect(
    (await must(forgelog.get(`${one}/events`))).map(
      (told: { response_status: string }) => told.response_status,
    ),
  ).toEqual(['200', '302']);
});

test('without the setting no private address is reached, under whatever name', async () => {
  const server = await startForgelog();
  onTestFinished(() => server.stop());
  await must(server.put('/application/settings', REACHING_LOCAL));
  const { receiver, id, one } = await hooked({ issues_events: true, push_events: false }, server);
  const named = receiver.url.replace('127.0.0.1', 'localhost');
  await must(server.put(one, { url: named }));
  await must(
    server.put('/application/settings', { allow_local_requests_from_web_hooks_and_services: false }),
  );
  await must(server.post(`/projects/${id}/issues`, { title: 'Unheard' }));
  await expect.poll(async () => (await must(server.get(`${one}/events`))).length).toBe(1);
  expect(await must(server.get(`${one}/events`))).toMatchObject([
    { delivered: false, response_status: expect.stringContaining('private') },
  ]);
  expect(receiver.received).toEqual([]);
  await must(
    server.put('/application/settings', { outbound_local_requests_whitelist: ['127.0.0.0/8', '::1'] }),
  );
  await must(server.post(`/projects/${id}/issues`, { title: 'Heard' }));
  await arrived(receiver, 1);
});

test('a receiver that fails again and again is switched off, and a change switches it on', async () => {
  const { receiver, id, one } = await hooked({ issues_events: true, push_events: false });
  receiver.answer = (response) => response.writeHead(410).end();
  for (let at = 0; at < 11; at += 1)
    await must(forgelog.post(`/projects/${id}/issues`, { title: `Issue ${at}` }));
  await expect.poll(async () => (await must(forgelog.get(one))).alert_status).toBe('disabled');
  const before = receiver.received.length;
  await must(forgelog.post(`/projects/${id}/issues`, { title: 'Unheard' }));
  await forgelog.system.projectors.policiesIdle();
  expect(receiver.received.length).toBeLessThanOrEqual(Math.max(before, 11));
  receiver.answer = (response) => response.end();
  expect(await must(forgelog.put(one, {}))).toMatchObject({ alert_status: 'executable' });
  receiver.received.length = 0;
  await must(forgelog.post(`/projects/${id}/issues`, { title: 'Heard' }));
  await arrived(receiver, 1);
});

test('what was not delivered before a stop is delivered after the next start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'forgelog-hooks-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const first = await startForgelog({ dataDir });
  await must(first.put('/application/settings', REACHING_LOCAL));
  const { receiver, id, kinds } = await hooked({ issues_events: true, push_events: false }, first);
  await must(first.post(`/projects/${id}/issues`, { title: 'Taken' }));
  await arrived(receiver, 1);
  await first.system.projectors.policiesIdle();
  receiver.answer = () => {};
  const { iid } = await must(first.post(`/projects/${id}/issues`, { title: 'Held' }));
  await must(first.put(`/projects/${id}/issues/${iid}`, { title: 'Held again' }));
  await arrived(receiver, 2);
  await first.stop();
  receiver.received.length = 0;
  receiver.answer = (response) => response.end();
  const second = await startForgelog({ dataDir });
  onTestFinished(() => second.stop());
  await arrived(receiver, 2);
  expect(kinds()).toEqual(['issue', 'issue']);
  expect(receiver.received.map(({ body }) => body.object_attributes.action)).toEqual(['open', 'update']);
}, 30_000);
