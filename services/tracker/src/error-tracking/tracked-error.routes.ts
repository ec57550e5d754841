import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  deleteError,
  getError,
  listErrors,
  updateError,
} from '@forgelog/contracts/tracker/error-tracking/tracked-error.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, desc, eq, includes } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { listPage } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import {
  type TrackedErrorCommand,
  trackedErrorDecider,
  trackedErrorStream,
} from './tracked-error.decider.ts';
import { singleErrorJson, trackedErrorJson } from './tracked-error.view.ts';
import { type TrackedErrorRow, trackedErrors } from './tracked-errors.projection.ts';

const ORDERS = { last_seen: 'lastSeenAt', first_seen: 'firstSeenAt', count: 'occurrences' } as const;

export function trackedErrorRoutes(ports: ServicePorts): Implementation[] {
  const { commands, readStore } = ports;
  const view = trackedErrorJson.renderer(ports);
  const singleView = singleErrorJson.renderer(ports);

  async function find(id: number, projectId: number): Promise<TrackedErrorRow> {
    const row = await readStore.get(trackedErrors, id);
    if (row?.projectId !== projectId) throw new Rejection('record_not_found');
    return row;
  }

  const handle = ({ metadata }: ApiRequest, command: TrackedErrorCommand) =>
    commands.handle(
      trackedErrorDecider,
      trackedErrorStream(command.projectId, command.fingerprint),
      command,
      metadata,
    );

  return [
    implement(listErrors, async ({ params, project, page }) => {
      const { status, search, order_by: order, sort } = params;
      const by = ORDERS[order];
      return listPage(readStore, trackedErrors, {
        where: and(
          eq('projectId', project.project.id),
          ...(status === undefined ? [] : [eq('status', status)]),
          ...(search === undefined ? [] : [includes('title', search)]),
        ),
        sort: [sort === 'asc' ? asc(by) : desc(by)],
        ...{ page, view },
      });
    }),

    implement(getError, async ({ params, project }) =>
      json(singleView.one(await find(params.error_id, project.project.id))),
    ),

    implement(updateError, async (request) => {
      const { error_id: id, status } = request.params;
      const projectId = request.project.project.id;
      const { fingerprint } = await find(id, projectId);
      await handle(request, { type: 'SetErrorStatus', projectId, fingerprint, trackedErrorId: id, status });
      return json(singleView.one(await find(id, projectId)));
    }),

    implement(deleteError, async (request) => {
      const { error_id: id } = request.params;
      const projectId = request.project.project.id;
      const { fingerprint } = await find(id, projectId);
      await handle(request, { type: 'DeleteError', projectId, fingerprint, trackedErrorId: id });
      return noContent();
    }),
  ];
}
