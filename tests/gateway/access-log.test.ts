import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openMemoryFeed } from '@forgelog/eventing/adapters/memory/memory-feed.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { expect, onTestFinished, test } from 'vitest';
import { accessEvents } from '../support/access-story.ts';
import { ROOT_TOKEN } from '../support/calls.ts';
import { eventually } from '../support/eventually.ts';
import { fed } from '../support/fed.ts';
import { type Forgelog, forgelogForTest, startForgelog } from '../support/forgelog.ts';
import { settleUser } from '../support/inhabitants.ts';
import { framesOf, type ReceivedEvent, readStream } from '../support/read-stream.ts';
import { startServerProcess } from '../support/server-process.ts';
import { addressOf, commit, emptyFolder, git, tryGit, workingCopy } from '../support/stock-git.ts';

const told = (events: readonly RecordedEvent[], type: string, actorId?: number | null) =>
  events
    .filter((event) => event.type === type && (actorId === undefined || event.metadata.actorId === actorId))
    .map(({ data }) => data as Record<string, unknown>);

/** The access log with everything that was asked for before. */
async function written(forgelog: Forgelog): Promise<RecordedEvent[]> {
  const { id, token } = await settleUser(forgelog, `last-${Math.random().toString(36).slice(2)}`);
  await forgelog.get('/user', { token });
  return accessEvents(forgelog, ({ metadata }) => metadata.actorId === id);
}

async function lines(forgelog: Forgelog, path: string, token = forgelog.rootToken) {
  const answer = await forgelog.get(path, { token, headers: { Accept: 'application/x-ndjson' } });
  const events: ReceivedEvent[] = answer.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return { ...answer, events };
}

test('sign-ins and refused sign-ins are recorded, however people authenticate', async () => {
  const now = new Date();
  // What repeats within a minute is one record: none ends during the test.
  const forgelog = await forgelogForTest({ clock: () => now });
  const password = 'a fine password 17';
  const { body: ann } = await forgelog.post('/users', {
    ...{ username: 'ann', name: 'Ann', email: 'ann@example.org', skip_confirmation: true },
    password,
  });
  const { body: project } = await forgelog.post('/projects', { name: 'closed' });
  const ls = async (name: string, secret: string) =>
    tryGit(
      await emptyFolder(),
      'ls-remote',
      addressOf(forgelog, project.path_with_namespace, { name, secret }),
    );
  expect((await ls('ann', password)).stderr).toContain('could not be found');
  await ls('ann', 'another password');
  await ls('nobody-at-all', 'another password');
  const blocked = await settleUser(forgelog, 'blocked-one');
  await forgelog.post(`/users/${blocked.id}/block`);
  await forgelog.get('/user', blocked.as);
  await ls('anyone', blocked.token);
  await forgelog.get('/user', { token: 'never-was-a-token' });
  const curious = await settleUser(forgelog, 'curious');
  await forgelog.get('/user', { ...curious.as, headers: { Sudo: 'root' } });
  const narrow = await settleUser(forgelog, 'narrow', { scopes: ['read_user'] });
  await ls('narrow', narrow.token);

  const events = await written(forgelog);
  expect(told(events, 'CredentialUsed', ann.id)).toMatchObject([{ userId: ann.id, tokenId: null }]);
  expect(told(events, 'CredentialUsed', 1)[0]).toMatchObject({ userId: 1, tokenId: 1 });
  const refused = told(events, 'CredentialRefused').map(({ reason, userId }) => [reason, userId]);
  expect(refused.toSorted()).toEqual(
    [
      ['blocked_user', blocked.id],
      ['scope', narrow.id],
      ['sudo', null],
      ['unknown_token', null],
      ['wrong_password', ann.id],
      ['wrong_password', null],
    ].toSorted(),
  );
  expect(JSON.stringify(events)).not.toContain('nobody-at-all');
  const { clientAddress, userAgent, requestId } = events.find(
    ({ type }) => type === 'CredentialRefused',
  )!.metadata;
  expect([clientAddress, typeof userAgent, typeof requestId]).toEqual(['127.0.0.1', 'string', 'string']);
});

