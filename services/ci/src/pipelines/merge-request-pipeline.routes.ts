import {
  createMergeRequestPipeline,
  listMergeRequestPipelines,
} from '@forgelog/contracts/ci/pipelines/merge-request-pipeline.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { findMergeRequest } from '@forgelog/contracts/tracker/merge-requests/merge-request.operations.ts';
import { and, desc, eq, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import { listPage } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { CiPorts } from '../ports.ts';
import { hasOwnPipelines, mergeRequestRef } from './merge-request-pipeline.ts';
import { requirePipelineReader } from './pipeline.access.ts';
import { listedPipelineJson, pipelineJson } from './pipeline.view.ts';
import { PipelineRefusal } from './pipeline-creation.commands.ts';
import { pipelines } from './pipelines.projection.ts';

export function mergeRequestPipelineRoutes(ports: CiPorts): Implementation[] {
  const { commits, operations, pipelineCreation, readStore } = ports;
  const listView = listedPipelineJson.renderer(ports);
  const view = pipelineJson.renderer(ports);

  async function requireFound({ project }: ProjectGrant, iid: number, principal: Principal) {
    const asked = { projectId: project.id, iid };
    const found = await operations.call(findMergeRequest, asked, { principal });
    if ('refused' in found) throw new Rejection('record_not_found');
    return found;
  }

  return [
    implement(listMergeRequestPipelines, async ({ params, project, caller, page }) => {
      await requirePipelineReader(readStore, project);
      const { mergeRequest, heads } = await requireFound(project, params.merge_request_iid, caller);
      const { iid, sourceProjectId, sourceBranch } = mergeRequest;
      const ofBranch = and(eq('refKind', 'branch'), eq('ref', sourceBranch));
      return listPage(readStore, pipelines, {
        where: and(
          // Those of a fork are for who sees the fork.
          eq('projectId', project.project.id),
          oneOf('sha', heads),
          or(eq('ref', mergeRequestRef(iid)), ...(sourceProjectId === project.project.id ? [ofBranch] : [])),
        ),
        sort: [desc('id')],
        page,
        view: listView,
      });
    }),

    implement(createMergeRequestPipeline, async ({ params, project, caller, metadata }) => {
      const { mergeRequest, isOpen } = await requireFound(project, params.merge_request_iid, caller);
      if (!isOpen) throw new Rejection('method_not_allowed');
      if (!hasOwnPipelines(mergeRequest))
        throw new PipelineRefusal('Pipelines of a merge request from a fork run in the fork, for its branch');
      const { pipelineId } = await pipelineCreation.create({
        ...{ projectId: project.project.id, user: caller, metadata, mergeRequest, sha: mergeRequest.sha },
        ref: `refs/heads/${mergeRequest.sourceBranch}`,
        ...{ source: 'merge_request_event', invalid: 'refused' },
      });
      const row = (await readStore.get(pipelines, pipelineId))!;
      const commit = (await commits.of(project, [row.sha])).get(row.sha);
      return json(view.one({ ...row, committedAt: commit?.committer.date ?? null }));
    }),
  ];
}
