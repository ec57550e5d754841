import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { type HookReceiver, type ReceivedMessage, startReceiver } from '../support/hook-receiver.ts';
import { startJira } from '../support/jira.ts';
import { must } from '../support/must.ts';
import { REACHING_LOCAL } from '../support/receiver.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
  await must(forgelog.put('/application/settings', REACHING_LOCAL));
});
afterAll(() => forgelog.stop());

let projects = 0;
const newProject = async () =>
  (await must(forgelog.post('/projects', { name: `chatty-${++projects}`, initialize_with_readme: true }))).id;

/** What each chat demands of a message; it answers as the chat does. */
const CHATS: Record<
  string,
  { problem(body: Record<string, never>): string | undefined; status: number; answer: string }
> = {
  slack: {
    status: 200,
    answer: 'ok',
    problem: (body) =>
      only(body, 'text', 'attachments', 'username', 'channel') ?? needs(body.text ?? body.attachments),
  },
  'microsoft-teams': {
    status: 200,
    answer: '1',
    problem: (body) =>
      body['@type'] === ('MessageCard' as never) && body.summary ? undefined : 'Summary or Text is required.',
  },
  discord: {
    status: 204,
    answer: '',
    problem: ({ embeds, ...rest }: { embeds?: { description?: string; color?: number }[] }) =>
      only(rest, 'username', 'avatar_url', 'content', 'allowed_mentions') ??
      needs(
        embeds?.length === 1 &&
          (embeds[0]!.description?.length ?? 0) <= 4096 &&
          (embeds[0]!.color ?? 0) <= 0xffffff,
      ),
  },
};
CHATS.mattermost = CHATS.slack!;

function only(body: object, ...known: string[]): string | undefined {
  const unknown = Object.keys(body).filter((name) => !known.includes(name));
  return unknown.length > 0 ? `invalid_payload: ${unknown}` : undefined;
}
const needs = (given: unknown) => (given ? undefined : 'no_text');

async function chatOf(slug: string): Promise<HookReceiver & { problems: string[] }> {
  const problems: string[] = [];
  const { problem, status, answer } = CHATS[slug]!;
  const receiver = Object.assign(await startReceiver(), { problems });
  receiver.answer = (response, { body, headers }: ReceivedMessage) => {
    const wrong = headers['content-type'] === 'application/json' ? problem(body) : 'no JSON';
    if (wrong) problems.push(wrong);
    response.writeHead(wrong ? 400 : status).end(wrong ?? answer);
  };
  return receiver;
}

const arrived = (receiver: HookReceiver, count: number) =>
  expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(count);

test.each(Object.keys(CHATS))('%s is told in its own protocol of what happens, in order', async (slug) => {
  const id = await newProject();
  const chat = await chatOf(slug);
  const one = `/projects/${id}/integrations/${slug}`;
  const channels = ['slack', 'mattermost'].includes(slug)
    ? { username: 'Crank', channel: 'engines', issue_channel: '#issues' }
    : {};
  const webhook = `${chat.url}/services/T0/B0/a-secret-of-the-chat`;
  const set = await must(forgelog.put(one, { webhook, ...channels, wiki_page_events: false }));
  expect(set).toMatchObject({ slug, active: true, wiki_page_events: false, properties: channels });
  const { iid } = await must(
    forgelog.post(`/projects/${id}/issues`, { title: 'Crank <!channel>', description: 'It is *stuck*' }),
  );
  await must(forgelog.put(`/projects/${id}/issues/${iid}`, { title: 'Crank is stuck' }));
  await must(forgelog.post(`/projects/${id}/issues/${iid}/notes`, { body: 'Oil it' }));
  await must(forgelog.post(`/projects/${id}/wikis`, { title: 'Oil', content: 'x' }));
  const commit = { commit_message: 'Oil the crank', content: 'x' };
  await must(forgelog.post(`/projects/${id}/repository/files/oil`, { ...commit, branch: 'main' }));
  const other = { ...commit, branch: 'other', start_branch: 'main' };
  await must(forgelog.post(`/projects/${id}/repository/files/more`, other));
  await must(forgelog.put(`/projects/${id}/issues/${iid}`, { state_event: 'close' }));
  await arrived(chat, 4);
  expect(chat.problems).toEqual([]);
  const texts = chat.received.map(({ text }) => text);
  for (const [at, said] of ['opened issue', 'commented on', 'pushed to branch', 'closed issue'].entries())
    expect(texts[at]).toContain(said);
  expect(texts[2]).toContain('Oil the crank');
  if (slug === 'slack') {
    expect(texts[0]).not.toContain('<!channel>');
    expect(chat.received.map(({ body }) => body.channel)).toEqual([
      '#issues',
      'engines',
      'engines',
      '#issues',
    ]);
  }
  // Nothing gives the address back, and the log has it sealed.
  const answers = [
    await forgelog.get(one),
    await forgelog.get(`/projects/${id}/services`),
    { text: JSON.stringify(set) },
  ];
  const events = await forgelog.system.store.readStream(`integration-${id}-${slug}`);
  for (const text of [...answers.map((answer) => answer.text), JSON.stringify(events)])
    expect(text).not.toContain('a-secret-of-the-chat');
  await must(forgelog.delete(one));
  await must(forgelog.post(`/projects/${id}/issues`, { title: 'Unheard' }));
  await forgelog.system.projectors.policiesIdle();
  expect(chat.received).toHaveLength(4);
});