test.each(['0', '2'])('clones and fetches of stock git are told apart in version %s', async (version) => {
  const forgelog = await forgelogForTest();
  const source = await workingCopy();
  const { body: project } = await forgelog.post('/projects', { name: 'source', visibility: 'public' });
  const own = addressOf(forgelog, 'root/source', { name: 'root', secret: forgelog.rootToken });
  await git(source, 'push', '-q', own, 'main');
  const folder = await emptyFolder();
  const protocol = ['-c', `protocol.version=${version}`];
  await git(folder, ...protocol, 'ls-remote', own);
  await git(folder, ...protocol, 'clone', '-q', addressOf(forgelog, 'root/source', null), 'copy');
  await commit(source, 'Second');
  await git(source, 'push', '-q', own, 'main');
  await git(join(folder, 'copy'), ...protocol, 'pull', '-q', own, 'main');
  const events = await written(forgelog);
  const of = { projectId: project.id };
  expect(told(events, 'RepositoryFetched', null)).toMatchObject([
    { ...of, operation: 'clone', count: 1 },
    { ...of, operation: 'fetch' },
  ]);
});

test('refusals for lack of rights are recorded, with places that the caller may not know of', async () => {
  const forgelog = await forgelogForTest();
  const { body: hidden } = await forgelog.post('/projects', { name: 'hidden', initialize_with_readme: true });
  const { body: open } = await forgelog.post('/projects', { name: 'open', visibility: 'public' });
  const { body: group } = await forgelog.post('/groups', { name: 'g', path: 'g', visibility: 'private' });
  const { id, as, token } = await settleUser(forgelog, 'curious');
  const asked = [
    ['GET', `/projects/${hidden.id}/issues`],
    ['GET', '/projects/root%2Fhidden'],
    ['GET', `/groups/${group.id}`],
    ['GET', '/projects/999'],
    ['GET', `/projects/${open.id}/issues/7`],
    ['DELETE', `/projects/${open.id}`],
    ['GET', '/audit_events'],
    ['GET', `/projects/${open.id}`],
  ] as const;
  const answers = await Promise.all(asked.map(([method, path]) => forgelog.call(method, path, as)));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 403, 403, 200]);
  await tryGit(
    await emptyFolder(),
    'clone',
    addressOf(forgelog, 'root/hidden', { name: 'x', secret: token }),
  );

  const events = await written(forgelog);
  const refused = told(events, 'AccessRefused', id).map(({ status, endpoint, projectId, groupId }) =>
    [status, endpoint, projectId, groupId].join(' '),
  );
  expect(refused.toSorted()).toEqual(
    [
      `404 project-issue-list ${hidden.id} `,
      `404 project-get ${hidden.id} `,
      `404 git-upload-pack ${hidden.id} `,
      `404 group-get  ${group.id}`,
      `403 project-delete ${open.id} `,
      '403 audit-event-list  ',
    ].toSorted(),
  );
});

