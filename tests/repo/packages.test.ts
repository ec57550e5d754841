import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { newTestBucket } from '@forgelog/object-store/testing/s3-buckets.ts';
import { removeUnnamedPackageFiles } from '@forgelog/repo/packages/unnamed-package-files.worker.ts';
import { Gitlab } from '@gitbeaker/rest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { startJob } from '../support/sample-job.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  // In a bucket where there is a server for it, as with `npm run test:real`, and else in files.
  forgelog = await startForgelog({ environment: { ...(await newTestBucket()) } });
});
afterAll(() => forgelog.stop());

const objectsOf = async (projectId: number) =>
  (await Array.fromAsync(forgelog.portsOf('repo').objects.list(`packages/${projectId}/`))).map(
    ({ key }) => key,
  );
const projectOf = async (path: string) => (await must(forgelog.post('/projects', { path }))).id as number;
const addressOf = (id: number, file: string, version = '1.0') =>
  `/projects/${id}/packages/generic/tools/${version}/${file}`;

test('a large file streams in and out, counts, and goes with its project', async () => {
  const id = await projectOf('large');
  const bytes = Buffer.alloc(20 * 1024 * 1024);
  for (let at = 0; at < bytes.length; at += 4096) bytes.writeUInt32BE(at, at);
  expect((await forgelog.call('PUT', addressOf(id, 'large.bin'), { body: bytes })).status).toBe(201);
  const headers = { 'PRIVATE-TOKEN': forgelog.rootToken };
  const answer = await fetch(`${forgelog.url}/api/v4${addressOf(id, 'large.bin')}`, { headers });
  const hash = createHash('sha256');
  for await (const chunk of answer.body!) hash.update(chunk);
  expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
  const { statistics } = await must(forgelog.get(`/projects/${id}?statistics=true`));
  expect(statistics.packages_size).toBe(bytes.length);
  expect(await objectsOf(id)).toHaveLength(1);
  await forgelog.delete(`/projects/${id}`);
  await expect.poll(() => objectsOf(id)).toEqual([]);
});

test('statistics of a group count the packages below it', async () => {
  const group = await must(forgelog.post('/groups', { name: 'sized', path: 'sized' }));
  const { id } = await must(forgelog.post('/projects', { path: 'p', namespace_id: group.id }));
  for (const file of ['a', 'b']) await must(forgelog.call('PUT', addressOf(id, file), { body: '12345' }));
  const size = async () => {
    const { body } = await forgelog.get('/groups?statistics=true&search=sized');
    return body[0].statistics.packages_size;
  };
  await expect.poll(size).toBe(10);
  const [{ id: packageId }] = await must(forgelog.get(`/groups/${group.id}/packages`));
  await must(forgelog.delete(`/projects/${id}/packages/${packageId}`));
  await expect.poll(size).toBe(0);
  await expect.poll(() => objectsOf(id)).toEqual([]);
});

test('a running job uploads and reads with its token, and no longer', async () => {
  const id = await projectOf('built');
  const job = await startJob(forgelog, id);
  const asJob = { token: null, headers: { 'JOB-TOKEN': job.token } };
  expect((await forgelog.call('PUT', addressOf(id, 'a.txt'), { ...asJob, body: 'built' })).status).toBe(201);
  expect((await forgelog.get(addressOf(id, 'a.txt'), asJob)).text).toBe('built');
  expect((await forgelog.get(`/projects/${id}/packages`, asJob)).body).toMatchObject([{ name: 'tools' }]);
  await job.end();
  expect((await forgelog.get(addressOf(id, 'a.txt'), asJob)).status).toBe(401);
});

test('a deploy token reads or writes the packages of its place, by its scopes', async () => {
  const group = await must(forgelog.post('/groups', { name: 'deployed', path: 'deployed' }));
  const { id } = await must(forgelog.post('/projects', { path: 'p', namespace_id: group.id }));
  const elsewhere = await projectOf('elsewhere');
  const tokenOf = async (place: string, scope: string) => {
    const { token } = await must(forgelog.post(`${place}/deploy_tokens`, { name: scope, scopes: [scope] }));
    return { token: null, headers: { 'DEPLOY-TOKEN': token } };
  };
  const reader = await tokenOf(`/projects/${id}`, 'read_package_registry');
  const writer = await tokenOf(`/groups/${group.id}`, 'write_package_registry');
  const cloner = await tokenOf(`/projects/${id}`, 'read_repository');
  const put = async (as: object, project = id) =>
    (await forgelog.call('PUT', addressOf(project, 'a.txt'), { ...as, body: 'deployed' })).status;
  expect([await put(reader), await put(cloner), await put(writer)]).toEqual([403, 403, 201]);
  expect(await put(writer, elsewhere)).toBe(404);
  for (const as of [reader, writer]) {
    expect((await forgelog.get(addressOf(id, 'a.txt'), as)).text).toBe('deployed');
    const [{ id: packageId }] = await must(forgelog.get(`/projects/${id}/packages`, as));
    expect((await forgelog.get(`/projects/${id}/packages/${packageId}/package_files`, as)).status).toBe(200);
    expect((await forgelog.delete(`/projects/${id}/packages/${packageId}`, as)).status).toBe(403);
  }
  expect((await forgelog.get(`/groups/${group.id}/packages`, writer)).body).toMatchObject([
    { project_id: id },
  ]);
  expect((await forgelog.get(`/groups/${group.id}/packages`, reader)).status).toBe(404);
  expect((await forgelog.get(addressOf(id, 'a.txt'), cloner)).status).toBe(403);
});

