import { createPipeline } from '@forgelog/contracts/ci/pipelines/pipeline-creation.api.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { CiPorts } from '../ports.ts';
import { pipelineJson } from './pipeline.view.ts';
import { pipelines } from './pipelines.projection.ts';

export function pipelineCreationRoutes(ports: CiPorts): Implementation[] {
  const { commits, pipelineCreation, readStore } = ports;
  const view = pipelineJson.renderer(ports);
  return [
    implement(createPipeline, async ({ params, project, caller, metadata }) => {
      const { pipelineId } = await pipelineCreation.create({
        ...{ projectId: project.project.id, user: caller, ref: params.ref, metadata },
        ...{ source: 'api', invalid: 'refused' },
        variables: (params.variables ?? []).map(({ key, value, variable_type: type }) => ({
          key,
          value,
          type,
        })),
      });
      const row = (await readStore.get(pipelines, pipelineId))!;
      const commit = (await commits.of(project, [row.sha])).get(row.sha);
      return json(view.one({ ...row, committedAt: commit?.committer.date ?? null }), { status: 201 });
    }),
  ];
}
