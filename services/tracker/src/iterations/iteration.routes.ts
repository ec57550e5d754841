import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createIteration,
  deleteIteration,
  getIteration,
  listGroupIterations,
  listProjectIterations,
  updateIteration,
} from '@forgelog/contracts/tracker/iterations/iteration.api.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, includes, oneOf, or, range } from '@forgelog/eventing/query.ts';
import { type Answer, json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { between } from '../targets/target-filter.query.ts';
import {
  type IterationCommand,
  iterationDecider,
  iterationsStream,
  MOST_ITERATIONS,
} from './iteration.decider.ts';
import { shownIterations } from './iteration.query.ts';
import { iterationJson } from './iteration.view.ts';
import { type IterationRow, iterationCadences, iterations } from './iterations.projection.ts';

type Filters = Omit<ParamsOf<typeof listGroupIterations>, 'id'>;

/** Those whose days put them into a state. */
export function inState(state: Filters['state'], today: string): Condition {
  switch (state) {
    case 'all':
      return and();
    case 'opened':
      return range('dueDate', { gte: today });
    case 'closed':
      return range('dueDate', { lt: today });
    case 'upcoming':
      return range('startDate', { gt: today });
    case 'current':
    case 'started':
      return and(range('startDate', { lte: today }), range('dueDate', { gte: today }));
    default:
      return state satisfies never;
  }
}

export function iterationRoutes(ports: ServicePorts): Implementation[] {
  const { commands, directory, ids, readStore } = ports;
  const view = iterationJson.renderer(ports);

  const handle = (command: IterationCommand, { metadata }: Pick<ApiRequest, 'metadata'>) =>
    commands.handle(iterationDecider, iterationsStream(command.groupId), command, metadata);

  async function own(groupId: number, id: number): Promise<IterationRow> {
    const row = await readStore.get(iterations, id);
    if (row?.groupId !== groupId) throw new Rejection('record_not_found');
    return row;
  }

  async function answerOf(groupId: number, id: number, status = 200) {
    const [shown] = await shownIterations(ports, [await own(groupId, id)]);
    return json(view.one(shown!, { today: today(ports) }), { status });
  }

  /** Every word that is searched for is in one text. */
  async function searched(search: string, where: NonNullable<Filters['in']>): Promise<Condition> {
    const among: Condition[] = [];
    if (where.length === 0 || where.includes('title')) among.push(includes('title', search));
    if (where.includes('cadence_title')) {
      const found = await readStore.find(iterationCadences, {
        ...{ where: includes('title', search), limit: MOST_ITERATIONS, select: ['id'] },
      });
      const cadenceIds = found.map(({ id }) => id);
      among.push(oneOf('cadenceId', cadenceIds));
    }
    return or(...among);
  }

  async function listed(
    { page }: Pick<ApiRequest, 'page'>,
    groupIds: readonly number[],
    filters: Filters,
  ): Promise<Answer> {
    const { state, search, in: where = [], updated_after: after, updated_before: before } = filters;
    const { documents, next } = await pageOf(readStore, iterations, {
      where: and(
        oneOf('groupId', groupIds),
        inState(state, today(ports)),
        ...(search ? [await searched(search, where)] : []),
        ...between('updatedAt', after, before),
      ),
      sort: [asc('startDate')],
      page,
    });
    const items = view.list(await shownIterations(ports, documents), { today: today(ports) });
    return { kind: 'list', items, next };
  }

  return [
    implement(listGroupIterations, async (request) => {
      const { id } = request.group.group;
      const above = request.params.include_ancestors ? (await directory.namespace(id))?.ancestors : [];
      return listed(request, [id, ...(above ?? [])], request.params);
    }),

    implement(listProjectIterations, async (request) => {
      const { id, namespaceId } = request.project.project;
      const ancestors = (await directory.project(id))?.ancestors ?? [];
      const groupIds = request.params.include_ancestors
        ? ancestors
        : ancestors.filter((ancestor) => ancestor === namespaceId);
      return listed(request, groupIds, request.params);
    }),

    implement(getIteration, ({ group, params }) => answerOf(group.group.id, params.iteration_id)),

    implement(createIteration, async (request) => {
      const { cadence_id: cadenceId, title = null, description = null } = request.params;
      const { start_date: startDate, due_date: dueDate } = request.params;
      const groupId = request.group.group.id;
      const commandFor = (iterationId: number): IterationCommand => ({
        ...{ type: 'CreateIteration', groupId, cadenceId, iterationId },
        attributes: { title, description, startDate, dueDate },
      });
      // What is refused takes no id.
      const { state } = await commands.load(iterationDecider, iterationsStream(groupId));
      iterationDecider.decide(commandFor(0), state);
      const id = await ids.next('iteration');
      await handle(commandFor(id), request);
      return answerOf(groupId, id, 201);
    }),

    implement(updateIteration, async (request) => {
      const { iteration_id: iterationId, title, description } = request.params;
      const { start_date: startDate, due_date: dueDate } = request.params;
      const { groupId, cadenceId } = await own(request.group.group.id, iterationId);
      const changes = { title, description, startDate, dueDate };
      const ids = { groupId, cadenceId, iterationId };
      await handle({ type: 'UpdateIteration', ...ids, changes, today: today(ports) }, request);
      return answerOf(groupId, iterationId);
    }),

    implement(deleteIteration, async (request) => {
      const {
        id: iterationId,
        groupId,
        cadenceId,
      } = await own(request.group.group.id, request.params.iteration_id);
      await handle({ type: 'DeleteIteration', groupId, cadenceId, iterationId }, request);
      return noContent();
    }),
  ];
}
