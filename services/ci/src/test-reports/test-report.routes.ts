import {
  getTestReport,
  getTestReportSummary,
  type testReportSummaryView,
  type testReportView,
} from '@forgelog/contracts/ci/test-reports/test-report.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { z } from 'zod';
import { requirePipelineReader } from '../pipelines/pipeline.access.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';
import type { CiPorts } from '../ports.ts';
import type { CaseStatus, TestCase } from './junit.ts';
import { type TestSuite, testSuites } from './test-suites.ts';

type Report = z.output<typeof testReportView>;
type Summary = z.output<typeof testReportSummaryView>;

export function testReportRoutes(ports: CiPorts): Implementation[] {
  const { readStore } = ports;
  const suitesOf = testSuites(ports);

  async function suites(project: ProjectGrant, pipelineId: number): Promise<TestSuite[]> {
    await requirePipelineReader(readStore, project);
    const pipeline = await readStore.get(pipelines, pipelineId);
    if (pipeline?.projectId !== project.project.id) throw new Rejection('record_not_found');
    return suitesOf(pipelineId);
  }

  return [
    implement(getTestReport, async ({ params, project }) =>
      value(reportOf(await suites(project, params.pipeline_id))),
    ),
    implement(getTestReportSummary, async ({ params, project }) =>
      value(summaryOf(await suites(project, params.pipeline_id))),
    ),
  ];
}

function countsOf(cases: readonly TestCase[]) {
  const count = (status: CaseStatus) => cases.filter((one) => one.status === status).length;
  return {
    total_time: cases.reduce((sum, { executionTime }) => sum + executionTime, 0),
    total_count: cases.length,
    success_count: count('success'),
    failed_count: count('failed'),
    skipped_count: count('skipped'),
    error_count: count('error'),
  };
}

const reportOf = (suites: readonly TestSuite[]): Report => ({
  ...countsOf(suites.flatMap(({ cases }) => cases)),
  test_suites: suites.map(({ name, cases }) => ({
    name,
    ...countsOf(cases),
    test_cases: cases.map(({ status, classname, executionTime, systemOutput, ...one }) => ({
      status,
      name: one.name,
      classname,
      execution_time: executionTime,
      system_output: systemOutput,
      stack_trace: null,
    })),
  })),
});

function summaryOf(suites: readonly TestSuite[]): Summary {
  const all = countsOf(suites.flatMap(({ cases }) => cases));
  return {
    total: {
      time: all.total_time,
      count: all.total_count,
      success: all.success_count,
      failed: all.failed_count,
      skipped: all.skipped_count,
      error: all.error_count,
      suite_error: suites.find(({ error }) => error !== null)?.error ?? null,
    },
    test_suites: suites.map(({ name, cases, jobIds, error }) => ({
      name,
      ...countsOf(cases),
      build_ids: jobIds,
      suite_error: error,
    })),
  };
}
