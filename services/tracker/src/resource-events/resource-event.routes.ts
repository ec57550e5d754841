import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ResourceEventEndpoints } from '@forgelog/contracts/tracker/resource-events/resource-event.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { isBelow } from '../issues/records-of-groups.query.ts';
import { iterationsById } from '../iterations/iterations-of-issues.query.ts';
import { labelsSeenOn } from '../labels/labels-seen.query.ts';
import { requireTarget } from '../targets/target.access.ts';
import type { Target, TargetKind } from '../targets/target.ts';
import {
  iterationEventJson,
  labelEventJson,
  milestoneEventJson,
  stateEventJson,
  weightEventJson,
} from './resource-event.view.ts';
import { type ResourceEventRow, resourceEvents } from './resource-events.collection.ts';

type Kind = keyof ResourceEventEndpoints;

/** What happened to the states, labels, milestones, weights and iterations of targets of one kind. */
export function resourceEventRoutes(
  ports: ServicePorts,
  kind: TargetKind,
  { state, label, milestone, weight, iteration }: ResourceEventEndpoints,
): Implementation[] {
  const { readStore } = ports;
  const [states, labels, milestones, weights, iterations] = [
    stateEventJson.renderer(ports),
    labelEventJson.renderer(ports),
    milestoneEventJson.renderer(ports),
    weightEventJson.renderer(ports),
    iterationEventJson.renderer(ports),
  ];

  async function listed(request: ApiRequest, kindOf: Kind) {
    const target = await requireTarget(kind, ports, request);
    const where = and(eq('target', target.key), eq('kind', kindOf));
    const { documents, next } = await pageOf(readStore, resourceEvents, {
      ...{ where, sort: [asc('id')], page: request.page },
    });
    return { target, rows: documents, next };
  }

  async function found(request: ApiRequest, kindOf: Kind) {
    const target = await requireTarget(kind, ports, request);
    const row = await readStore.get(resourceEvents, request.params.event_id as number);
    if (row?.target !== target.key || row.kind !== kindOf) throw new Rejection('record_not_found');
    return { target, row };
  }

  const labelsFor = async (rows: readonly ResourceEventRow[], target: Target, caller: Principal | null) => ({
    labels: await labelsSeenOn(
      ports,
      rows.map(({ labelId }) => labelId!),
      target,
      caller,
    ),
  });

  async function iterationsFor(rows: readonly ResourceEventRow[], { projectId }: Target) {
    const ids = [...new Set(rows.map(({ iterationId }) => iterationId!))];
    const found = [...(await iterationsById(ports, ids)).values()];
    const able = await Promise.all(found.map((one) => isBelow(ports.directory, projectId, one.group_id)));
    return { iterations: new Map(found.filter((_, at) => able[at]).map((one) => [one.id, one])) };
  }

  return [
    implement(state.list, async (request) => {
      const { rows, next } = await listed(request, 'state');
      return { kind: 'list', items: states.list(rows), next };
    }),
    implement(state.get, async (request) => json(states.one((await found(request, 'state')).row))),

    implement(label.list, async (request) => {
      const { rows, target, next } = await listed(request, 'label');
      const items = labels.list(rows, await labelsFor(rows, target, request.principal));
      return { kind: 'list', items, next };
    }),
    implement(label.get, async (request) => {
      const { row, target } = await found(request, 'label');
      return json(labels.one(row, await labelsFor([row], target, request.principal)));
    }),

    implement(milestone.list, async (request) => {
      const { rows, next } = await listed(request, 'milestone');
      return { kind: 'list', items: milestones.list(rows), next };
    }),
    implement(milestone.get, async (request) =>
      json(milestones.one((await found(request, 'milestone')).row)),
    ),

    ...(weight
      ? [
          implement(weight.list, async (request) => {
            const { rows, next } = await listed(request, 'weight');
            return { kind: 'list' as const, items: weights.list(rows), next };
          }),
          implement(weight.get, async (request) => json(weights.one((await found(request, 'weight')).row))),
        ]
      : []),

    ...(iteration
      ? [
          implement(iteration.list, async (request) => {
            const { rows, target, next } = await listed(request, 'iteration');
            const items = iterations.list(rows, await iterationsFor(rows, target));
            return { kind: 'list' as const, items, next };
          }),
          implement(iteration.get, async (request) => {
            const { row, target } = await found(request, 'iteration');
            return json(iterations.one(row, await iterationsFor([row], target)));
          }),
        ]
      : []),
  ];
}
