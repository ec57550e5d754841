import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  downloadGenericFile,
  uploadGenericFile,
} from '@forgelog/contracts/repo/packages/generic-package.api.ts';
import {
  deletePackage,
  deletePackageFile,
  getPackage,
  listGroupPackages,
  listPackageFiles,
  listProjectPackages,
} from '@forgelog/contracts/repo/packages/package.api.ts';
import { getProject, listProjects } from '@forgelog/contracts/repo/projects/project.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import {
  groupCreated,
  memberAdded,
  on,
  projectCreated,
  projectDeleted,
  type StreamedEvent,
  userCreated,
} from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { projectSlice } from '../projects/project.slice.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { packagePolicies } from './package.policy.ts';
import { packageSlice } from './package.slice.ts';
import { removeUnnamedPackageFiles } from './unnamed-package-files.worker.ts';

const GUEST = 5;
const ADMIN = 6;
const DAY_MS = 86_400_000;
const FORM = { 'content-type': 'multipart/form-data; boundary=x' };
const people = [...team, userCreated(GUEST), userCreated(ADMIN, { admin: true }), memberAdded(7, GUEST, 10)];

function inGroup(id: number, given: Parameters<typeof projectCreated>[1] = {}): StreamedEvent {
  const { stream, event } = projectCreated(id, given);
  return { stream, event: { ...event, data: { ...(event.data as object), namespaceId: 50, ownerId: null } } };
}

async function start(given = people) {
  let now = Date.parse('2030-01-01T00:00:00Z');
  const running = await startRepoSlices([projectSlice, packageSlice], given, () => new Date(now));
  const { call, ports } = running;
  const named = (file_name: string, package_version = '1.0', id = 7) => ({
    ...{ id, package_name: 'tools', package_version, file_name },
  });
  return {
    ...running,
    named,
    upload: (bytes: string | Buffer, file = 'a.txt', more: object = {}, as: number | null = DEVELOPER) =>
      call(uploadGenericFile, { ...named(file), ...more }, as, {
        payload: Buffer.from(bytes),
        headers: { 'content-type': 'application/octet-stream' },
      }),
    download: (file = 'a.txt', more: object = {}, as: number | null = REPORTER, headers = {}) =>
      call(downloadGenericFile, { ...named(file), ...more }, as, { headers }),
    keys: async () => (await Array.fromAsync(ports.objects.list('packages/'))).map(({ key }) => key).sort(),
    wait: (ms: number) => {
      now += ms;
    },
  };
}

const hash = (kind: string, bytes: string) => createHash(kind).update(bytes).digest('hex');

test('a file is stored and served, whole and in ranges, and the newest of its name', async () => {
  const { upload, download, keys } = await start();
  const { status, body, events } = await upload('first bytes');
  expect([status, body]).toEqual([201, { message: '201 Created' }]);
  expect(events.map(({ type }) => type)).toEqual(['PackageCreated', 'PackageFileCreated']);
  const chosen = await upload('second', 'a.txt', { select: 'package_file' });
  expect(chosen).toMatchObject({
    status: 201,
    body: {
      ...{ id: 2, package_id: 1, file_name: 'a.txt', size: 6, created_at: '2030-01-01T00:00:00.000Z' },
      file_sha256: hash('sha256', 'second'),
      file_sha1: hash('sha1', 'second'),
      file_md5: hash('md5', 'second'),
      file: {
        url: expect.stringMatching(/\/api\/v4\/projects\/7\/packages\/generic\/[^/]+\/[^/]+\/a\.txt$/),
      },
    },
    events: [{ type: 'PackageFileCreated' }],
  });
  expect(await keys()).toEqual([
    `packages/7/1.${hash('sha256', 'first bytes')}`,
    `packages/7/2.${hash('sha256', 'second')}`,
  ]);
  const got = await download();
  expect(got).toMatchObject({
    status: 200,
    body: Buffer.from('second'),
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; filename="a.txt"/),
      'x-content-type-options': 'nosniff',
    },
  });
  const part = await download('a.txt', {}, REPORTER, { range: 'bytes=1-3' });
  expect(part).toMatchObject({ status: 206, body: Buffer.from('eco') });
  const known = { 'if-none-match': got.headers.etag };
  expect((await download('a.txt', {}, REPORTER, known)).status).toBe(304);
  for (const missing of [['b.txt'], ['a.txt', { package_version: '1.1' }], ['a.txt', { package_name: 'x' }]])
    expect(await download(...(missing as [string, object]))).toMatchObject({
      ...{ status: 404, body: { message: '404 Not found' } },
    });
});

