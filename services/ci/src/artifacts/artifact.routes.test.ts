import { createHash } from 'node:crypto';
import {
  deleteArtifacts,
  downloadArtifacts,
  downloadNewestArtifacts,
  getArtifactFile,
  getNewestArtifactFile,
  keepArtifacts,
} from '@forgelog/contracts/ci/artifacts/artifact.api.ts';
import {
  authorizeArtifact,
  downloadDependency,
  uploadArtifact,
} from '@forgelog/contracts/ci/artifacts/runner-artifact.api.ts';
import { projectCreated } from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { artifactKey, jobArtifacts } from '../jobs/jobs.collection.ts';
import { artifactObject } from '../objects/object-keys.ts';
import { jobTokens } from '../runners/job-token.ts';
import { zipOf } from '../testing/sample-archive.ts';
import { jobFacts } from '../testing/sample-pipeline.ts';
import { passed, projectUpdated, startPipelines } from '../testing/start-pipelines.ts';
import { artifactSlice } from './artifact.slice.ts';
import { deleteExpiredArtifacts } from './expired-artifacts.worker.ts';

const BOUNDARY = 'x-boundary';
const FORM = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
const PLACE = { projectId: 7, pipelineId: 1, jobId: 1 };

/** A form as runners send it. */
function formOf(bytes: Buffer, filename = 'artifacts.zip'): Buffer {
  const head = `Content-Disposition: form-data; name="file"; filename="${filename}"`;
  const begin = `--${BOUNDARY}\r\n${head}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return Buffer.concat([Buffer.from(begin), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const PARENT_PIPELINE = { source: 'parent_pipeline' } as const;

async function start(given: Parameters<typeof startPipelines>[0] = {}) {
  const running = await startPipelines({ ...given, slices: [artifactSlice] });
  const { ports, call, create } = running;
  const tokenOf = (jobId: number) => jobTokens(ports).of(jobId);
  return {
    ...running,
    tokenOf,
    upload: (jobId: number, payload: Buffer, params: object = {}, token = tokenOf(jobId)) =>
      call(uploadArtifact, { id: jobId, ...params }, null, {
        payload,
        headers: { ...FORM, 'job-token': token },
      }),
    fetch: (jobId: number, token: string, headers = {}) =>
      call(downloadDependency, { id: jobId }, null, { headers: { 'job-token': token, ...headers } }),
    /** A pipeline whose jobs `first` and the next one run. */
    async run(first = 1, more: Parameters<typeof create>[1] = {}) {
      const made = await create([jobFacts('build'), jobFacts('test')], more);
      for (const jobId of [first, first + 1]) await made.act({ type: 'StartJob', jobId, runnerId: 5 });
      return made;
    },
    keys: async () => (await Array.fromAsync(ports.objects.list(''))).map(({ key }) => key).sort(),
  };
}

test('a runner uploads an archive, which is there once its event is', async () => {
  const { run, upload, call, keys } = await start();
  await run();
  const bytes = await zipOf({ 'out/a.txt': 'text' });
  const uploaded = await upload(1, formOf(bytes), { expire_in: '2 hours' });
  const expiresAt = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(uploaded).toMatchObject({
    status: 201,
    events: [
      {
        type: 'JobArtifactAdded',
        data: {
          ...{ jobId: 1, fileType: 'archive', fileFormat: 'zip', filename: 'artifacts.zip', expiresAt },
          ...{ size: bytes.length, sha256: sha256Of(bytes) },
        },
      },
    ],
  });
  expect(await keys()).toEqual([artifactObject(PLACE, 'archive', sha256Of(bytes))]);
  const got = await call(downloadArtifacts, { id: 7, job_id: 1 }, REPORTER);
  expect(got).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'application/zip',
      'content-length': String(bytes.length),
      'content-disposition': expect.stringContaining('attachment; filename="artifacts.zip"'),
      'x-content-type-options': 'nosniff',
    },
  });
  expect(bytes.equals(got.body)).toBe(true);
  const part = await call(downloadArtifacts, { id: 7, job_id: 1 }, REPORTER, {
    headers: { range: 'bytes=2-5' },
  });
  expect(part).toMatchObject({ status: 206, body: bytes.subarray(2, 6) });
  const known = { headers: { 'if-none-match': String(got.headers.etag) } };
  expect(await call(downloadArtifacts, { id: 7, job_id: 1 }, REPORTER, known)).toMatchObject({ status: 304 });
});

test('the same upload again changes nothing, and another of its type is refused and not kept', async () => {
  const { run, upload, keys } = await start();
  await run();
  await upload(1, formOf(Buffer.from('one')));
  const before = await keys();
  expect(await upload(1, formOf(Buffer.from('one')))).toMatchObject({ status: 201, events: [] });
  expect(await upload(1, formOf(Buffer.from('two')))).toMatchObject({ status: 400, events: [] });
  expect(await keys()).toEqual(before);
  const report = { artifact_type: 'junit', artifact_format: 'gzip' };
  expect(await upload(1, formOf(Buffer.from('two')), report)).toMatchObject({ status: 201 });
});

test('an upload without the token of its running job stores nothing', async () => {
  const { run, upload, tokenOf, keys } = await start();
  const pipeline = await run();
  for (const token of ['', 'x', tokenOf(2), `${tokenOf(1)}x`])
    expect(await upload(1, formOf(Buffer.from('x')), {}, token)).toMatchObject({ status: 403, events: [] });
  await pipeline.act({ ...passed, jobId: 1 });
  const late = await upload(1, formOf(Buffer.from('x')));
  expect(late).toMatchObject({ status: 403, headers: { 'job-status': 'success' } });
  expect(await keys()).toEqual([]);
});

test('a broken form stores nothing', async () => {
  const { run, upload, keys } = await start();
  await run();
  for (const [payload, status] of [
    [formOf(Buffer.from('x')).subarray(0, -10), 400],
    [Buffer.from('no form'), 400],
    [Buffer.from(`--${BOUNDARY}--\r\n`), 400],
  ] as const)
    expect(await upload(1, payload)).toMatchObject({ status, events: [] });
  expect(await upload(1, formOf(Buffer.from('x')), { artifact_type: '../x' })).toMatchObject({ status: 400 });
  expect(await keys()).toEqual([]);
});

test('a runner asks before whether a file would be too large', async () => {
  const { run, call, tokenOf } = await start();
  await run();
  const ask = (filesize: number, token = tokenOf(1)) =>
    call(authorizeArtifact, { id: 1, filesize }, null, { headers: { 'job-token': token } });
  expect(await ask(1024 ** 3)).toMatchObject({ status: 200 });
  expect(await ask(1024 ** 3 + 1)).toMatchObject({ status: 413 });
  expect(await ask(1, 'x')).toMatchObject({ status: 403 });
});

test('expiry is what the configuration says, never, or thirty days', async () => {
  const { run, upload, ports } = await start();
  await run();
  const minutesOf = async (fileType: string, expire_in?: string) => {
    await upload(1, formOf(Buffer.from(fileType)), {
      artifact_type: fileType,
      ...(expire_in && { expire_in }),
    });
    const row = await ports.readStore.get(jobArtifacts, artifactKey(1, fileType));
    return row!.expiresAt && Math.round((Date.parse(row!.expiresAt) - Date.now()) / 60_000);
  };
  expect(await minutesOf('archive', '1 day 2 hrs')).toBe(26 * 60);
  expect(await minutesOf('junit', 'never')).toBeNull();
  expect(await minutesOf('terraform')).toBe(30 * 24 * 60);
  expect(await minutesOf('lsif', 'soon')).toBe(30 * 24 * 60);
  expect(await minutesOf('sast', '120')).toBe(2);
});

test('a running job downloads what jobs of its project left, even after they ended, and nothing of hidden projects', async () => {
  const { run, upload, fetch, tokenOf, create } = await start({
    given: [projectCreated(8, { ownerId: OWNER }), projectCreated(9, { ownerId: OUTSIDER })],
  });
  const pipeline = await run();
  const bytes = await zipOf({ a: 'b' });
  await upload(1, formOf(bytes));
  await pipeline.act({ ...passed, jobId: 1 });
  const got = await fetch(1, tokenOf(2));
  expect(got.status).toBe(200);
  expect(bytes.equals(got.body)).toBe(true);
  expect(await fetch(1, tokenOf(2), { range: 'bytes=0-1' })).toMatchObject({ status: 206 });
  // The job itself has ended, a job without archive, and one that is not there.
  expect(await fetch(1, tokenOf(1))).toMatchObject({ status: 403 });
  expect(await fetch(2, tokenOf(2))).toMatchObject({ status: 404 });
  expect(await fetch(99, tokenOf(2))).toMatchObject({ status: 404 });
  for (const [projectId, jobId, status] of [
    [8, 3, 200],
    [9, 4, 404],
  ] as const) {
    const other = await create([jobFacts('build')], { projectId, userId: OWNER });
    await other.act({ type: 'StartJob', jobId, runnerId: 5 });
    await upload(jobId, formOf(bytes));
    expect(await fetch(jobId, tokenOf(2))).toMatchObject({ status });
  }
});

test('one file comes out of an archive, with a type that no browser runs', async () => {
  const { run, upload, call } = await start();
  await run();
  const files = { 'out/page.html': '<script>1</script>', 'out/ü.json': '{}', 'a.txt': 'text' };
  await upload(1, formOf(await zipOf(files)));
  const get = (artifact_path: string, headers = {}) =>
    call(getArtifactFile, { id: 7, job_id: 1, artifact_path }, REPORTER, { headers });
  const page = await get('out/page.html');
  expect(page).toMatchObject({
    status: 200,
    headers: {
      ...{ 'content-type': 'application/octet-stream', 'content-length': '18' },
      ...{ 'x-content-type-options': 'nosniff', 'content-disposition': expect.stringMatching(/^attachment/) },
    },
  });
  expect(String(page.body)).toBe(files['out/page.html']);
  expect((await get('out/ü.json')).headers['content-type']).toBe('application/json');
  expect(await get('a.txt', { 'if-none-match': (await get('a.txt')).headers.etag })).toMatchObject({
    status: 304,
  });
  for (const missing of ['out', 'b.txt', 'A.txt']) expect(await get(missing)).toMatchObject({ status: 404 });
  for (const wrong of ['../a.txt', 'out/../a.txt', './a.txt', 'out//page.html', 'out/', 'a\\b'])
    expect(await get(wrong)).toMatchObject({ status: 400 });
});

test('an archive that is none says so', async () => {
  const { run, upload, call } = await start();
  await run();
  await upload(1, formOf(Buffer.from('no archive')));
  const got = await call(getArtifactFile, { id: 7, job_id: 1, artifact_path: 'a' }, REPORTER);
  expect(got).toMatchObject({ status: 400, body: { message: expect.stringContaining('cannot be read') } });
});

test('the newest pipeline of a ref that succeeded is asked, itself before its children', async () => {
  const { run, upload, call } = await start();
  const succeed = async (first: number, more: Parameters<typeof run>[1], text: string, jobs = [first]) => {
    const pipeline = await run(first, more);
    for (const jobId of jobs) await upload(jobId, formOf(await zipOf({ text })));
    for (const jobId of [first, first + 1]) await pipeline.act({ ...passed, jobId });
  };
  const download = async (ref_name: string, job: string) => {
    const got = await call(downloadNewestArtifacts, { id: 7, ref_name, job }, REPORTER);
    if (got.status !== 200) return got.status;
    const file = { id: 7, ref_name, job, artifact_path: 'text' };
    return String((await call(getNewestArtifactFile, file, REPORTER)).body);
  };
  const child = { ...PARENT_PIPELINE, parent: { projectId: 7, pipelineId: 2, jobId: 3 } };
  await succeed(1, {}, 'old');
  await succeed(3, {}, 'new');
  await succeed(5, child, 'child', [5, 6]);
  await run(7);
  expect(await download('main', 'build')).toBe('new');
  expect(await download('main', 'test')).toBe('child');
  expect(await download('main', 'deploy')).toBe(404);
  for (const none of ['HEAD', 'a'.repeat(40), 'other', 'refs/heads/main'])
    expect(await download(none, 'build')).toBe(404);
});

test('kept artifacts do not expire, and deleted ones are gone', async () => {
  const { run, upload, call, ports } = await start();
  await run();
  await upload(1, formOf(await zipOf({ a: 'b' })), { expire_in: '1' });
  const one = { id: 7, job_id: 1 };
  const kept = await call(keepArtifacts, one, DEVELOPER);
  expect(kept).toMatchObject({
    status: 200,
    body: { id: 1, artifacts: [{ file_type: 'archive' }], artifacts_expire_at: null },
    events: [{ type: 'JobArtifactsKept' }],
  });
  await deleteExpiredArtifacts({ ...ports, clock: () => new Date(Date.now() + 60_000) });
  expect(await call(downloadArtifacts, one, REPORTER)).toMatchObject({ status: 200 });
  expect(await call(deleteArtifacts, one, DEVELOPER)).toMatchObject({ status: 403 });
  expect(await call(deleteArtifacts, one, OWNER)).toMatchObject({
    status: 204,
    events: [{ type: 'JobArtifactDeleted', data: { fileType: 'archive', reason: 'deleted' } }],
  });
  for (const [endpoint, caller] of [
    [downloadArtifacts, REPORTER],
    [keepArtifacts, DEVELOPER],
    [deleteArtifacts, OWNER],
  ] as const)
    expect(await call(endpoint, one, caller)).toMatchObject({ status: 404 });
});

test('expired artifacts are deleted, but not those of the newest pipeline that succeeded', async () => {
  const { run, upload, call, ports } = await start();
  for (const first of [1, 3]) {
    const pipeline = await run(first);
    await upload(first, formOf(await zipOf({ a: String(first) })), { expire_in: '1 hour' });
    for (const jobId of [first, first + 1]) await pipeline.act({ ...passed, jobId });
  }
  const statuses = async (minutes: number) => {
    for (let round = 0; round < 2; round += 1)
      await deleteExpiredArtifacts({ ...ports, clock: () => new Date(Date.now() + minutes * 60_000) });
    const got = [1, 3].map((job_id) => call(downloadArtifacts, { id: 7, job_id }, REPORTER));
    return (await Promise.all(got)).map(({ status }) => status);
  };
  expect(await statuses(59)).toEqual([200, 200]);
  expect(await statuses(61)).toEqual([404, 200]);
  await run(5);
  expect(await statuses(61)).toEqual([404, 404]);
});

test('a project may let the newest artifacts expire too', async () => {
  const off = projectUpdated(7, { settings: { keep_latest_artifact: false } });
  const { run, upload, call, ports } = await start({ given: [off] });
  const pipeline = await run();
  await upload(1, formOf(await zipOf({ a: 'b' })), { expire_in: '1 hour' });
  for (const jobId of [1, 2]) await pipeline.act({ ...passed, jobId });
  await deleteExpiredArtifacts({ ...ports, clock: () => new Date(Date.now() + 61 * 60_000) });
  expect(await call(downloadArtifacts, { id: 7, job_id: 1 }, REPORTER)).toMatchObject({ status: 404 });
});

test('an instance may let the newest artifacts expire, whatever projects say', async () => {
  const { run, upload, call, ports } = await start();
  const pipeline = await run();
  await upload(1, formOf(await zipOf({ a: 'b' })), { expire_in: '1 hour' });
  for (const jobId of [1, 2]) await pipeline.act({ ...passed, jobId });
  const later = { ...ports, clock: () => new Date(Date.now() + 61 * 60_000) };
  const statusAfter = async (keeps: 'on' | 'off') => {
    const configuration = { ...ports.configuration, CI_KEEP_LATEST_ARTIFACTS: keeps };
    await deleteExpiredArtifacts({ ...later, configuration });
    return (await call(downloadArtifacts, { id: 7, job_id: 1 }, REPORTER)).status;
  };
  expect([await statusAfter('on'), await statusAfter('off')]).toEqual([200, 404]);
});

test('artifacts of a child are kept as long as those of its parent', async () => {
  const { run, upload, call, ports } = await start();
  const succeed = async (first: number, more: Parameters<typeof run>[1]) => {
    const pipeline = await run(first, more);
    await upload(first, formOf(await zipOf({ a: 'b' })), { expire_in: '1 hour' });
    for (const jobId of [first, first + 1]) await pipeline.act({ ...passed, jobId });
  };
  await succeed(1, {});
  await succeed(3, { ...PARENT_PIPELINE, parent: { projectId: 7, pipelineId: 1, jobId: 1 } });
  const later = { ...ports, clock: () => new Date(Date.now() + 61 * 60_000) };
  const status = async () => (await call(downloadArtifacts, { id: 7, job_id: 3 }, REPORTER)).status;
  await deleteExpiredArtifacts(later);
  expect(await status()).toBe(200);
  await run(5);
  await deleteExpiredArtifacts(later);
  expect(await status()).toBe(404);
});

test('a pipeline that another project started is the newest of its ref', async () => {
  const { run, upload, call } = await start();
  const pipeline = await run(1, { source: 'pipeline', parent: { projectId: 8, pipelineId: 90, jobId: 90 } });
  await upload(1, formOf(await zipOf({ a: 'b' })));
  for (const jobId of [1, 2]) await pipeline.act({ ...passed, jobId });
  const newest = { id: 7, ref_name: 'main', job: 'build' };
  expect((await call(downloadNewestArtifacts, newest, REPORTER)).status).toBe(200);
});

test('pipelines that are not public show their artifacts to reporters alone', async () => {
  const { run, upload, call } = await start({
    given: [projectUpdated(7, { visibility: 'public', settings: { public_builds: false } })],
  });
  await run();
  await upload(1, formOf(await zipOf({ a: 'b' })));
  const download = async (caller: number | null) =>
    (await call(downloadArtifacts, { id: 7, job_id: 1 }, caller)).status;
  expect(await download(REPORTER)).toBe(200);
  for (const caller of [OUTSIDER, null]) expect([403, 404]).toContain(await download(caller));
});
