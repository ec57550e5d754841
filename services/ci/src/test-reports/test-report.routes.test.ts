import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { getTestReport, getTestReportSummary } from '@forgelog/contracts/ci/test-reports/test-report.api.ts';
import { OUTSIDER, REPORTER } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { artifactObject } from '../objects/object-keys.ts';
import { jobFacts } from '../testing/sample-pipeline.ts';
import { failed, startPipelines } from '../testing/start-pipelines.ts';
import { testReportSlice } from './test-report.slice.ts';

const CASE = '<testcase classname="c" name="passes" time="0.5"/>';
const FAILURE = '<testcase classname="c" name="fails" time="1"><failure>why</failure></testcase>';
const junit = (cases: string) => `<testsuite>${cases}</testsuite>`;

/** A pipeline of jobs of these names, which run. */
async function start(names: readonly string[]) {
  const running = await startPipelines({ slices: [testReportSlice] });
  const pipeline = await running.create(names.map((name) => jobFacts(name)));
  for (const at of names.keys()) await pipeline.act({ type: 'StartJob', jobId: at + 1, runnerId: 5 });
  const { objects } = running.ports;
  return {
    ...running,
    pipeline,
    async report(jobId: number, bytes: Buffer, fileFormat: 'gzip' | 'raw' = 'gzip') {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      await objects.put(artifactObject({ projectId: 7, pipelineId: 1, jobId }, 'junit', sha256), bytes);
      await pipeline.act({
        ...{ type: 'AddArtifact', jobId, fileType: 'junit', fileFormat, filename: 'junit.xml.gz' },
        ...{ size: bytes.length, sha256, expiresAt: null },
      });
    },
    full: async () => (await running.call(getTestReport, { id: 7, pipeline_id: 1 }, REPORTER)).body,
    summary: async () => (await running.call(getTestReportSummary, { id: 7, pipeline_id: 1 }, REPORTER)).body,
  };
}

const NOTHING = {
  total_time: 0,
  total_count: 0,
  success_count: 0,
  failed_count: 0,
  skipped_count: 0,
  error_count: 0,
};

test('a pipeline without reports has none', async () => {
  const { full, summary } = await start(['test']);
  expect(await full()).toEqual({ ...NOTHING, test_suites: [] });
  expect((await summary()).test_suites).toEqual([]);
});

test('each job is a suite, the parts of a parallel one are one, and files of a report add up', async () => {
  const { full, summary, report } = await start(['unit 1/2', 'unit 2/2', 'browser: [firefox]']);
  await report(1, Buffer.concat([gzipSync(junit(CASE)), gzipSync(junit(FAILURE))]));
  await report(2, gzipSync(junit(CASE)));
  await report(3, Buffer.from(junit('<testcase name="s"><skipped/></testcase>')), 'raw');
  const unit = { ...NOTHING, total_time: 2, total_count: 3, success_count: 2, failed_count: 1 };
  const browser = { ...NOTHING, total_count: 1, skipped_count: 1 };
  expect(await full()).toMatchObject({
    ...{ total_time: 2, total_count: 4, success_count: 2, failed_count: 1, skipped_count: 1, error_count: 0 },
    test_suites: [
      {
        ...{ name: 'unit', ...unit },
        test_cases: [
          { status: 'success', name: 'passes', classname: 'c', execution_time: 0.5, system_output: null },
          { status: 'failed', name: 'fails', system_output: 'why', stack_trace: null },
          { status: 'success' },
        ],
      },
      { name: 'browser: [firefox]', ...browser },
    ],
  });
  expect(await summary()).toEqual({
    total: { time: 2, count: 4, success: 2, failed: 1, skipped: 1, error: 0, suite_error: null },
    test_suites: [
      { name: 'unit', ...unit, build_ids: [1, 2], suite_error: null },
      { name: 'browser: [firefox]', ...browser, build_ids: [3], suite_error: null },
    ],
  });
});

test.each([
  ['broken XML', gzipSync('<testsuite>'), /parsing failed/],
  ['no gzip', Buffer.from(junit(CASE)), /not gzip/],
  ['a bomb', gzipSync(Buffer.alloc(40 * 1024 * 1024, ' ')), /parsing failed/],
])('a report that is %s says so, and the others count', async (_, bytes, says) => {
  const { summary, report } = await start(['test', 'other']);
  await report(1, bytes);
  await report(2, gzipSync(junit(CASE)));
  const found = await summary();
  expect(found.total).toMatchObject({ count: 1, suite_error: expect.stringMatching(says) });
  expect(found.test_suites).toMatchObject([
    { name: 'test', total_count: 0, suite_error: expect.stringMatching(says) },
    { name: 'other', total_count: 1, suite_error: null },
  ]);
});

test('the report of a retried job does not count', async () => {
  const { full, report, pipeline } = await start(['test']);
  await report(1, gzipSync(junit(FAILURE)));
  await pipeline.act({ ...failed, jobId: 1 });
  expect(await full()).toMatchObject({ total_count: 1, failed_count: 1 });
  await pipeline.act({ type: 'RetryJob', jobId: 1, newJobId: 2, userId: 1 });
  expect(await full()).toMatchObject({ total_count: 0, test_suites: [] });
});

test('a report that the store has lost is missing, and no failure of the server', async () => {
  const { summary, report, ports } = await start(['test']);
  await report(1, gzipSync(junit(CASE)));
  for await (const { key } of ports.objects.list('')) await ports.objects.delete(key);
  expect((await summary()).total).toMatchObject({ suite_error: expect.stringContaining('is missing') });
});

test('who may not see the project sees no report, nor one of another project', async () => {
  const { call } = await start(['test']);
  const status = async (pipeline_id: number, caller: number | null) =>
    (await call(getTestReport, { id: 7, pipeline_id }, caller)).status;
  expect(await status(1, REPORTER)).toBe(200);
  expect(await status(99, REPORTER)).toBe(404);
  for (const caller of [OUTSIDER, null]) expect(await status(1, caller)).toBe(404);
});