test('administrators read all of it, as pages and as it grows; the log itself has nothing of it', async () => {
  const forgelog = await forgelogForTest();
  await forgelog.get('/user');
  await written(forgelog);
  const { events, headers } = await lines(forgelog, '/access_event_stream');
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['CredentialUsed']));
  expect(events[0]).toMatchObject({ subject: 'access-log', revision: 0, actorid: 1, credentialid: 1 });
  const log = (await forgelog.get('/event_stream?limit=1')).headers.get('x-log-id');
  expect(events[0]!.source).toBe(`/forgelog/${log}/access`);
  expect((await lines(forgelog, '/access_event_stream?types=AccessRefused')).events).toEqual([]);
  expect((await lines(forgelog, '/access_event_stream?actor_id=1')).events).toHaveLength(1);
  const next = headers.get('x-next-position')!;
  expect((await lines(forgelog, `/access_event_stream?after=${next}`)).events).toEqual([]);

  const frames = framesOf(forgelog, `?after=${next}`, { path: '/access_event_stream' });
  onTestFinished(() => void frames.return(undefined));
  const { id, token } = await settleUser(forgelog, 'newcomer');
  await forgelog.get('/user', { token });
  for await (const { event, data } of frames)
    if (event === 'CredentialUsed') {
      expect(JSON.parse(data!)).toMatchObject({ actorid: id, data: { userId: id, count: 1 } });
      break;
    }
  expect((await readStream(forgelog)).filter(({ source }) => source.endsWith('/access'))).toEqual([]);
});

test('positions of the log and of the access log are not taken for each other', async () => {
  const forgelog = await forgelogForTest();
  await written(forgelog);
  const [ofLog] = await readStream(forgelog, '?limit=1');
  const { events } = await lines(forgelog, '/access_event_stream');
  for (const [path, position] of [
    ['/access_event_stream', ofLog!.position],
    ['/event_stream', events[0]!.position],
  ]) {
    const refused = await forgelog.get(`${path}?after=${position}`);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('is no position')]);
  }
  const beyond = events[0]!.position.replace(/\d{15}$/, '999999999999999');
  expect((await forgelog.get(`/access_event_stream?after=${beyond}`)).status).toBe(409);
  expect((await forgelog.get('/event_stream?types=CredentialUsed')).status).toBe(400);
  expect((await forgelog.get('/access_event_stream?types=IssueOpened')).status).toBe(400);
});

test('users read what is about them, and nothing tells them of others', async () => {
  const forgelog = await forgelogForTest();
  const { id, username, token } = await settleUser(forgelog, 'ann');
  const other = await settleUser(forgelog, 'other');
  expect((await lines(forgelog, '/access_event_stream', token)).status).toBe(403);
  await forgelog.get('/user', { token: other.token });
  await forgelog.get('/user', { headers: { Sudo: username } });
  const address = addressOf(forgelog, 'root/none', { name: username, secret: 'a wrong password' });
  await tryGit(await emptyFolder(), 'ls-remote', address);
  await written(forgelog);

  const page = await lines(forgelog, '/user/access_event_stream', token);
  const own = page.events.map(({ type, data }) => [type, data.userId ?? data.endpoint]);
  expect(own.toSorted()).toEqual(
    [
      ['AccessRefused', 'access-event-stream'],
      ['CredentialRefused', id],
      ['CredentialUsed', id],
    ].toSorted(),
  );
  expect(page.events.filter((event) => 'revision' in event)).toEqual([]);
  const [first, second] = page.events.map(({ position }) => position);
  expect(first!.length).toBe(second!.length);
  const rest = await lines(forgelog, `/user/access_event_stream?after=${first}`, token);
  expect(rest.events.map(({ id: eventId }) => eventId)).toEqual(
    page.events.slice(1).map(({ id: eventId }) => eventId),
  );
  expect((await lines(forgelog, `/user/access_event_stream?after=${first}`, other.token)).status).toBe(400);
  expect((await lines(forgelog, '/user/access_event_stream?actor_id=1', token)).status).toBe(400);
});

test('a stream ends with the right to read it', async () => {
  const forgelog = await forgelogForTest();
  const admin = await settleUser(forgelog, 'second-admin', { admin: true });
  const streams = ['/access_event_stream', '/user/access_event_stream'].map((path) =>
    framesOf(forgelog, '', { path, token: admin.token }),
  );
  for (const stream of streams) await stream.next();
  await forgelog.get('/user', admin.as);
  await forgelog.post(`/users/${admin.id}/block`);
  await forgelog.get('/user', admin.as);
  const reasons = streams.map(async (stream) => {
    for await (const { comment } of stream) if (comment?.startsWith('the stream ends')) return comment;
    return 'no reason';
  });
  const reason = 'the stream ends, since whoever asked for it may no longer read it';
  expect(await Promise.all(reasons)).toEqual([reason, reason]);
});