test('a chat that fails is tried again, and is switched off after ten messages that it refuses', async () => {
  const id = await newProject();
  const chat = await startReceiver();
  const one = `/projects/${id}/services/slack`;
  chat.answer = (response) => response.writeHead(500).end();
  await must(forgelog.put(one, { webhook: chat.url }));
  await must(forgelog.post(`/projects/${id}/issues`, { title: 'Once' }));
  await arrived(chat, 1);
  chat.answer = (response) => response.end('ok');
  await arrived(chat, 2);
  expect(chat.received[1]!.text).toBe(chat.received[0]!.text);
  chat.answer = (response) => response.writeHead(404).end('no_service');
  for (let at = 0; at < 10; at += 1)
    await must(forgelog.post(`/projects/${id}/issues`, { title: `Lost ${at}` }));
  await expect.poll(async () => (await forgelog.get(one)).body.active, { timeout: 30_000 }).toBe(false);
  expect(await must(forgelog.get(`/projects/${id}/services`))).toEqual([]);
  expect(chat.received).toHaveLength(12);
  chat.answer = (response) => response.end('ok');
  expect(await must(forgelog.put(one, {}))).toMatchObject({ active: true });
  await must(forgelog.post(`/projects/${id}/issues`, { title: 'Heard' }));
  await arrived(chat, 13);
}, 60_000);

test('a chat on a private address is not spoken to, and one that hangs holds up no other', async () => {
  const id = await newProject();
  const put = (slug: string, body: object) => forgelog.put(`/projects/${id}/services/${slug}`, body);
  const hanging = await startReceiver();
  hanging.answer = () => {};
  const good = await chatOf('discord');
  await must(put('slack', { webhook: hanging.url }));
  await must(put('discord', { webhook: good.url }));
  for (const title of ['One', 'Two']) await must(forgelog.post(`/projects/${id}/issues`, { title }));
  await arrived(good, 2);
  expect(hanging.received).toHaveLength(1);
  await must(
    forgelog.put('/application/settings', { allow_local_requests_from_web_hooks_and_services: false }),
  );
  for (const webhook of [
    good.url,
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'http://u:p@example.org/',
  ])
    expect((await put('mattermost', { webhook })).status, webhook).toBe(400);
  await must(forgelog.put('/application/settings', REACHING_LOCAL));
  for (const wrong of [{}, { webhook: '' }, { webhook: 'x' }, { webhook: good.url, channel: 'a,b' }])
    expect((await put('mattermost', wrong)).status).toBe(400);
  expect((await put('bingo', { url: good.url })).status).toBe(404);
});

