import { createHash } from 'node:crypto';
import { createUpload, getUpload } from '@forgelog/contracts/repo/uploads/upload.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { on, projectCreated, projectDeleted, userCreated } from '@forgelog/testing/sample-events.ts';
import { OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { removeUnnamedUploads } from './unnamed-uploads.worker.ts';
import { uploadPolicies } from './upload.policy.ts';
import { uploadSlice } from './upload.slice.ts';
import { uploadKey, uploadsOf } from './upload-key.ts';

const FORM = { 'content-type': 'multipart/form-data; boundary=x' };
const DAY_MS = 86_400_000;

function formOf(bytes: Buffer, filename = 'sketch.png', field = 'file'): Buffer {
  const head = `--x\r\nContent-Disposition: form-data; name="${field}"; filename="${filename}"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--x--\r\n')]);
}

async function start(given = team) {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const running = await startRepoSlices([uploadSlice], given, () => new Date(now));
  const { call, ports } = running;
  return {
    ...running,
    upload: (bytes: string | Buffer, name?: string, as: number | null = REPORTER, id = 7) =>
      call(createUpload, { id }, as, { payload: formOf(Buffer.from(bytes), name), headers: FORM }),
    async fetch(url: string, as: number | null = REPORTER, headers = {}, id = 7) {
      const [, , upload_id, filename] = decodeURIComponent(url).split('/');
      return call(getUpload, { id, upload_id, filename }, as, { headers });
    },
    keys: async () => (await Array.fromAsync(ports.objects.list(''))).map(({ key }) => key).sort(),
    wait: (ms: number) => {
      now += ms;
    },
  };
}

test('a file is uploaded and served, whole and in ranges', async () => {
  const { upload, fetch, keys } = await start();
  const bytes = Buffer.from('raster image');
  const { status, body, events } = await upload(bytes, 'My sketch.png');
  const uploadId = body.url.split('/')[2];
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const url = `/uploads/${uploadId}/My_sketch.png`;
  expect(status).toBe(201);
  expect(body).toEqual({
    alt: 'My_sketch',
    url,
    full_path: `/user1/project7${url}`,
    markdown: `![My_sketch](${url})`,
  });
  expect(uploadId).toMatch(/^[0-9a-f]{32}$/);
  const data = { projectId: 7, uploadId, filename: 'My_sketch.png', size: bytes.length, sha256 };
  expect(events).toEqual([{ type: 'UploadCreated', data }]);
  expect(await keys()).toEqual([uploadKey({ projectId: 7, id: uploadId, sha256 })]);
  const got = await fetch(url);
  expect(got).toMatchObject({
    status: 200,
    body: bytes,
    headers: {
      'content-type': 'image/png',
      'content-disposition': expect.stringMatching(/^inline;/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  });
  expect(await fetch(url, REPORTER, { range: 'bytes=1-3' })).toMatchObject({
    status: 206,
    body: bytes.subarray(1, 4),
  });
  expect(await fetch(url, REPORTER, { range: 'bytes=99-' })).toMatchObject({ status: 416 });
  const known = { 'if-none-match': got.headers.etag };
  expect(await fetch(url, REPORTER, known)).toMatchObject({ status: 304, body: null });
});

test('what a browser could run is only saved', async () => {
  const { upload, fetch } = await start();
  for (const name of ['a.svg', 'a.html', 'a.pdf', 'a.js', 'noextension']) {
    const { body } = await upload('<script>', name);
    expect(body.markdown, name).toBe(`[${name}](${body.url})`);
    expect(await fetch(body.url), name).toMatchObject({
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': expect.stringMatching(/^attachment;/),
        'x-content-type-options': 'nosniff',
      },
    });
  }
});

test('a name that an address must encode is found again', async () => {
  const { upload, fetch } = await start();
  const { body } = await upload('x', 'Übersicht+1.txt');
  expect(body.url).toMatch(/%C3%9Cbersicht%2B1\.txt$/);
  expect(await fetch(body.url)).toMatchObject({ status: 200 });
});

test('who sees the project has its uploads, and nobody else', async () => {
  const given = [...team, projectCreated(8, { visibility: 'public' })];
  const { upload, fetch } = await start(given);
  const { body: hidden } = await upload('x');
  for (const caller of [OUTSIDER, null])
    expect(await fetch(hidden.url, caller)).toMatchObject({ status: 404 });
  const { body: open } = await upload('x', 'a.txt', OUTSIDER, 8);
  for (const caller of [OUTSIDER, null])
    expect(await fetch(open.url, caller, {}, 8)).toMatchObject({ status: 200 });
  // By way of another project, or by another name.
  expect(await fetch(hidden.url, OWNER, {}, 8)).toMatchObject({ status: 404 });
  expect(await fetch(open.url.replace('a.txt', 'b.txt'), OWNER, {}, 8)).toMatchObject({ status: 404 });
  expect(await upload('x', 'a.txt', null, 8)).toMatchObject({ status: 401, events: [] });
  expect(await upload('x', 'a.txt', OUTSIDER)).toMatchObject({ status: 404, events: [] });
});

test('an upload that is refused leaves nothing', async () => {
  const archived = on('project-7', {
    type: 'ProjectArchived',
    data: { projectId: 7, changes: { archived: true }, previous: { archived: false } },
  });
  const { call, keys, ports, upload } = await start();
  const send = (payload: Buffer, headers: Record<string, string> = FORM) =>
    call(createUpload, { id: 7 }, OWNER, { payload, headers });
  expect(await send(Buffer.from('{}'), { 'content-type': 'application/json' })).toMatchObject({
    status: 415,
  });
  expect(await send(formOf(Buffer.from('x'), 'a.png', 'other'))).toMatchObject({ status: 400, events: [] });
  const broken = formOf(Buffer.from('x')).subarray(0, -8);
  expect(await send(broken)).toMatchObject({ status: 400, events: [] });
  const tooLarge = Buffer.alloc(ports.configuration.MAX_UPLOAD_MB * 1024 * 1024 + 1);
  expect(await send(formOf(tooLarge))).toMatchObject({ status: 413, events: [] });
  const isArchived = await start([...team, archived]);
  expect(await isArchived.upload('x')).toMatchObject({ status: 403, events: [] });
  expect(await isArchived.keys()).toEqual([]);
  expect((await upload('x')).status).toBe(201);
  expect((await keys()).filter((key) => !key.startsWith(uploadsOf(7)))).toEqual([]);
});

test('what no record names is removed after a day, and nothing else', async () => {
  const { upload, keys, ports, wait } = await start();
  await upload('x');
  const [named] = await keys();
  const unnamed = [
    uploadKey({ projectId: 7, id: 'a'.repeat(32), sha256: 'b'.repeat(64) }),
    named!.slice(0, -1) + (named!.endsWith('0') ? '1' : '0'),
  ];
  const foreign = ['uploads/7/other', 'projects/7/1/1.log'];
  for (const key of [...unnamed, ...foreign]) await ports.objects.put(key, Buffer.from('x'));
  await removeUnnamedUploads(ports);
  expect(await keys()).toHaveLength(5);
  wait(DAY_MS + 1);
  await removeUnnamedUploads(ports);
  expect(await keys()).toEqual([named!, ...foreign].sort());
});

test('uploads go with their project, also one that came too late', async () => {
  const { upload, keys, ports, repo, wait } = await start();
  await upload('x');
  const [first] = await keys();
  const elsewhere = first!.replace('/7/', '/70/');
  await ports.objects.put(elsewhere, Buffer.from('x'));
  const [policy] = uploadPolicies(repo);
  const deleted = { ...projectDeleted(7).event, id: 'id', metadata: SYSTEM_METADATA } as never;
  for (let round = 0; round < 2; round += 1) await policy!.react(deleted, new AbortController().signal);
  expect(await keys()).toEqual([elsewhere]);
  await ports.commands.append('project-7', 0, [projectDeleted(7).event], SYSTEM_METADATA);
  await ports.objects.put(first!, Buffer.from('x'));
  wait(DAY_MS + 1);
  await removeUnnamedUploads(ports);
  expect(await keys()).toEqual([]);
});

test('uploads of a project go wherever it was created: they may have moved with it', async () => {
  const { upload, keys, repo } = await start([...team, userCreated(9)]);
  await upload('x');
  const [policy] = uploadPolicies(repo);
  const { type, data } = projectDeleted(7).event;
  const away = {
    type,
    data: { ...(data as object), storage: 'second' },
    id: 'id',
    metadata: SYSTEM_METADATA,
  };
  await policy!.react(away as never, new AbortController().signal);
  expect(await keys()).toEqual([]);
});
