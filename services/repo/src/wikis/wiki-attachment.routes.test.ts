import { createHash } from 'node:crypto';
import {
  groupWikiAttachments,
  wikiAttachments as projectWikiAttachments,
} from '@forgelog/contracts/repo/wikis/wiki-attachment.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import {
  groupCreated,
  groupMemberAdded,
  on,
  projectCreated,
  projectDeleted,
} from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { objectsOfProject } from '../storage-moves/moved-objects.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { removeUnnamedWikiAttachments } from './unnamed-wiki-attachments.worker.ts';
import { wikiAttachmentPolicies } from './wiki-attachment.policy.ts';
import { wikiAttachmentSlice } from './wiki-attachment.slice.ts';
import { wikiAttachmentKey, wikiAttachmentsOf } from './wiki-attachment-key.ts';

const DAY_MS = 86_400_000;
const CLOSED = 8;
const OFF = 10;
const GROUP = 9;
const OPEN_GROUP = 11;
const given = [
  ...team,
  projectCreated(CLOSED, { visibility: 'public', settings: { wiki_access_level: 'private' } }),
  projectCreated(OFF, { visibility: 'public', settings: { wiki_access_level: 'disabled' } }),
  groupCreated(GROUP),
  groupCreated(OPEN_GROUP, { visibility: 'public' }),
  groupMemberAdded(GROUP, DEVELOPER, 30),
  groupMemberAdded(GROUP, REPORTER, 20),
];
const HEADERS = { 'content-type': 'multipart/form-data; boundary=x' };

function formOf(bytes: Buffer, filename: string, branch?: string): Buffer {
  const file = `--x\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n\r\n`;
  const field = `\r\n--x\r\nContent-Disposition: form-data; name="branch"\r\n\r\n${branch}`;
  return Buffer.concat([
    Buffer.from(file),
    bytes,
    Buffer.from(`${branch === undefined ? '' : field}\r\n--x--\r\n`),
  ]);
}

async function start() {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const running = await startRepoSlices([wikiAttachmentSlice], given, () => new Date(now));
  const { call, ports } = running;
  const of = (endpoints: typeof projectWikiAttachments | typeof groupWikiAttachments, id: number) => ({
    store: (bytes: string | Buffer, name = 'sketch.png', as: number | null = DEVELOPER, branch?: string) => {
      const payload = formOf(Buffer.from(bytes), name, branch);
      return call(endpoints.create, { id }, as, { payload, headers: HEADERS });
    },
    fetch: (url: string, as: number | null = DEVELOPER, headers = {}) => {
      const [, upload_id, filename] = decodeURIComponent(url).split('/');
      return call(endpoints.get, { id, upload_id, filename }, as, { headers });
    },
  });
  return {
    ...running,
    project: (id = 7) => of(projectWikiAttachments, id),
    group: (id = GROUP) => of(groupWikiAttachments, id),
    keys: async () => (await Array.fromAsync(ports.objects.list(''))).map(({ key }) => key).sort(),
    wait: (ms: number) => {
      now += ms;
    },
  };
}

test('a developer stores a file for the pages of a wiki, and who sees the wiki has it', async () => {
  const { project, keys } = await start();
  const bytes = Buffer.from('raster image');
  const { status, body, events } = await project().store(bytes, 'My +sketch.png', DEVELOPER, 'main');
  const [, attachmentId] = body.link.url.split('/');
  const url = `uploads/${attachmentId}/My_%2Bsketch.png`;
  expect(status).toBe(201);
  expect(body).toEqual({
    file_name: 'My_+sketch.png',
    file_path: `uploads/${attachmentId}/My_+sketch.png`,
    branch: 'main',
    link: { url, markdown: `![My_+sketch](${url})` },
  });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = { attachmentId, filename: 'My_+sketch.png', size: bytes.length, sha256 };
  expect(events).toEqual([{ type: 'WikiAttachmentCreated', data: { projectId: 7, ...file } }]);
  expect(await keys()).toEqual([
    wikiAttachmentKey({ projectId: 7, groupId: null }, { id: attachmentId, sha256 }),
  ]);
  const got = await project().fetch(url, REPORTER);
  expect(got).toMatchObject({ status: 200, body: bytes, headers: { 'content-type': 'image/png' } });
  expect(await project().fetch(url, REPORTER, { range: 'bytes=1-3' })).toMatchObject({
    ...{ status: 206, body: bytes.subarray(1, 4) },
  });
  expect((await project().fetch(url, REPORTER, { 'if-none-match': got.headers.etag })).status).toBe(304);
  const { body: page } = await project().store('<script>', 'a.svg');
  expect(page.link.markdown).toBe(`[a.svg](${page.link.url})`);
  expect((await project().fetch(page.link.url)).headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-security-policy': "default-src 'none'; sandbox",
  });
});

