import { CiRecordsEnded } from '@forgelog/contracts/shared/records-ended.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { tellingEndedRecords } from '@forgelog/service-kit/ended-records.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { composeService, type Slice } from '@forgelog/service-kit/slice.ts';
import { artifactSlice } from './artifacts/artifact.slice.ts';
import { badgeSlice } from './badges/badge.slice.ts';
import { bridgeSlice } from './bridges/bridge.slice.ts';
import { ciVariableSlice } from './ci-variables/ci-variable.slice.ts';
import { commitStatusSlice } from './commit-statuses/commit-status.slice.ts';
import { configurationSlice } from './configuration/configuration.slice.ts';
import { deploymentSlice } from './deployments/deployment.slice.ts';
import { environmentSlice } from './environments/environment.slice.ts';
import { featureFlagSlice } from './feature-flags/feature-flag.slice.ts';
import { freezePeriodSlice } from './freeze-periods/freeze-period.slice.ts';
import { jobLogSlice } from './job-logs/job-log.slice.ts';
import { jobQueueSlice } from './job-queue/job-queue.slice.ts';
import { jobSlice } from './jobs/job.slice.ts';
import { lintSlice } from './lint/lint.slice.ts';
import { objectSlice } from './objects/object.slice.ts';
import { pipelineScheduleSlice } from './pipeline-schedules/pipeline-schedule.slice.ts';
import { pipelineTriggerSlice } from './pipeline-triggers/pipeline-trigger.slice.ts';
import { pipelineSlice } from './pipelines/pipeline.slice.ts';
import { pipelineCreationSlice } from './pipelines/pipeline-creation.slice.ts';
import { type CiPorts, createCiPorts } from './ports.ts';
import { projectSettingsSlice } from './project-settings/project-settings.slice.ts';
import { runnerSlice } from './runners/runner.slice.ts';
import { testReportSlice } from './test-reports/test-report.slice.ts';

const slices: readonly Slice<CiPorts>[] = [
  configurationSlice,
  lintSlice,
  ciVariableSlice,
  environmentSlice,
  deploymentSlice,
  featureFlagSlice,
  freezePeriodSlice,
  projectSettingsSlice,
  pipelineSlice,
  pipelineCreationSlice,
  bridgeSlice,
  jobSlice,
  commitStatusSlice,
  jobLogSlice,
  artifactSlice,
  testReportSlice,
  badgeSlice,
  objectSlice,
  pipelineTriggerSlice,
  pipelineScheduleSlice,
];

export function createCi(ports: ServicePorts): Service {
  const ci = createCiPorts(ports);
  const all = [
    ...slices,
    runnerSlice(ci.runnerContacts, ci.knownRunners.forgetAll, ci.tokenGuesses),
    jobQueueSlice(ci.jobQueue),
  ];
  return {
    ...tellingEndedRecords(composeService('ci', ci, all), CiRecordsEnded, ports),
    drain: ci.jobQueue.drain,
  };
}
