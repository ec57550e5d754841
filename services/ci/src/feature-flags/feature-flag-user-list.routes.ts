import {
  createFeatureFlagUserList,
  deleteFeatureFlagUserList,
  getFeatureFlagUserList,
  listFeatureFlagUserLists,
  updateFeatureFlagUserList,
} from '@forgelog/contracts/ci/feature-flags/feature-flag-user-list.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq, includes } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { listPage } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { type FeatureFlagCommand, featureFlagDecider, featureFlagsStream } from './feature-flag.decider.ts';
import { featureFlagUserListJson } from './feature-flag.view.ts';
import { type FeatureFlagUserListRow, featureFlagUserLists } from './feature-flags.projection.ts';

export function featureFlagUserListRoutes(ports: ServicePorts): Implementation[] {
  const { commands, ids, readStore } = ports;
  const view = featureFlagUserListJson.renderer(ports);

  async function find(iid: number, projectId: number): Promise<FeatureFlagUserListRow> {
    const where = and(eq('projectId', projectId), eq('iid', iid));
    const [row] = await readStore.find(featureFlagUserLists, { where, limit: 1 });
    if (!row) throw new Rejection('record_not_found');
    return row;
  }

  async function answerOf(id: number) {
    const row = await readStore.get(featureFlagUserLists, id);
    if (!row) throw new Rejection('record_not_found');
    return json(view.one(row));
  }

  const handle = ({ project, metadata }: ApiRequest, command: FeatureFlagCommand) =>
    commands.handle(featureFlagDecider, featureFlagsStream(project.project.id), command, metadata);

  return [
    implement(listFeatureFlagUserLists, async ({ params, project, page }) =>
      listPage(readStore, featureFlagUserLists, {
        where: and(
          eq('projectId', project.project.id),
          ...(params.search ? [includes('name', params.search)] : []),
        ),
        sort: [asc('iid')],
        page,
        view,
      }),
    ),

    implement(getFeatureFlagUserList, async ({ params, project }) =>
      json(view.one(await find(params.iid, project.project.id))),
    ),

    implement(createFeatureFlagUserList, async (request) => {
      const { name, user_xids: userXids } = request.params;
      const projectId = request.project.project.id;
      const commandFor = (featureFlagUserListId: number) =>
        ({ type: 'CreateFeatureFlagUserList', featureFlagUserListId, projectId, name, userXids }) as const;
      // Validate before reserving an id.
      featureFlagDecider.decide(commandFor(0), featureFlagDecider.initialState);
      const featureFlagUserListId = await ids.next('featureFlagUserList');
      await handle(request, commandFor(featureFlagUserListId));
      return answerOf(featureFlagUserListId);
    }),

    implement(updateFeatureFlagUserList, async (request) => {
      const { iid, name, user_xids: userXids } = request.params;
      const projectId = request.project.project.id;
      const { id: featureFlagUserListId } = await find(iid, projectId);
      const type = 'UpdateFeatureFlagUserList';
      await handle(request, { type, featureFlagUserListId, projectId, name, userXids });
      return answerOf(featureFlagUserListId);
    }),

    implement(deleteFeatureFlagUserList, async (request) => {
      const projectId = request.project.project.id;
      const { id: featureFlagUserListId } = await find(request.params.iid, projectId);
      await handle(request, { type: 'DeleteFeatureFlagUserList', featureFlagUserListId, projectId });
      return noContent();
    }),
  ];
}
