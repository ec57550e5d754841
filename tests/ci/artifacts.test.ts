import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { removeUnnamedObjects } from '@forgelog/ci/objects/unnamed-objects.worker.ts';
import { newTestBucket } from '@forgelog/object-store/testing/s3-buckets.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { type SampleJob, startJob } from '../support/sample-job.ts';

let forgelog: Forgelog;
let projectId: number;
beforeAll(async () => {
  // In a bucket where there is a server for it, as with `npm run test:real`, and else in files.
  forgelog = await startForgelog({ environment: { ...(await newTestBucket()) } });
  projectId = (await forgelog.post('/projects', { path: 'built' })).body.id;
});
afterAll(() => forgelog.stop());

const BOUNDARY = 'x-boundary';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const BEGIN = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n`;
const END = `\r\n--${BOUNDARY}--\r\n`;

const jobPath = (job: SampleJob, rest: string) => `/api/v4/jobs/${job.jobId}/${rest}`;
const objectsOf = async () =>
  (await Array.fromAsync(forgelog.portsOf('ci').objects.list('projects/'))).map(({ key }) => key);

/** Bytes whose place tells their value, so that a piece that is lost or doubled changes the hash. */
function* content(pieces: number): Generator<Buffer> {
  for (let at = 0; at < pieces; at += 1) yield Buffer.alloc(65_536, at % 251);
}

function* form(pieces: number): Generator<Buffer> {
  yield Buffer.from(BEGIN);
  yield* content(pieces);
  yield Buffer.from(END);
}

function hashOf(chunks: Iterable<Buffer>): string {
  const hash = createHash('sha256');
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/** Uploads as a runner does, in chunks of unknown number. */
async function upload(job: SampleJob, pieces: number): Promise<number> {
  const outgoing = request(`${forgelog.url}${jobPath(job, 'artifacts')}`, {
    method: 'POST',
    headers: { 'Content-Type': TYPE, 'JOB-TOKEN': job.token },
  });
  Readable.from(form(pieces)).pipe(outgoing);
  const [response] = await once(outgoing, 'response');
  response.resume();
  return response.statusCode;
}

test('a large archive streams in and out, and goes with its project', async () => {
  const own = (await forgelog.post('/projects', { path: 'large' })).body.id;
  const job = await startJob(forgelog, own);
  const pieces = 1000;
  expect(await upload(job, pieces)).toBe(201);
  const answer = await fetch(`${forgelog.url}/api/v4/projects/${own}/jobs/${job.jobId}/artifacts`, {
    headers: { 'PRIVATE-TOKEN': forgelog.rootToken },
  });
  expect(answer.status).toBe(200);
  expect(Number(answer.headers.get('content-length'))).toBe(pieces * 65_536);
  const hash = createHash('sha256');
  for await (const chunk of answer.body!) hash.update(chunk);
  expect(hash.digest('hex')).toBe(hashOf(content(pieces)));
  const prefix = `projects/${own}/`;
  expect((await objectsOf()).filter((key) => key.startsWith(prefix))).toHaveLength(1);
  await forgelog.delete(`/projects/${own}`);
  await expect.poll(async () => (await objectsOf()).filter((key) => key.startsWith(prefix))).toEqual([]);
});

test('an upload that is cut off at any byte is never seen, and what it leaves is swept', async () => {
  const job = await startJob(forgelog, projectId);
  const whole = Buffer.concat([...form(3)]);
  const before = await objectsOf();
  for (const at of [0, 10, BEGIN.length - 1, BEGIN.length, BEGIN.length + 70_000, whole.length - 1]) {
    const { hostname, port } = new URL(forgelog.url);
    const socket = connect(Number(port), hostname);
    const head = [
      `POST ${jobPath(job, 'artifacts')} HTTP/1.1`,
      'Host: forgelog',
      `JOB-TOKEN: ${job.token}`,
      `Content-Type: ${TYPE}`,
      `Content-Length: ${whole.length}`,
    ];
    socket.on('error', () => {});
    await new Promise((sent) =>
      socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), whole.subarray(0, at)]), sent),
    );
    socket.destroy();
    await once(socket, 'close');
  }
  const shown = await forgelog.get(`/projects/${projectId}/jobs/${job.jobId}`);
  expect(shown.body.artifacts).toEqual([]);
  // The file itself was complete when the last one broke off. Another try may store it again, so it stays for a day.
  const { clock, ...ports } = forgelog.portsOf('ci');
  await removeUnnamedObjects({ ...ports, clock });
  expect((await objectsOf()).length).toBeLessThanOrEqual(before.length + 1);
  await removeUnnamedObjects({ ...ports, clock: () => new Date(clock().getTime() + 25 * 3_600_000) });
  expect(await objectsOf()).toEqual(before);
  expect(await upload(job, 3)).toBe(201);
  expect((await forgelog.get(`/projects/${projectId}/jobs/${job.jobId}`)).body.artifacts).toHaveLength(1);
});

test('a log that a runner appends is archived when its job ends', async () => {
  const job = await startJob(forgelog, projectId);
  const text = 'line one\nline two\n';
  const patched = await fetch(`${forgelog.url}${jobPath(job, 'trace')}`, {
    method: 'PATCH',
    headers: {
      'Content-Type': 'text/plain',
      'Content-Range': `0-${text.length - 1}`,
      'JOB-TOKEN': job.token,
    },
    body: text,
  });
  expect([patched.status, patched.headers.get('range')]).toEqual([202, `0-${text.length}`]);
  await job.end();
  const archived = new RegExp(`/${job.jobId}\\.log\\.[0-9a-f]{64}$`);
  await expect.poll(async () => (await objectsOf()).some((key) => archived.test(key))).toBe(true);
  await expect
    .poll(async () => (await objectsOf()).some((key) => key.endsWith(`/${job.jobId}.log`)))
    .toBe(false);
  const read = await fetch(`${forgelog.url}/api/v4/projects/${projectId}/jobs/${job.jobId}/trace`, {
    headers: { 'PRIVATE-TOKEN': forgelog.rootToken },
  });
  expect(await read.text()).toBe(text);
});