test('a file comes in a form too, with its options behind it, and compressed', async () => {
  const { call, named, download } = await start();
  const form = [
    '--x\r\nContent-Disposition: form-data; name="file"; filename="other"\r\n\r\nin a form',
    '\r\n--x\r\nContent-Disposition: form-data; name="select"\r\n\r\npackage_file',
    '\r\n--x\r\nContent-Disposition: form-data; name="status"\r\n\r\nhidden\r\n--x--\r\n',
  ];
  const sent = (parts: string[]) =>
    call(uploadGenericFile, named('a.txt'), DEVELOPER, { payload: parts.join(''), headers: FORM });
  expect(await sent(form)).toMatchObject({
    ...{ status: 201, body: { file_name: 'a.txt', size: 9 } },
    events: [{ data: { status: 'hidden' } }, {}],
  });
  expect((await download()).body.toString()).toBe('in a form');
  expect(await sent([form[0]!, form[1]!.replace('package_file', 'all'), '\r\n--x--\r\n'])).toMatchObject({
    ...{ status: 400, events: [] },
  });
  expect(await sent([form[0]!])).toMatchObject({ status: 400, events: [] });
  const packed = { payload: gzipSync('packed'), headers: { 'content-encoding': 'gzip' } };
  expect((await call(uploadGenericFile, named('b.txt'), DEVELOPER, packed)).status).toBe(201);
  expect((await download('b.txt')).body.toString()).toBe('packed');
});

test('names that a path would read otherwise are refused', async () => {
  const { upload, keys } = await start();
  for (const wrong of [
    { file_name: '../a.txt' },
    { file_name: 'a/b.txt' },
    { file_name: '..' },
    { file_name: '.' },
    { file_name: '~a' },
    { file_name: 'ä.txt' },
    { file_name: 'a\nb' },
    { package_name: 'a b' },
    { package_name: 'a/../b' },
    { package_name: '@scope/x' },
    { package_version: '1..0' },
    { package_version: '1/0' },
    { package_version: '.' },
    { package_version: 'x'.repeat(256) },
  ]) {
    const [name] = Object.keys(wrong);
    expect(await upload('x', 'a.txt', wrong), JSON.stringify(wrong)).toMatchObject({
      ...{ status: 400, body: { error: expect.stringContaining(name!) }, events: [] },
    });
  }
  expect(await keys()).toEqual([]);
  for (const [file_name, package_version] of [
    ['a.tar.gz', '1.0.0-rc.1+build'],
    ['~'.padStart(3, 'a'), 'v1'],
  ])
    expect((await upload('x', file_name, { package_version })).status).toBe(201);
});

test('the plan limits the size, to the byte, and nothing of what is larger stays', async () => {
  const limited = (bytes: number) =>
    on('planLimits-default', {
      type: 'PlanLimitsUpdated',
      data: { plan: 'default', changes: { generic_packages_max_file_size: bytes }, previous: null },
    });
  const { upload, keys, call, named } = await start([...people, limited(10)]);
  expect(await upload('x'.repeat(11))).toMatchObject({
    ...{ status: 400, body: { message: '400 Bad request - File is too large' }, events: [] },
  });
  // What hides its size is cut off on its way.
  const packed = { payload: gzipSync('x'.repeat(100_000)), headers: { 'content-encoding': 'gzip' } };
  expect(await call(uploadGenericFile, named('b'), DEVELOPER, packed)).toMatchObject({
    ...{ status: 400, body: { message: '400 Bad request - File is too large' }, events: [] },
  });
  expect(await keys()).toEqual([]);
  expect((await upload('x'.repeat(10))).status).toBe(201);
  expect((await upload('')).status).toBe(201);
  const without = await start([...people, limited(0)]);
  expect((await without.upload('x'.repeat(5000))).status).toBe(201);
});