test('files of a wiki are as open as the wiki', async () => {
  const { project, group, keys } = await start();
  const { body: hidden } = await project().store('x');
  for (const as of [OUTSIDER, null]) expect((await project().fetch(hidden.link.url, as)).status).toBe(404);
  const { body: closed } = await project(CLOSED).store('x', 'a.txt', OWNER);
  expect((await project(CLOSED).fetch(closed.link.url, OWNER)).status).toBe(200);
  for (const as of [OUTSIDER, null])
    expect((await project(CLOSED).fetch(closed.link.url, as)).status).toBe(403);
  // By way of another wiki, or by another name.
  expect((await project().fetch(closed.link.url, OWNER)).status).toBe(404);
  expect((await group().fetch(hidden.link.url)).status).toBe(404);
  expect((await project().fetch(hidden.link.url.replace('sketch', 'other'))).status).toBe(404);
  const before = await keys();
  expect((await project().store('x', 'a.txt', REPORTER)).status).toBe(403);
  expect((await project().store('x', 'a.txt', OUTSIDER)).status).toBe(404);
  expect((await project(OFF).store('x', 'a.txt', OWNER)).status).toBe(403);
  expect((await project(CLOSED).store('x', 'a.txt', null)).status).toBe(401);
  expect(await keys()).toEqual(before);
});

test('a group has files of its own', async () => {
  const { project, group } = await start();
  const { status, body, events } = await group().store('x');
  expect(status).toBe(201);
  expect(events).toMatchObject([{ type: 'GroupWikiAttachmentCreated', data: { groupId: GROUP } }]);
  expect((await group().fetch(body.link.url, REPORTER)).status).toBe(200);
  expect((await group().fetch(body.link.url, OUTSIDER)).status).toBe(404);
  expect((await project().fetch(body.link.url, OWNER)).status).toBe(404);
  expect((await group().store('x', 'a.txt', REPORTER)).status).toBe(403);
  expect((await group(OPEN_GROUP).store('x', 'a.txt', OUTSIDER)).status).toBe(403);
});

test('what is refused leaves nothing', async () => {
  const { call, project, keys, ports } = await start();
  const elsewhere = await project().store('x', 'a.png', DEVELOPER, 'other');
  expect(elsewhere).toMatchObject({
    ...{ status: 400, events: [], body: { message: '400 Bad request - A wiki has one branch, main' } },
  });
  const send = (payload: Buffer, headers: Record<string, string> = HEADERS) =>
    call(projectWikiAttachments.create, { id: 7 }, OWNER, { payload, headers });
  expect((await send(Buffer.from('{}'), { 'content-type': 'application/json' })).status).toBe(415);
  expect((await send(formOf(Buffer.from('x'), 'a.png').subarray(0, -8))).status).toBe(400);
  const tooLarge = Buffer.alloc(ports.configuration.MAX_UPLOAD_MB * 1024 * 1024 + 1);
  expect((await send(formOf(tooLarge, 'a.png'))).status).toBe(413);
  expect(await keys()).toEqual([]);
});

test('files go with their place, and those that no record names after a day', async () => {
  const { project, group, keys, ports, repo, wait } = await start();
  await project().store('x');
  await group().store('x');
  const [ofGroup, ofProject] = await keys();
  expect((await objectsOfProject(repo, 7)).map(({ name }) => name)).toEqual([ofProject]);
  const unnamed = wikiAttachmentKey(
    { projectId: 7, groupId: null },
    { id: 'a'.repeat(32), sha256: 'b'.repeat(64) },
  );
  const strangers = ofProject!.replace('project-7', 'project-8');
  for (const key of [unnamed, strangers, 'wiki-attachments/other'])
    await ports.objects.put(key, Buffer.from('x'));
  await removeUnnamedWikiAttachments(ports);
  expect(await keys()).toHaveLength(5);
  wait(DAY_MS + 1);
  await removeUnnamedWikiAttachments(ports);
  expect(await keys()).toEqual([ofGroup, ofProject, 'wiki-attachments/other'].sort());
  const [policy] = wikiAttachmentPolicies(repo);
  const react = (event: object) =>
    policy!.react({ ...event, id: 'id', metadata: SYSTEM_METADATA } as never, new AbortController().signal);
  for (let round = 0; round < 2; round += 1) await react(projectDeleted(7).event);
  expect(await keys()).toEqual([ofGroup, 'wiki-attachments/other'].sort());
  await react({ type: 'GroupDeleted', data: { groupId: GROUP } });
  expect(await keys()).toEqual(['wiki-attachments/other']);
  // One that came too late.
  await ports.commands.append('project-7', 0, [projectDeleted(7).event], SYSTEM_METADATA);
  await ports.objects.put(ofProject!, Buffer.from('x'));
  wait(DAY_MS + 1);
  await removeUnnamedWikiAttachments(ports);
  expect(await keys()).toEqual(['wiki-attachments/other']);
});

test('a wiki of an archived project takes no files', async () => {
  const { project, ports, keys } = await start();
  const { stream, event } = on('project-7', {
    type: 'ProjectArchived',
    data: { projectId: 7, changes: { archived: true }, previous: { archived: false } },
  });
  await ports.commands.append(stream, 0, [event], SYSTEM_METADATA);
  expect(await project().store('x')).toMatchObject({ status: 403, events: [] });
  expect(await keys()).toEqual([]);
});

test('the prefix of one place is that of no other', () => {
  expect(wikiAttachmentsOf({ projectId: 7, groupId: null })).toBe('wiki-attachments/project-7/');
  expect(wikiAttachmentsOf({ projectId: null, groupId: 7 })).toBe('wiki-attachments/group-7/');
});
