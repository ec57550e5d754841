import {
  cancelPipeline,
  deletePipeline,
  getLatestPipeline,
  getPipeline,
  listPipelines,
  listPipelineVariables,
  retryPipeline,
} from '@forgelog/contracts/ci/pipelines/pipeline.api.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { and, desc, eq } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { type Answer, json, noContent } from '@forgelog/service-kit/answer.ts';
import { type ArrayOrder, inOrder, listPage, pageOfArray } from '@forgelog/service-kit/pagination.ts';
import { requireUnmodifiedSince } from '@forgelog/service-kit/precondition.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { CiPorts } from '../ports.ts';
import { type GivenVariable, givenVariables } from './given-variables.ts';
import { isOwn, requireMayRun, requirePipelineReader } from './pipeline.access.ts';
import { listedPipelineJson, pipelineJson, pipelineVariableJson } from './pipeline.view.ts';
import { actOn, cancelWithChildren, retryPipeline as retry } from './pipeline-acts.ts';
import { pipelineOrder, pipelinesWhere } from './pipeline-filter.query.ts';
import { NO_CHILD, type PipelineRow, pipelines } from './pipelines.projection.ts';

const BY_KEY: ArrayOrder<GivenVariable> = [{ of: ({ key }) => key, direction: 'asc' }];

export function pipelineRoutes(ports: CiPorts): Implementation[] {
  const { readStore, directory, operations, commits } = ports;
  const listView = listedPipelineJson.renderer(ports);
  const view = pipelineJson.renderer(ports);
  const variableView = pipelineVariableJson.renderer(ports);
  const variables = givenVariables(ports);

  async function find(id: number, { project }: ProjectGrant): Promise<PipelineRow> {
    const row = await readStore.get(pipelines, id);
    if (row?.projectId !== project.id) throw new Rejection('record_not_found');
    return row;
  }

  async function shown(row: PipelineRow, project: ProjectGrant): Promise<Answer> {
    const commit = (await commits.of(project, [row.sha])).get(row.sha);
    return json(view.one({ ...row, committedAt: commit?.committer.date ?? null }));
  }

  return [
    implement(listPipelines, async ({ params, project, page }) => {
      await requirePipelineReader(readStore, project);
      const username = params.username ?? params.name;
      const userId = username === undefined ? undefined : (await directory.userByName(username))?.id;
      return listPage(readStore, pipelines, {
        where: pipelinesWhere(project.project.id, params, userId),
        sort: pipelineOrder(params),
        page,
        view: listView,
      });
    }),

    implement(getLatestPipeline, async ({ params, project }) => {
      await requirePipelineReader(readStore, project);
      const ref = params.ref ?? project.project.defaultBranch ?? '';
      const [row] = await readStore.find(pipelines, {
        where: and(eq('projectId', project.project.id), eq('ref', ref), NO_CHILD),
        sort: [desc('id')],
        limit: 1,
      });
      // Upstream tells callers without a pipeline that they may not see it.
      if (!row) throw new Rejection('forbidden', {});
      return shown(row, project);
    }),

    implement(getPipeline, async ({ params, project }) => {
      await requirePipelineReader(readStore, project);
      return shown(await find(params.pipeline_id, project), project);
    }),

    implement(listPipelineVariables, async ({ params, project, caller, page }) => {
      const row = await find(params.pipeline_id, project);
      if (project.level < AccessLevel.maintainer && !isOwn(row, caller)) throw new Rejection('forbidden', {});
      const given = variables.open(row, row.sealedVariables);
      const { items, next } = pageOfArray(inOrder(given, BY_KEY), page, 'given', BY_KEY);
      return { kind: 'list', items: variableView.list(items), next };
    }),

    implement(retryPipeline, async ({ params, project, caller, metadata }) => {
      const row = await find(params.pipeline_id, project);
      await requireMayRun(operations, row, caller);
      await retry(ports, row, { userId: caller.userId, metadata });
      return shown(await find(row.id, project), project);
    }),

    implement(cancelPipeline, async ({ params, project, caller, metadata }) => {
      const row = await find(params.pipeline_id, project);
      await requireMayRun(operations, row, caller);
      await cancelWithChildren(ports, row, metadata);
      return shown(await find(row.id, project), project);
    }),

    implement(deletePipeline, async ({ params, project, headers, metadata }) => {
      const row = await find(params.pipeline_id, project);
      requireUnmodifiedSince(headers, row.updatedAt);
      await actOn(ports, row, { type: 'DeletePipeline' }, metadata);
      return noContent();
    }),
  ];
}
