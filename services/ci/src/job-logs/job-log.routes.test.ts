import { createHash } from 'node:crypto';
import { appendToJobLog, getJobLog } from '@forgelog/contracts/ci/job-logs/job-log.api.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { archivedLogKey } from '../objects/object-keys.ts';
import { pipelineRecords, startPipeline } from '../testing/running-job.ts';
import { archiveLog } from './archive-log.ts';
import { jobLogSlice } from './job-log.slice.ts';

const OWNER = 2;
const OUTSIDER = 3;
const given = [userCreated(OWNER), userCreated(OUTSIDER), projectCreated(7, { ownerId: OWNER })];
const JOB = { jobId: 1, projectId: 7, pipelineId: 1, iid: 1 };

async function start() {
  const slices = await startSlices([pipelineRecords, jobLogSlice], given);
  const pipeline = await startPipeline(slices.ports);
  const token = await pipeline.run(1);
  const patch = (at: number, payload: string, headers: Record<string, string> = {}) =>
    slices.call(appendToJobLog, { id: 1 }, null, {
      payload,
      headers: {
        'content-type': 'text/plain',
        'job-token': token,
        'content-range': `${at}-${at + payload.length - 1}`,
        ...headers,
      },
    });
  const read = async (headers: Record<string, string> = {}) => {
    const {
      status,
      body,
      headers: sent,
    } = await slices.call(getJobLog, { id: 7, job_id: 1 }, OWNER, { headers });
    return { status, text: String(body ?? ''), headers: sent };
  };
  return { ...slices, pipeline, token, patch, read };
}

test('a runner appends, and people read the log while it grows', async () => {
  const { patch, read } = await start();
  expect(await read()).toMatchObject({ status: 200, text: '' });
  const first = await patch(0, 'line one\n');
  expect(first).toMatchObject({ status: 202, events: [] });
  expect(first.headers).toMatchObject({ 'job-status': 'running', range: '0-9' });
  expect(await read()).toMatchObject({ status: 200, text: 'line one\n' });
  expect((await patch(9, 'line two\n')).headers.range).toBe('0-18');
  const log = await read();
  expect(log.text).toBe('line one\nline two\n');
  expect(log.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': 'infile; filename="1.log"',
    'x-content-type-options': 'nosniff',
  });
  expect(await read({ range: 'bytes=9-' })).toMatchObject({ status: 206, text: 'line two\n' });
  expect(await read({ range: 'bytes=18-' })).toMatchObject({ status: 416 });
  expect(await read({ 'if-none-match': String(log.headers.etag) })).toMatchObject({ status: 304 });
});

test('a repeated piece changes nothing, and a gap is refused with the size', async () => {
  const { patch, read } = await start();
  await patch(0, 'abcdef');
  for (const [at, text, size] of [
    [0, 'abcdef', 6],
    [2, 'cd', 6],
    [4, 'efgh', 8],
    [0, 'XYZ', 8],
  ] as const)
    expect(await patch(at, text)).toMatchObject({ status: 202, headers: { range: `0-${size}` } });
  const gap = await patch(9, 'late');
  expect(gap).toMatchObject({ status: 416, headers: { range: '0-8', 'job-status': 'running' } });
  expect((await patch(8, '')).headers.range).toBe('0-8');
  expect((await read()).text).toBe('abcdefgh');
});

test('more pieces are asked for while somebody reads', async () => {
  const { patch, read } = await start();
  const interval = 'x-gitlab-trace-update-interval';
  expect((await patch(0, 'a')).headers[interval]).toBe('30');
  await read();
  expect((await patch(1, 'b')).headers[interval]).toBe('3');
});

test('a piece without its place is refused', async () => {
  const { patch } = await start();
  for (const range of ['', 'x', '-5', 'a-b', '1'])
    expect(await patch(0, 'text', { 'content-range': range })).toMatchObject({ status: 400 });
  expect(await patch(0, 'text', { 'content-range': 'bytes 0-3/*' })).toMatchObject({ status: 202 });
});

test('only the token of this running job is let in, and a runner whose job ended learns its state', async () => {
  const { patch, call, pipeline, token, ports } = await start();
  const other = await startPipeline(ports, { iid: 2, pipelineId: 2, firstJobId: 11 });
  const foreign = await other.run(11);
  const wrong = ['', 'x', foreign, `${token}x`, token.slice(0, -1)];
  for (const one of wrong) expect(await patch(0, 'a', { 'job-token': one })).toMatchObject({ status: 403 });
  expect(await call(appendToJobLog, { id: 99 }, null, { payload: 'a' })).toMatchObject({ status: 403 });
  const inAddress = { payload: 'a', headers: { 'content-type': 'text/plain', 'content-range': '0-0' } };
  expect(await call(appendToJobLog, { id: 1, token }, null, inAddress)).toMatchObject({ status: 202 });
  await pipeline.act({ type: 'CancelJob', jobId: 1 });
  expect(await patch(1, 'a')).toMatchObject({ status: 403, headers: { 'job-status': 'canceled' } });
});

test('the token of the job is masked, and offsets stay', async () => {
  const { patch, read, token } = await start();
  await patch(0, `a ${token} b ${token}`);
  const hidden = 'x'.repeat(token.length);
  expect((await read()).text).toBe(`a ${hidden} b ${hidden}`);
});

test('who may not see the project does not see the log, nor one of another project', async () => {
  const { call, patch } = await start();
  await patch(0, 'secret');
  for (const caller of [OUTSIDER, null])
    expect(await call(getJobLog, { id: 7, job_id: 1 }, caller)).toMatchObject({ status: 404 });
  expect(await call(getJobLog, { id: 7, job_id: 99 }, OWNER)).toMatchObject({ status: 404 });
});

test('the log of an ended job is one object with its hash, and the growing one is gone', async () => {
  const { patch, read, pipeline, ports } = await start();
  await patch(0, 'all of it');
  await pipeline.end(1);
  await archiveLog(ports, JOB, SYSTEM_METADATA);
  const sha256 = createHash('sha256').update('all of it').digest('hex');
  const kept = (await Array.fromAsync(ports.objects.list('projects/'))).map(({ key }) => key);
  expect(kept).toEqual([archivedLogKey(JOB, sha256)]);
  expect(await read()).toMatchObject({ status: 200, text: 'all of it' });
  // A policy may run again, and a job without a log has none to archive.
  await archiveLog(ports, JOB, SYSTEM_METADATA);
  expect((await read()).text).toBe('all of it');
});

test('a kill between copy and event, and between event and deletion, is repeated without a trace', async () => {
  const { patch, read, pipeline, ports } = await start();
  await patch(0, 'all of it');
  await pipeline.end(1);
  const failing = (method: 'handle' | 'delete') => ({
    ...ports,
    ...(method === 'handle'
      ? { commands: { ...ports.commands, handle: () => Promise.reject(new Error('killed')) } }
      : { objects: { ...ports.objects, delete: () => Promise.reject(new Error('killed')) } }),
  });
  for (const method of ['handle', 'delete'] as const) {
    await expect(archiveLog(failing(method), JOB, SYSTEM_METADATA)).rejects.toThrow('killed');
    expect((await read()).text).toBe('all of it');
  }
  await archiveLog(ports, JOB, SYSTEM_METADATA);
  expect((await read()).text).toBe('all of it');
  expect(await Array.fromAsync(ports.objects.list('projects/'))).toHaveLength(1);
});
