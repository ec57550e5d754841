import { Rejection } from '@forgelog/contracts/errors.ts';
import { groupBoards, projectBoards } from '@forgelog/contracts/tracker/boards/board.api.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf, pageOfArray } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { iterations } from '../iterations/iterations.projection.ts';
import { iterationsById } from '../iterations/iterations-of-issues.query.ts';
import { labelsFor, labelsTitled } from '../labels/label.query.ts';
import { labels } from '../labels/labels.projection.ts';
import { labelsOf } from '../labels/shown-labels.ts';
import { milestoneNow, milestonesFor } from '../milestones/milestone.query.ts';
import { milestones } from '../milestones/milestones.projection.ts';
import { assignable } from '../targets/assignable.ts';
import {
  type BoardCommand,
  type BoardList,
  type BoardPlace,
  type BoardScope,
  boardDecider,
  boardStream,
} from './board.decider.ts';
import { boardJson, boardListJson, type ShownBoard, type ShownList } from './board.view.ts';
import { type BoardRow, boards } from './boards.projection.ts';

/** A place has so many at most, as its list is read in pages and each has lists of its own. */
const MOST_BOARDS = 500;

export const boardRoutes = (ports: ServicePorts): Implementation[] => [
  ...routesOf(ports, projectBoards, ({ project }) => ({ projectId: project.project.id, groupId: null })),
  ...routesOf(ports, groupBoards, ({ group }) => ({ projectId: null, groupId: group.group.id })),
];

const ownBoards = ({ projectId, groupId }: BoardPlace): Condition =>
  projectId === null ? eq('groupId', groupId) : eq('projectId', projectId);

