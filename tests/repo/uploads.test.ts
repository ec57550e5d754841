import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { newTestBucket } from '@forgelog/object-store/testing/s3-buckets.ts';
import { removeUnnamedUploads } from '@forgelog/repo/uploads/unnamed-uploads.worker.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { formWith } from '../support/form-with.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  // In a bucket where there is a server for it, as with `npm run test:real`, and else in files.
  forgelog = await startForgelog({ environment: { ...(await newTestBucket()), MAX_UPLOAD_MB: '32' } });
});
afterAll(() => forgelog.stop());

const objectsOf = async () =>
  (await Array.fromAsync(forgelog.portsOf('repo').objects.list('uploads/'))).map(({ key }) => key).sort();

async function projectOf(path: string, visibility = 'private'): Promise<{ id: number; fullPath: string }> {
  const { body } = await forgelog.post('/projects', { path, visibility });
  return { id: body.id, fullPath: body.path_with_namespace };
}

const asked = (address: string, headers: Record<string, string> = {}) =>
  fetch(`${forgelog.url}${address}`, { headers, redirect: 'manual' });
const signedIn = () => ({ 'PRIVATE-TOKEN': forgelog.rootToken });

test('texts link an upload under the path of its project, by its rights', async () => {
  const open = await projectOf('open', 'public');
  const hidden = await projectOf('hidden');
  for (const { id, fullPath } of [open, hidden]) {
    const { status, body } = await forgelog.post(
      `/projects/${id}/uploads`,
      formWith({ name: 'übersicht.png', content: 'image' }),
    );
    expect(status).toBe(201);
    expect(body.full_path).toBe(`/${fullPath}${body.url}`);
    const addresses = [body.full_path, `/-/project/${id}${body.url}`, `/api/v4/projects/${id}${body.url}`];
    for (const address of addresses) {
      const answer = await asked(address, signedIn());
      expect([answer.status, await answer.text()], address).toEqual([200, 'image']);
      expect(answer.headers.get('content-type')).toBe('image/png');
      const head = await fetch(`${forgelog.url}${address}`, { method: 'HEAD', headers: signedIn() });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '5']);
      expect((await asked(address)).status, `${address} anonymously`).toBe(id === open.id ? 200 : 404);
      const posted = await fetch(`${forgelog.url}${address}`, { method: 'POST', headers: signedIn() });
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  }
});

test('a link by the project’s id outlives a rename', async () => {
  const { id, fullPath } = await projectOf('before');
  const { body } = await forgelog.post(`/projects/${id}/uploads`, formWith({ name: 'a.txt' }));
  await forgelog.put(`/projects/${id}`, { path: 'after' });
  expect((await asked(`/-/project/${id}${body.url}`, signedIn())).status).toBe(200);
  expect((await asked(`/${fullPath.replace('before', 'after')}${body.url}`, signedIn())).status).toBe(200);
});

test('a large file streams in and out, and goes with its project', async () => {
  const { id } = await projectOf('large');
  const bytes = Buffer.alloc(20 * 1024 * 1024);
  for (let at = 0; at < bytes.length; at += 4096) bytes.writeUInt32BE(at, at);
  const { body } = await forgelog.post(
    `/projects/${id}/uploads`,
    formWith({ name: 'large.bin', content: bytes }),
  );
  const answer = await asked(`/api/v4/projects/${id}${body.url}`, signedIn());
  const hash = createHash('sha256');
  for await (const chunk of answer.body!) hash.update(chunk);
  expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
  const range = { ...signedIn(), Range: `bytes=${bytes.length - 4096}-` };
  const part = await asked(`/api/v4/projects/${id}${body.url}`, range);
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(-4096))).toBe(true);
  const own = async () => (await objectsOf()).filter((key) => key.startsWith(`uploads/${id}/`));
  expect(await own()).toHaveLength(1);
  await forgelog.delete(`/projects/${id}`);
  expect((await asked(`/-/project/${id}${body.url}`, signedIn())).status).toBe(404);
  await expect.poll(own).toEqual([]);
});

test('an upload that is cut off at any byte is never seen, and what it leaves is swept', async () => {
  const { id } = await projectOf('cut');
  const before = await objectsOf();
  const begin = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
  const whole = Buffer.concat([Buffer.from(begin), Buffer.alloc(200_000), Buffer.from('\r\n--x--\r\n')]);
  const { hostname, port } = new URL(forgelog.url);
  const head = [
    `POST /api/v4/projects/${id}/uploads HTTP/1.1`,
    'Host: forgelog',
    `PRIVATE-TOKEN: ${forgelog.rootToken}`,
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${whole.length}`,
  ].join('\r\n');
  const end = await forgelog.system.store.head();
  for (const at of [0, 10, begin.length, begin.length + 70_000, whole.length - 9, whole.length - 1]) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    const sent = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), whole.subarray(0, at)]);
    await new Promise((done) => socket.write(sent, done));
    socket.destroy();
    await once(socket, 'close');
  }
  const { clock, ...ports } = forgelog.portsOf('repo');
  const tomorrow = () => new Date(clock().getTime() + 25 * 3_600_000);
  await expect
    .poll(async () => {
      await removeUnnamedUploads({ ...ports, clock: tomorrow });
      return objectsOf();
    })
    .toEqual(before);
  const since = await forgelog.system.store.readAll({ after: end, limit: 100 });
  expect(since.map(({ type }) => type)).not.toContain('UploadCreated');
  expect((await forgelog.post(`/projects/${id}/uploads`, formWith({ name: 'a.bin' }))).status).toBe(201);
});
