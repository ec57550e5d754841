import {
  createDeployment,
  getDeployment,
  listDeployments,
  updateDeployment,
} from '@forgelog/contracts/ci/deployments/deployment.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { and, asc, desc, eq, range } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { emptyPage, pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { CiPorts } from '../ports.ts';
import { deploymentCommands } from './deployment.commands.ts';
import { deploymentJson } from './deployment.view.ts';
import { type DeploymentRow, deployments } from './deployments.projection.ts';
import { shownDeployments } from './shown-deployments.query.ts';

const ORDER = {
  id: 'id',
  iid: 'place',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  ref: 'ref',
} as const;
const SHA = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

export function deploymentRoutes(ports: CiPorts): Implementation[] {
  const { readStore } = ports;
  const view = deploymentJson.renderer(ports);
  const commands = deploymentCommands(ports);

  async function find(id: number, { project }: ApiRequest): Promise<DeploymentRow> {
    const row = await readStore.get(deployments, id);
    // The id in the path may belong to another project.
    if (row?.projectId !== project.project.id) throw new Rejection('record_not_found');
    return row;
  }

  async function answerOf(id: number, request: ApiRequest) {
    const [shown] = await shownDeployments(ports, request.project, [await find(id, request)]);
    if (!shown) throw new Rejection('record_not_found');
    return json(view.one(shown));
  }

  return [
    implement(listDeployments, async ({ params, project, page }) => {
      const projectId = project.project.id;
      const { environment, status, updated_after: after, updated_before: before } = params;
      const named =
        environment === undefined ? undefined : await commands.environmentNamed(projectId, environment);
      if (environment !== undefined && !named) return { kind: 'list', ...emptyPage(page) };
      const order = ORDER[params.order_by];
      const { documents, next } = await pageOf(readStore, deployments, {
        where: and(
          eq('projectId', projectId),
          ...(named ? [eq('environmentId', named.id)] : []),
          ...(status === undefined ? [] : [eq('status', status)]),
          ...(after === undefined ? [] : [range('updatedAt', { gte: after })]),
          ...(before === undefined ? [] : [range('updatedAt', { lte: before })]),
        ),
        sort: [params.sort === 'asc' ? asc(order) : desc(order)],
        page,
      });
      return { kind: 'list', items: view.list(await shownDeployments(ports, project, documents)), next };
    }),

    implement(getDeployment, (request) => answerOf(request.params.deployment_id, request)),

    implement(createDeployment, async (request) => {
      const { params, project, caller, metadata } = request;
      const { ref, sha, tag: isTag, status } = params;
      if (ref === '') throw new Rejection('validation_failed', { fields: { ref: ["can't be blank"] } });
      if (!SHA.test(sha)) throw new Rejection('validation_failed', { fields: { sha: ['is invalid'] } });
      const projectId = project.project.id;
      const environmentId = await commands.ensureEnvironment(projectId, params.environment, metadata);
      const deployment = { projectId, environmentId, ref, isTag, sha, status };
      const id = await commands.create(
        { ...deployment, jobId: null, pipelineIid: null, userId: caller.userId },
        metadata,
      );
      return answerOf(id, request);
    }),

    implement(updateDeployment, async (request) => {
      const { deployment_id: id, status } = request.params;
      await commands.move(await find(id, request), status, request.metadata, { byJob: false });
      return answerOf(id, request);
    }),
  ];
}