function routesOf(
  ports: ServicePorts,
  endpoints: typeof projectBoards | typeof groupBoards,
  placeOf: (request: ApiRequest) => BoardPlace,
): Implementation[] {
  const { commands, configuration, directory, host, ids, readStore } = ports;
  const view = boardJson.renderer(ports);
  const listView = boardListJson.renderer(ports);

  const handle = (boardId: number, command: BoardCommand, { metadata }: ApiRequest) =>
    commands.handle(boardDecider, boardStream(boardId), command, metadata);

  async function own(request: ApiRequest): Promise<BoardRow> {
    const where = and(ownBoards(placeOf(request)), eq('id', request.params.board_id as number));
    const [row] = await readStore.find(boards, { where, limit: 1 });
    if (!row) throw new Rejection('record_not_found');
    return row;
  }

  const isPremium = configuration.EDITION !== 'free';

  /** Lists whose labels, users and milestones are there; what took the place of another one is what its list is of. */
  async function shownLists({ listIds, listKinds, listOfIds }: BoardRow): Promise<ShownList[]> {
    const labelIds = listOfIds.filter((_, at) => listKinds[at] === 'label');
    const known = await labelsOf(readStore, [{ labelIds }]);
    const iterationIds = isPremium ? listOfIds.filter((_, at) => listKinds[at] === 'iteration') : [];
    const spans = await iterationsById(ports, iterationIds);
    const there: Omit<ShownList, 'position'>[] = [];
    for (const [at, id] of listIds.entries()) {
      const [kind, ofId] = [listKinds[at] as BoardList['kind'], listOfIds[at]!];
      const label = kind === 'label' ? known.get(ofId) : undefined;
      const iteration = kind === 'iteration' ? spans.get(ofId) : undefined;
      const isOfAssignee = kind === 'assignee' && isPremium && (await directory.user(ofId)) !== undefined;
      const isOfMilestone =
        kind === 'milestone' && isPremium && (await milestoneNow(readStore, ofId)) !== undefined;
      if (label || iteration || isOfAssignee || isOfMilestone)
        there.push({
          ...{ id, ...(label && { label }), ...(iteration && { iteration }), isOfAssignee, isOfMilestone },
          assigneeId: isOfAssignee ? ofId : null,
          milestoneId: isOfMilestone ? ofId : null,
        });
    }
    return there.map((list, position) => ({ ...list, position }));
  }

  async function shown(row: BoardRow): Promise<ShownBoard> {
    const { projectId, groupId } = row;
    const project = projectId === null ? undefined : await directory.project(projectId);
    const group = groupId === null ? undefined : await directory.namespace(groupId);
    const { scopeLabelIds: labelIds, assigneeId } = row;
    const known = await labelsOf(readStore, [{ labelIds }]);
    const scopeLabels = labelIds.flatMap((id) => known.get(id) ?? []);
    const assigneeIds = assigneeId === null ? [] : [assigneeId];
    return { ...row, project, group, lists: await shownLists(row), assigneeIds, scopeLabels };
  }

  const answerOf = async (row: BoardRow, status = 200) =>
    json(view.one(await shown(row), { host }), { status });

  async function listAnswer(request: ApiRequest, listId: number, status = 200) {
    const list = (await shownLists(await own(request))).find(({ id }) => id === listId);
    if (!list) throw new Rejection('record_not_found');
    return json(listView.one(list), { status });
  }

  async function requireLabel(place: BoardPlace, labelId: number): Promise<void> {
    const where = and(await labelsFor(directory, place), eq('id', labelId));
    if ((await readStore.count(labels, { where, atMost: 1 })) === 0)
      throw new Rejection('refused', { message: 'Label not found!' });
  }

  async function requireIteration({ projectId, groupId }: BoardPlace, id: number): Promise<void> {
    const row = await readStore.get(iterations, id);
    const around =
      projectId === null
        ? [groupId!, ...((await directory.namespace(groupId!))?.ancestors ?? [])]
        : ((await directory.project(projectId))?.ancestors ?? []);
    if (!row || !around.includes(row.groupId))
      throw new Rejection('refused', { message: 'Iteration not found!' });
  }

  async function givenMilestone(given: number | null | undefined, place: BoardPlace) {
    if (given === undefined) return undefined;
    if (given === null || given === 0) return null;
    const where = and(await milestonesFor(directory, place), eq('id', given));
    if ((await readStore.count(milestones, { where, atMost: 1 })) === 0)
      throw new Rejection('refused', { message: 'Milestone not found!' });
    return given;
  }

  async function givenAssignee(given: number | null | undefined, { projectId }: BoardPlace) {
    if (given === undefined) return undefined;
    if (given === null || given === 0) return null;
    const isThere =
      projectId === null
        ? (await actingUser(directory, given)) !== undefined
        : (await assignable(directory, { projectId, feature: 'issues' }, [given])).length > 0;
    if (!isThere) throw new Rejection('refused', { message: 'User not found!' });
    return given;
  }

  async function givenLabels(given: readonly string[] | undefined, place: BoardPlace) {
    if (given === undefined) return undefined;
    const titles = [...new Set(given.flatMap((text) => text.split(',')).map((title) => title.trim()))].filter(
      Boolean,
    );
    const known = await labelsTitled(readStore, await labelsFor(directory, place), titles);
    return titles.map((title) => {
      const [label] = known.get(title) ?? [];
      if (!label) throw new Rejection('refused', { message: 'Label not found!' });
      return label.id;
    });
  }

  function requirePremium(param: string): void {
    if (!isPremium)
      throw new Rejection('forbidden', { reason: `${param} is there from the premium edition on` });
  }

  /** What a new list is of: the contract lets exactly one be given. @throws 400 for what is not there */
  async function givenList(
    request: ApiRequest<(typeof projectBoards)['addList']> | ApiRequest<(typeof groupBoards)['addList']>,
  ): Promise<Pick<BoardList, 'kind' | 'ofId'>> {
    const { label_id, assignee_id, milestone_id, iteration_id } = request.params;
    const place = placeOf(request as ApiRequest);
    if (label_id !== undefined) {
      await requireLabel(place, label_id);
      return { kind: 'label', ofId: label_id };
    }
    if (assignee_id !== undefined) {
      requirePremium('assignee_id');
      const id = await givenAssignee(assignee_id, place);
      if (!id) throw new Rejection('refused', { message: 'User not found!' });
      return { kind: 'assignee', ofId: id };
    }
    if (iteration_id !== undefined) {
      requirePremium('iteration_id');
      await requireIteration(place, iteration_id);
      return { kind: 'iteration', ofId: iteration_id };
    }
    requirePremium('milestone_id');
    const id = await givenMilestone(milestone_id, place);
    if (!id) throw new Rejection('refused', { message: 'Milestone not found!' });
    return { kind: 'milestone', ofId: id };
  }

  /** Undefined keeps the current value. */
  async function givenScope(
    request: ApiRequest<(typeof projectBoards)['update']> | ApiRequest<(typeof groupBoards)['update']>,
  ): Promise<{ [Name in keyof BoardScope]?: BoardScope[Name] | undefined }> {
    const { milestone_id, assignee_id, labels: titles, weight } = request.params;
    const given = Object.entries({ milestone_id, assignee_id, labels: titles, weight });
    const [first] = given.find(([, value]) => value !== undefined) ?? [];
    if (first === undefined) return {};
    requirePremium(first);
    const place = placeOf(request as ApiRequest);
    return {
      milestoneId: await givenMilestone(milestone_id, place),
      assigneeId: await givenAssignee(assignee_id, place),
      scopeLabelIds: await givenLabels(titles, place),
      weight,
    };
  }

  return [
    implement(endpoints.list, async (request) => {
      const { documents, next } = await pageOf(readStore, boards, {
        where: ownBoards(placeOf(request)),
        sort: [asc('name')],
        page: request.page,
      });
      const items = view.list(await Promise.all(documents.map(shown)), { host });
      return { kind: 'list', items, next };
    }),

    implement(endpoints.get, async (request) => answerOf(await own(request))),

    implement(endpoints.create, async (request) => {
      const place = placeOf(request);
      const { name } = request.params;
      const commandFor = (boardId: number) => ({ type: 'CreateBoard', boardId, ...place, name }) as const;
      // What is refused takes no id.
      boardDecider.decide(commandFor(0), boardDecider.initialState);
      if ((await readStore.count(boards, { where: ownBoards(place), atMost: MOST_BOARDS })) >= MOST_BOARDS)
        throw new Rejection('bad_request', {
          reason: `A project or group has ${MOST_BOARDS} boards at most`,
        });
      const id = await ids.next('board');
      await handle(id, commandFor(id), request);
      return answerOf((await readStore.get(boards, id))!, 201);
    }),

    implement(endpoints.update, async (request) => {
      const { name, hide_backlog_list: hideBacklogList, hide_closed_list: hideClosedList } = request.params;
      const { id } = await own(request);
      const changes = { name, hideBacklogList, hideClosedList };
      await handle(id, { type: 'UpdateBoard', changes, scope: await givenScope(request) }, request);
      return answerOf(await own(request));
    }),

    implement(endpoints.delete, async (request) => {
      const { id } = await own(request);
      await handle(id, { type: 'DeleteBoard' }, request);
      return noContent();
    }),

    implement(endpoints.listLists, async (request) => {
      const lists = await shownLists(await own(request));
      const byPosition = [{ of: ({ position }: ShownList) => position, direction: 'asc' as const }];
      const { items, next } = pageOfArray(lists, request.page, 'board-lists', byPosition);
      return { kind: 'list', items: listView.list(items), next };
    }),

    implement(endpoints.getList, (request) => listAnswer(request, request.params.list_id)),

    implement(endpoints.addList, async (request) => {
      const { id } = await own(request);
      const list = await givenList(request);
      // What is refused takes no id.
      const { state } = await commands.load(boardDecider, boardStream(id));
      boardDecider.decide({ type: 'AddList', listId: 0, ...list }, state);
      const listId = await ids.next('boardList');
      await handle(id, { type: 'AddList', listId, ...list }, request);
      return listAnswer(request, listId, 201);
    }),

    implement(endpoints.moveList, async (request) => {
      const { list_id: listId, position } = request.params;
      const { id } = await own(request);
      await handle(id, { type: 'MoveList', listId, position }, request);
      return listAnswer(request, listId);
    }),

    implement(endpoints.removeList, async (request) => {
      const { id } = await own(request);
      await handle(id, { type: 'RemoveList', listId: request.params.list_id }, request);
      return noContent();
    }),
  ];
}