test('tokens come as passwords of HTTP Basic too, where package managers ask', async () => {
  const id = await projectOf('basic');
  const job = await startJob(forgelog, id);
  const { username, token } = await must(
    forgelog.post(`/projects/${id}/deploy_tokens`, { name: 'd', scopes: ['read_package_registry'] }),
  );
  await must(forgelog.call('PUT', addressOf(id, 'a.txt'), { body: 'basic' }));
  const as = (name: string, password: string) => ({
    token: null,
    headers: { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
  });
  const statusOf = async (given: object, path = addressOf(id, 'a.txt')) =>
    (await forgelog.get(path, given)).status;
  const statuses = [
    await statusOf(as('anybody', forgelog.rootToken)),
    await statusOf(as('gitlab-ci-token', job.token)),
    await statusOf(as(username, token)),
  ];
  expect(statuses).toEqual([200, 200, 200]);
  const put = await forgelog.call('PUT', addressOf(id, 'b.txt'), {
    ...as('gitlab-ci-token', job.token),
    body: 'x',
  });
  expect(put.status).toBe(201);
  expect(
    (await forgelog.call('PUT', addressOf(id, 'b.txt'), { ...as(username, token), body: 'x' })).status,
  ).toBe(403);
  await must(forgelog.put(`/projects/${id}`, { visibility: 'public' }));
  for (const wrong of [as('root', 'wrong'), as('other', token), as('somebody', job.token)])
    expect(await statusOf(wrong), JSON.stringify(wrong)).toBe(401);
  expect(await statusOf({ token: null, headers: { Authorization: 'Basic ***' } })).toBe(401);
  expect(await statusOf({ token: null })).toBe(200);
  const asked = await forgelog.call('PUT', addressOf(id, 'b.txt'), { token: null, body: 'x' });
  expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Forgelog"']);
  // A token that comes by its own header counts, and other endpoints read no Basic.
  expect(await statusOf({ ...as('x', 'wrong'), token: forgelog.rootToken })).toBe(200);
  expect(await statusOf(as('anybody', forgelog.rootToken), '/user')).toBe(401);
});

test('a token that may not write the API is no token for packages', async () => {
  const id = await projectOf('scoped');
  const user = await must(forgelog.get('/user'));
  const { token } = await must(
    forgelog.post(`/users/${user.id}/personal_access_tokens`, { name: 'r', scopes: ['read_api'] }),
  );
  const refused = await forgelog.call('PUT', addressOf(id, 'a.txt'), { token, body: 'x' });
  expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
  expect((await forgelog.get(`/projects/${id}/packages`, { token })).status).toBe(200);
});

test('a stock client of the API publishes, lists, downloads and removes', async () => {
  const id = await projectOf('stock');
  const { token } = await createUser(forgelog, { username: 'packer' });
  await must(forgelog.post(`/projects/${id}/members`, { user_id: 2, access_level: 40 }));
  const api = new Gitlab({ host: forgelog.url, token });
  const file = { content: new Blob(['from a form']), filename: 'a.txt' };
  const published = await api.PackageRegistry.publish(id, 'tools', '2.0', file, { select: 'package_file' });
  expect(published).toMatchObject({ file_name: 'a.txt', size: 11 });
  const [listed] = await api.Packages.all({ projectId: id, packageName: 'tools' });
  expect(listed).toMatchObject({ name: 'tools', version: '2.0', package_type: 'generic' });
  expect(await api.Packages.allFiles(id, listed!.id)).toMatchObject([{ file_name: 'a.txt' }]);
  const downloaded = await api.PackageRegistry.download(id, 'tools', '2.0', 'a.txt');
  expect(await (downloaded as unknown as Blob).text()).toBe('from a form');
  await api.Packages.remove(id, listed!.id);
  expect(await api.Packages.all({ projectId: id })).toEqual([]);
});

test('an upload that is cut off at any byte is never seen, and what it leaves is swept', async () => {
  const id = await projectOf('cut');
  const { hostname, port } = new URL(forgelog.url);
  const whole = Buffer.alloc(200_000, 1);
  const head = [
    `PUT /api/v4${addressOf(id, 'a.bin')} HTTP/1.1`,
    'Host: forgelog',
    `PRIVATE-TOKEN: ${forgelog.rootToken}`,
    `Content-Length: ${whole.length}`,
  ].join('\r\n');
  const end = await forgelog.system.store.head();
  for (const at of [0, 1, 70_000, whole.length - 1]) {
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
      await removeUnnamedPackageFiles({ ...ports, clock: tomorrow });
      return objectsOf(id);
    })
    .toEqual([]);
  const since = await forgelog.system.store.readAll({ after: end, limit: 100 });
  expect(since.map(({ type }) => type)).not.toContain('PackageFileCreated');
  expect((await forgelog.get(`/projects/${id}/packages`)).body).toEqual([]);
  expect((await forgelog.call('PUT', addressOf(id, 'a.bin'), { body: 'x' })).status).toBe(201);
});