test('packages are listed by kind, name, version and status', async () => {
  const { call, upload } = await start();
  await upload('x', 'a.txt', { package_version: '2.0' });
  await upload('x', 'a.txt', { package_version: '1.0' });
  await upload('x', 'a.txt', { package_name: 'Engine', status: 'hidden' });
  const list = async (params: object) =>
    (await call(listProjectPackages, { id: 7, ...params }, REPORTER)).body.map(
      ({ id }: { id: number }) => id,
    );
  expect(await list({})).toEqual([1, 2]);
  expect(await list({ order_by: 'version' })).toEqual([2, 1]);
  expect(await list({ order_by: 'name', sort: 'desc' })).toEqual([2, 1]);
  expect(await list({ status: 'hidden', package_name: 'ENG' })).toEqual([3]);
  expect(await list({ package_name: 'ool', package_version: '1.0' })).toEqual([2]);
  expect(await list({ package_type: 'npm' })).toEqual([]);
  expect(await list({ package_type: 'generic', include_versionless: true })).toEqual([1, 2]);
  const { body } = await call(getPackage, { id: 7, package_id: 1 }, REPORTER);
  expect(body).toEqual({
    ...{ id: 1, name: 'tools', version: '2.0', package_type: 'generic', status: 'default' },
    ...{ _links: { web_path: '/user1/project7/-/packages/1' }, created_at: '2030-01-01T00:00:00.000Z' },
    ...{ tags: [], pipelines: [] },
    versions: [{ id: 2, version: '1.0', created_at: '2030-01-01T00:00:00.000Z', tags: [], pipelines: [] }],
  });
  const seen = await call(getPackage, { id: 7, package_id: 1 }, OWNER);
  expect(seen.body._links.delete_api_path).toBe('http://forgelog.test/api/v4/projects/7/packages/1');
  expect(await call(getPackage, { id: 7, package_id: 9 }, OWNER)).toMatchObject({ status: 404 });
});

test('a group lists what its projects have, as far as each caller may read it', async () => {
  const { call, upload } = await start([
    ...people,
    groupCreated(50, { visibility: 'public' }),
    ...[inGroup(8, { visibility: 'public' }), memberAdded(8, DEVELOPER, 30)],
    ...[inGroup(9), memberAdded(9, DEVELOPER, 30)],
    memberAdded(9, GUEST, 10),
  ]);
  for (const id of [9, 8]) await upload('x', 'a.txt', { id });
  const list = async (as: number | null, params: object = {}) => {
    const { body } = await call(listGroupPackages, { id: 50, ...params }, as);
    return body.map(({ project_id }: { project_id: number }) => project_id);
  };
  expect(await list(DEVELOPER)).toEqual([9, 8]);
  expect(await list(DEVELOPER, { order_by: 'project_path' })).toEqual([8, 9]);
  expect(await list(DEVELOPER, { order_by: 'project_path', sort: 'desc' })).toEqual([9, 8]);
  // Guests of a private project have its packages as little as its code.
  for (const caller of [GUEST, OUTSIDER, null]) expect(await list(caller), String(caller)).toEqual([8]);
  const off = await start([
    ...people,
    groupCreated(50, { visibility: 'public' }),
    inGroup(8, { settings: { packages_enabled: false } }),
  ]);
  expect((await off.call(listGroupPackages, { id: 50 }, ADMIN)).body).toEqual([]);
});

test('rights: readers of code read, developers write, maintainers delete', async () => {
  const { call, upload, download, named, keys } = await start();
  await upload('x');
  for (const as of [GUEST]) {
    expect((await download('a.txt', {}, as)).status).toBe(403);
    expect((await call(listProjectPackages, { id: 7 }, as)).status).toBe(403);
  }
  for (const as of [OUTSIDER, null]) expect((await download('a.txt', {}, as)).status).toBe(404);
  expect(await upload('x', 'a.txt', {}, REPORTER)).toMatchObject({ status: 403, events: [] });
  expect(await upload('x', 'a.txt', {}, null)).toMatchObject({ status: 401, events: [] });
  const ids = { id: 7, package_id: 1, package_file_id: 1 };
  for (const endpoint of [deletePackageFile, deletePackage])
    expect(await call(endpoint, ids, DEVELOPER)).toMatchObject({ status: 403, events: [] });
  // By way of another project.
  const other = await start([...people, projectCreated(8)]);
  await other.upload('x');
  for (const endpoint of [getPackage, listPackageFiles, deletePackage, deletePackageFile])
    expect((await other.call(endpoint, { ...ids, id: 8 }, OWNER)).status).toBe(404);
  expect((await call(deletePackageFile, ids, OWNER)).status).toBe(204);
  expect((await call(deletePackageFile, ids, OWNER)).status).toBe(404);
  expect((await call(listPackageFiles, { id: 7, package_id: 1 }, REPORTER)).body).toEqual([]);
  expect((await call(downloadGenericFile, named('a.txt'), REPORTER)).status).toBe(404);
  expect((await call(deletePackage, ids, OWNER)).status).toBe(204);
  expect((await call(deletePackage, ids, OWNER)).status).toBe(404);
  expect(await keys()).toHaveLength(1);
});