test('Jira is told once of what names its issues, and they end with what closes them', async () => {
  const id = await newProject();
  const jira = await startJira(['ENG-1', 'ENG-2'], 'ada:a-secret-word');
  const at = `/projects/${id}`;
  const one = `${at}/integrations/jira`;
  const told = { url: 'https://jira.example.org', api_url: jira.url, username: 'ada' };
  const account = { ...told, jira_issue_transition_id: '11,31', password: 'a-secret-word' };
  const { password: _, ...properties } = account;
  expect((await must(forgelog.put(one, account))).properties).toEqual(properties);
  // The link fails after the comment, which is not to come again.
  jira.failing = [0, 0, 503];
  const [first, second] = [jira.issues['ENG-1']!, jira.issues['ENG-2']!];
  const commit = (branch: string, path: string, message: string, more: object = {}) =>
    must(
      forgelog.post(`${at}/repository/files/${path}`, {
        ...{ branch, content: path, commit_message: message, ...more },
      }),
    );
  await commit('topic', 'oil', 'Oil {ENG-1} [x]\n\nCloses ENG-1, not ENG-9 or UTF-8', {
    start_branch: 'main',
  });
  await expect.poll(() => first.links.size, { timeout: 20_000 }).toBe(1);
  expect(first.comments).toEqual([
    expect.stringMatching(
      /^\[.*\] mentioned this issue in \[commit [0-9a-f]{8} of .*\|http.*\/-\/commit\/[0-9a-f]{40}\]:/,
    ),
  ]);
  expect(first.comments[0]).toContain('Oil \\{ENG-1\\} \\[x\\]');
  expect(first.status).toBe('Open');
  const { iid } = await must(
    forgelog.post(`${at}/merge_requests`, {
      ...{ source_branch: 'topic', target_branch: 'main', title: 'Oil', description: 'Resolves ENG-2' },
    }),
  );
  await expect.poll(() => second.comments.length).toBe(1);
  await must(forgelog.put(`${at}/merge_requests/${iid}/merge`));
  await expect.poll(() => [first.status, second.status]).toEqual(['Done', 'Done']);
  await must(forgelog.put(one, { comment_on_event_enabled: false }));
  await commit('main', 'more', 'More oil for ENG-1');
  await expect.poll(() => first.links.size).toBe(2);
  await must(forgelog.put(one, { commit_events: false }));
  await commit('main', 'unheard', 'Nothing for ENG-1');
  await forgelog.system.projectors.policiesIdle();
  expect([first.comments.length, second.comments.length, first.links.size]).toEqual([2, 2, 2]);
  expect(first.comments[1]).toContain('resolved this issue by');
  expect([...first.links.values()].map(({ object }) => object.status.resolved)).toEqual([true, false]);

  expect(await forgelog.put(one, { api_url: 'https://thief.example.org' })).toMatchObject({
    ...{ status: 400, body: { error: 'password is missing, because the address changes' } },
  });
  expect((await forgelog.put(one, { ...account, url: 'http://169.254.169.254/' })).status).toBe(400);
  const events = await forgelog.system.store.readStream(`integration-${id}-jira`);
  for (const text of [(await forgelog.get(one)).text, JSON.stringify(events)])
    expect(text).not.toContain('a-secret-word');
}, 60_000);

test('Jenkins is told of pushes, tags and merge requests as its plugin reads them', async () => {
  const id = await newProject();
  const jenkins = await startReceiver();
  const at = `/projects/${id}`;
  const one = `${at}/services/jenkins`;
  const place = { jenkins_url: `${jenkins.url}/ci/`, project_name: 'engines/build it' };
  await must(forgelog.put(one, { ...place, username: 'ada', password: 'a-secret-word' }));
  const commit = (path: string, more: object) =>
    must(forgelog.post(`${at}/repository/files/${path}`, { content: 'x', commit_message: path, ...more }));
  await commit('oil', { branch: 'topic', start_branch: 'main' });
  const request = { source_branch: 'topic', target_branch: 'main', title: 'Oil' };
  await must(forgelog.post(`${at}/merge_requests`, request));
  await arrived(jenkins, 2);
  await commit('more', { branch: 'topic' });
  await must(forgelog.post(`${at}/repository/tags`, { tag_name: 'v1', ref: 'main' }));
  await arrived(jenkins, 5);
  const told = jenkins.received.map(({ headers, body }) => [headers['x-gitlab-event'], body.object_kind]);
  expect(told.toSorted()).toEqual([
    ['Merge Request Hook', 'merge_request'],
    ['Merge Request Hook', 'merge_request'],
    ['Push Hook', 'push'],
    ['Push Hook', 'push'],
    ['Tag Push Hook', 'tag_push'],
  ]);
  const basic = `Basic ${Buffer.from('ada:a-secret-word').toString('base64')}`;
  for (const { path, headers } of jenkins.received)
    expect([path, headers.authorization]).toEqual(['/ci/project/engines/build%20it', basic]);
  await must(forgelog.put(one, { push_events: false, password: '' }));
  await commit('unheard', { branch: 'main' });
  await must(forgelog.post(`${at}/repository/tags`, { tag_name: 'v2', ref: 'main' }));
  await arrived(jenkins, 6);
  expect(jenkins.received[5]!.headers.authorization).toBeUndefined();
  const events = await forgelog.system.store.readStream(`integration-${id}-jenkins`);
  for (const text of [(await forgelog.get(one)).text, JSON.stringify(events)])
    expect(text).not.toContain('a-secret-word');
}, 60_000);
