import {
  GroupDeletionCancelled,
  GroupTransferred,
  GroupUpdated,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import { jobEvents } from '@forgelog/contracts/ci/jobs/job.events.ts';
import { PipelineDeleted } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import {
  RunnerEnabledForProject,
  RunnerRemoved,
  RunnerUpdated,
} from '@forgelog/contracts/ci/runners/runner.events.ts';
import {
  ProjectDeleted,
  ProjectDeletionCancelled,
  ProjectTransferred,
  ProjectUnarchived,
  ProjectUpdated,
} from '@forgelog/contracts/repo/projects/project.events.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { CiPorts } from '../ports.ts';
import type { JobQueue } from './job-queue.ts';
import { jobRequestRoutes } from './job-request.routes.ts';
import { jobUpdateRoutes } from './job-update.routes.ts';

const FOLLOWED = [
  ...jobEvents,
  ...[GroupUpdated, GroupTransferred, GroupDeletionCancelled, PipelineDeleted],
  ...[ProjectDeleted, ProjectDeletionCancelled, ProjectTransferred, ProjectUnarchived, ProjectUpdated],
  ...[RunnerUpdated, RunnerEnabledForProject, RunnerRemoved],
];

/** Tells the queue of events, and writes nothing. */
const follower = (queue: JobQueue): Projection => ({
  name: 'job-queue',
  collections: [],
  handles: FOLLOWED.map(({ type }) => type),
  project: async () => {},
  applied: queue.applied,
});

export const jobQueueSlice = (queue: JobQueue) =>
  defineSlice<CiPorts>({
    routes: [jobRequestRoutes, jobUpdateRoutes],
    projections: [follower(queue)],
    workers: [() => ({ start: queue.start, stop: async () => {} })],
  });
