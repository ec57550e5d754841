import {
  createEnvironment,
  deleteEnvironment,
  deleteReviewApps,
  getEnvironment,
  listEnvironments,
  stopEnvironment,
  updateEnvironment,
} from '@forgelog/contracts/ci/environments/environment.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { and, asc, eq, includes } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { listPage } from '@forgelog/service-kit/pagination.ts';
import { requireUnmodifiedSince } from '@forgelog/service-kit/precondition.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { lastDeployment } from '../deployments/shown-deployments.query.ts';
import type { CiPorts } from '../ports.ts';
import { type EnvironmentCommand, environmentDecider, environmentsStream } from './environment.decider.ts';
import { environmentJson, scheduledDeletionsJson } from './environment.view.ts';
import { environmentDetailJson } from './environment-detail.view.ts';
import { type EnvironmentRow, environments } from './environments.projection.ts';
import { idleReviewApps } from './review-apps.worker.ts';

const DAY_MS = 86_400_000;

export function environmentRoutes(ports: CiPorts): Implementation[] {
  const { commands, ids, readStore, clock } = ports;
  const view = environmentJson.renderer(ports);
  const detailView = environmentDetailJson.renderer(ports);
  const scheduledView = scheduledDeletionsJson.renderer(ports);

  async function find(id: number, projectId: number): Promise<EnvironmentRow> {
    const row = await readStore.get(environments, id);
    // The id in the path may belong to another project.
    if (row?.projectId !== projectId) throw new Rejection('record_not_found');
    return row;
  }

  const answerOf = async (id: number, projectId: number) => json(view.one(await find(id, projectId)));

  const handle = ({ project, metadata }: ApiRequest, command: EnvironmentCommand) =>
    commands.handle(environmentDecider, environmentsStream(project.project.id), command, metadata);

  return [
    implement(listEnvironments, async ({ params, project, page }) =>
      listPage(readStore, environments, {
        where: and(
          eq('projectId', project.project.id),
          ...(params.states === undefined ? [] : [eq('state', params.states)]),
          ...(params.name === undefined ? [] : [eq('name', params.name)]),
          ...(params.search ? [includes('name', params.search)] : []),
        ),
        sort: [asc('id')],
        page,
        view,
      }),
    ),

    implement(getEnvironment, async ({ params, project }) => {
      const environment = await find(params.environment_id, project.project.id);
      const deployment = await lastDeployment(ports, project, environment.id);
      return json(detailView.one({ ...environment, deployment }));
    }),

    implement(createEnvironment, async (request) => {
      const { params } = request;
      const projectId = request.project.project.id;
      const commandFor = (environmentId: number) => ({
        type: 'CreateEnvironment' as const,
        projectId,
        environmentId,
        name: params.name,
        externalUrl: params.external_url ?? null,
      });
      // Validate before reserving an id.
      environmentDecider.decide(commandFor(0), environmentDecider.initialState);
      const environmentId = await ids.next('environment');
      await handle(request, commandFor(environmentId));
      return answerOf(environmentId, projectId);
    }),

    implement(updateEnvironment, async (request) => {
      const { environment_id: environmentId, name, external_url: externalUrl } = request.params;
      const projectId = request.project.project.id;
      await handle(request, { type: 'UpdateEnvironment', projectId, environmentId, name, externalUrl });
      return answerOf(environmentId, projectId);
    }),

    implement(deleteEnvironment, async (request) => {
      const projectId = request.project.project.id;
      const environmentId = request.params.environment_id;
      const { updatedAt } = await find(environmentId, projectId);
      requireUnmodifiedSince(request.headers, updatedAt);
      await handle(request, { type: 'DeleteEnvironment', projectId, environmentId });
      return noContent();
    }),

    implement(deleteReviewApps, async (request) => {
      const { before, limit, dry_run: isDryRun } = request.params;
      const projectId = request.project.project.id;
      const now = clock().getTime();
      let found = await idleReviewApps(readStore, {
        projectId,
        before: before ?? new Date(now - 30 * DAY_MS).toISOString(),
        limit,
      });
      if (!isDryRun && found.length > 0) {
        const { events } = await handle(request, {
          type: 'ScheduleReviewAppDeletions',
          projectId,
          environmentIds: found.map(({ id }) => id),
          dueAt: new Date(now + 7 * DAY_MS).toISOString(),
        });
        // Concurrent calls each return only what they scheduled.
        const scheduled = new Set(
          events.map(({ data }) => (data as { environmentId: number }).environmentId),
        );
        found = found.filter(({ id }) => scheduled.has(id));
      }
      return json(scheduledView.one({ scheduled: found }));
    }),

    implement(stopEnvironment, async (request) => {
      const projectId = request.project.project.id;
      const environmentId = request.params.environment_id;
      await handle(request, { type: 'StopEnvironment', projectId, environmentId });
      return answerOf(environmentId, projectId);
    }),
  ];
}