test('it outlives a restart, and what is older than its days is gone', async () => {
  const dataDir = await emptyFolder();
  let now = Date.parse('2026-11-01T12:00:00.000Z');
  const start = () =>
    startForgelog({ dataDir, clock: () => new Date(now), environment: { ACCESS_LOG_DAYS: '3' } });
  for (const expected of [1, 2, 1]) {
    const forgelog = await start();
    await forgelog.get('/user');
    await eventually('the access log is as long as it should be', async () => {
      const { events } = await lines(forgelog, '/access_event_stream?types=CredentialUsed');
      return events.length === expected;
    });
    await forgelog.stop();
    now += expected === 1 ? 3_600_000 : 4 * 86_400_000;
  }
});

test('a kill leaves what was written, and readers go on where they stopped', async () => {
  const dataDir = await emptyFolder();
  const started = async () => {
    const server = startServerProcess({ DATA_DIR: dataDir, ROOT_TOKEN });
    onTestFinished(async () => void (await server.stop('SIGKILL')));
    const url = await server.ready;
    const page = async (query: string) => {
      const answer = await fetch(`${url}/api/v4/access_event_stream?${query}`, {
        headers: { 'PRIVATE-TOKEN': ROOT_TOKEN, Accept: 'application/x-ndjson' },
      });
      return { next: answer.headers.get('x-next-position')!, text: await answer.text() };
    };
    return { ...server, url, page };
  };
  const first = await started();
  await fetch(`${first.url}/api/v4/user`, { headers: { 'PRIVATE-TOKEN': 'never-was-a-token' } });
  const before = await eventually('the refusal is written', () => first.page('types=CredentialRefused'), {
    until: ({ text }) => text !== '',
  });
  await first.stop('SIGKILL');
  const second = await started();
  expect((await second.page('types=CredentialRefused')).text).toBe(
    before.text.replaceAll(first.url!, second.url!),
  );
  const after = await eventually(
    'the use of the token is written',
    () => second.page(`after=${before.next}`),
    {
      until: ({ text }) => text !== '',
    },
  );
  expect(after.text).toContain('"type":"CredentialUsed"');
  expect(after.text).not.toContain('CredentialRefused');
});

test('switched off, nothing is recorded and nothing served', async () => {
  const forgelog = await forgelogForTest({ environment: { ACCESS_LOG_DAYS: '0' } });
  await forgelog.get('/user');
  expect((await forgelog.get('/access_event_stream')).status).toBe(404);
  expect((await forgelog.get('/user/access_event_stream')).status).toBe(404);
  expect(existsSync(join(forgelog.dataDir, 'access.db'))).toBe(false);
});

test('Kafka has it in a topic of its own', async () => {
  const feed = openMemoryFeed();
  const topics: (readonly string[])[] = [];
  const forgelog = await forgelogForTest({
    environment: { KAFKA_BROKERS: '127.0.0.1:1' },
    async openFeed({ services }) {
      topics.push(services);
      return feed;
    },
  });
  await written(forgelog);
  await fed(forgelog.system.accessRelay!);
  const access = feed.messages.filter(({ topic }) => topic === 'forgelog.access');
  expect(access.map(({ key }) => key)).toEqual(access.map(() => 'access-log'));
  const { events } = await lines(forgelog, '/access_event_stream');
  expect(access.map(({ value }) => JSON.parse(value).id)).toEqual(
    events.map(({ id }) => id).slice(0, access.length),
  );
  expect(access.length).toBeGreaterThan(0);
  expect(topics.filter((services) => services.includes('access'))).toEqual([['access']]);
});
