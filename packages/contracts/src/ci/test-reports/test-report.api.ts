import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { described, int, required } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { defineView } from '../../views.ts';
import examples from './test-report.examples.json' with { type: 'json' };

const counts = {
  total_time: z.number(),
  total_count: z.int(),
  success_count: z.int(),
  failed_count: z.int(),
  skipped_count: z.int(),
  error_count: z.int(),
};

const testCaseView = defineView('TestCase', {
  status: z.enum(['success', 'failed', 'skipped', 'error']),
  name: z.string(),
  classname: z.string(),
  execution_time: z.number(),
  system_output: z.string().nullable(),
  stack_trace: z.string().nullable(),
});

/** Test report [L81]. */
export const testReportView = defineView(
  'TestReport',
  {
    ...counts,
    test_suites: z.array(
      defineView('TestSuite', { name: z.string(), ...counts, test_cases: z.array(testCaseView) }),
    ),
  },
  examples.TestReport,
);

export const testReportSummaryView = defineView(
  'TestReportSummary',
  {
    total: defineView('TestReportTotal', {
      time: z.number(),
      count: z.int(),
      success: z.int(),
      failed: z.int(),
      skipped: z.int(),
      error: z.int(),
      suite_error: z.string().nullable(),
    }),
    test_suites: z.array(
      defineView('TestSuiteSummary', {
        name: z.string(),
        ...counts,
        build_ids: z.array(z.int()),
        suite_error: z.string().nullable(),
      }),
    ),
  },
  examples.TestReportSummary,
);

const common = {
  service: 'ci',
  access: project('anyone', { feature: 'builds' }),
  method: 'GET',
  params: { id: projectId, pipeline_id: described(required(int({ min: 1 })), 'Id of the pipeline') },
} as const;
const ofPipeline = '/projects/:id/pipelines/:pipeline_id';

export const getTestReport = defineEndpoint({
  ...common,
  id: 'pipeline-test-report',
  path: `${ofPipeline}/test_report`,
  summary: 'Test cases that the jobs of a pipeline report in JUnit XML',
  spec: 'api-v4 L280',
  response: testReportView,
});

export const getTestReportSummary = defineEndpoint({
  ...common,
  id: 'pipeline-test-report-summary',
  path: `${ofPipeline}/test_report_summary`,
  summary: 'How many test cases of a pipeline passed and failed',
  spec: 'api-v4 L281',
  response: testReportSummaryView,
});

export const testReportEndpoints = [getTestReport, getTestReportSummary];