test('a project whose packages are off, or that is archived, takes none', async () => {
  const off = await start([...people, projectCreated(8, { settings: { packages_enabled: false } })]);
  expect((await off.upload('x', 'a', { id: 8 }, OWNER)).status).toBe(403);
  expect((await off.download('a', { id: 8 }, OWNER)).status).toBe(403);
  expect((await off.call(getProject, { id: 8 }, OWNER)).body.packages_enabled).toBe(false);
  expect((await off.call(getProject, { id: 7 }, OWNER)).body.packages_enabled).toBe(true);
  expect(await off.keys()).toEqual([]);
  const archived = on('project-7', {
    type: 'ProjectArchived',
    data: { projectId: 7, changes: { archived: true }, previous: { archived: false } },
  });
  const isArchived = await start([...people, archived]);
  expect(await isArchived.upload('x')).toMatchObject({ status: 403, events: [] });
});

test('two first files at once are one package', async () => {
  const { call, upload, keys } = await start();
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((file) => upload(file, file)));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect((await call(listProjectPackages, { id: 7 }, OWNER)).body).toHaveLength(1);
  const files = await call(listPackageFiles, { id: 7, package_id: 1 }, OWNER).then(({ body }) => body);
  expect(files ?? []).toHaveLength(4);
  expect(await keys()).toHaveLength(4);
});

test('bytes go with their file, their package and their project, and what nobody names is swept', async () => {
  const { call, upload, keys, ports, repo, wait } = await start();
  const [ofProject, ofFiles] = packagePolicies(repo);
  const react = (policy: typeof ofProject, event: object) =>
    policy!.react({ ...event, id: 'id', metadata: SYSTEM_METADATA } as never, new AbortController().signal);
  for (const file of ['a', 'b', 'c']) await upload(file, file);
  const one = { id: 7, package_id: 1, package_file_id: 1 };
  for (const round of [1, 2]) {
    const { events } = await call(deletePackageFile, { ...one, package_file_id: round }, OWNER);
    for (let again = 0; again < 2; again += 1) await react(ofFiles, events[0]!);
    expect(await keys()).toHaveLength(3 - round);
  }
  const { events } = await call(deletePackage, one, OWNER);
  await react(ofFiles, events[0]!);
  expect(await keys()).toEqual([]);

  await upload('kept', 'kept');
  const [kept] = await keys();
  const unnamed = [`packages/7/99.${'a'.repeat(64)}`, kept!.replace('/7/', '/70/')];
  for (const key of [...unnamed, 'packages/7/other']) await ports.objects.put(key, Buffer.from('x'));
  await removeUnnamedPackageFiles(ports);
  expect(await keys()).toHaveLength(4);
  wait(DAY_MS + 1);
  await removeUnnamedPackageFiles(ports);
  expect(await keys()).toEqual([kept!, 'packages/7/other'].sort());

  await ports.objects.delete('packages/7/other');
  const elsewhere = kept!.replace('/7/', '/70/');
  await ports.objects.put(elsewhere, Buffer.from('x'));
  for (let round = 0; round < 2; round += 1) await react(ofProject, projectDeleted(7).event);
  expect(await keys()).toEqual([elsewhere]);
});

test('statistics count the bytes of packages', async () => {
  const { call, upload } = await start();
  const sizes = async () => {
    const { statistics } = (await call(getProject, { id: 7, statistics: true }, OWNER)).body;
    return [statistics.packages_size, statistics.storage_size - statistics.repository_size];
  };
  await upload('12345');
  await upload('1234567890', 'b');
  expect(await sizes()).toEqual([15, 15]);
  for (const order_by of ['packages_size', 'storage_size']) {
    const { body } = await call(listProjects, { order_by, sort: 'desc' }, ADMIN);
    expect(body[0].id).toBe(7);
  }
  await call(deletePackageFile, { id: 7, package_id: 1, package_file_id: 1 }, OWNER);
  expect(await sizes()).toEqual([10, 10]);
  await call(deletePackage, { id: 7, package_id: 1 }, OWNER);
  expect(await sizes()).toEqual([0, 0]);
});
