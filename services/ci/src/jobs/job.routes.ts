import {
  getJob,
  listJobs,
  listPipelineBridges,
  listPipelineJobs,
} from '@forgelog/contracts/ci/jobs/job.api.ts';
import type { CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { and, type Condition, desc, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { type Answer, json } from '@forgelog/service-kit/answer.ts';
import { type PageRequest, pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { Renderer } from '@forgelog/service-kit/view.ts';
import { requirePipelineReader } from '../pipelines/pipeline.access.ts';
import { pipelines } from '../pipelines/pipelines.projection.ts';
import type { CiPorts } from '../ports.ts';
import { findJob } from './found-job.query.ts';
import { bridgeJson, jobJson, type ShownJob } from './job.view.ts';
import { jobs } from './jobs.collection.ts';
import { shownJobs } from './shown-jobs.query.ts';

const ofStatuses = (scope: readonly (CiStatus | undefined)[] | undefined): Condition[] =>
  scope === undefined || scope.length === 0
    ? []
    : [
        oneOf(
          'status',
          scope.filter((one) => one !== undefined),
        ),
      ];

export function jobRoutes(ports: CiPorts): Implementation[] {
  const { readStore } = ports;
  const view = jobJson.renderer(ports);
  const bridgeView = bridgeJson.renderer(ports);

  async function listed(
    { project, page }: { project: ProjectGrant; page: PageRequest },
    where: Condition,
    shown: Renderer<ShownJob>,
  ): Promise<Answer> {
    const { documents, next } = await pageOf(readStore, jobs, { where, sort: [desc('id')], page });
    return { kind: 'list', items: shown.list(await shownJobs(ports, project, documents)), next };
  }

  async function requirePipeline(project: ProjectGrant, id: number): Promise<void> {
    await requirePipelineReader(readStore, project);
    const pipeline = await readStore.get(pipelines, id);
    if (pipeline?.projectId !== project.project.id) throw new Rejection('record_not_found');
  }

  return [
    implement(listJobs, async ({ params, project, page }) => {
      await requirePipelineReader(readStore, project);
      const where = and(
        eq('projectId', project.project.id),
        eq('kind', 'build'),
        ...ofStatuses(params.scope),
      );
      return listed({ project, page }, where, view);
    }),

    implement(listPipelineJobs, async ({ params, project, page }) => {
      await requirePipeline(project, params.pipeline_id);
      const where = and(
        eq('pipelineId', params.pipeline_id),
        eq('kind', 'build'),
        ...ofStatuses(params.scope),
        ...(params.include_retried ? [] : [eq('isRetried', false)]),
      );
      return listed({ project, page }, where, view);
    }),

    implement(listPipelineBridges, async ({ params, project, page }) => {
      await requirePipeline(project, params.pipeline_id);
      const where = and(
        eq('pipelineId', params.pipeline_id),
        eq('kind', 'bridge'),
        ...ofStatuses(params.scope),
      );
      return listed({ project, page }, where, bridgeView);
    }),

    implement(getJob, async ({ params, project }) => {
      await requirePipelineReader(readStore, project);
      const job = await findJob(readStore, project, params.job_id);
      return json(view.one((await shownJobs(ports, project, [job]))[0]!));
    }),
  ];
}
