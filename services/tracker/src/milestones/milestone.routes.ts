import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  groupMilestones,
  projectMilestones,
  promoteMilestone,
} from '@forgelog/contracts/tracker/milestones/milestone.api.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, eq, includes, not, oneOf, or } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import {
  type MilestoneCommand,
  type MilestonePlace,
  milestoneDecider,
  milestonesStream,
  TITLE_USED,
} from './milestone.decider.ts';
import { milestonesFor, ownMilestones, shownMilestones } from './milestone.query.ts';
import { milestoneJson } from './milestone.view.ts';
import { type MilestoneRow, milestones } from './milestones.projection.ts';
import { promoteMilestoneTo } from './promote-milestone.ts';

export const milestoneRoutes = (ports: ServicePorts): Implementation[] => [
  ...routesOf(ports, projectMilestones, ({ project }) => ({ projectId: project.project.id, groupId: null })),
  ...routesOf(ports, groupMilestones, ({ group }) => ({ projectId: null, groupId: group.group.id })),
  promotionRoute(ports),
];

function promotionRoute(ports: ServicePorts): Implementation {
  const { directory, readStore } = ports;
  const view = milestoneJson.renderer(ports);
  return implement(promoteMilestone, async ({ params, project, caller, metadata }) => {
    const { id, namespaceId } = project.project;
    const where = and(eq('projectId', id), eq('id', params.milestone_id));
    const [own] = await readStore.find(milestones, { where, limit: 1 });
    if (!own) throw new Rejection('record_not_found');
    const group = await directory.namespace(namespaceId);
    if (group?.kind !== 'group')
      throw new Rejection('bad_request', {
        reason: 'The project is in no group to promote the milestone to',
      });
    const level = caller.isAdmin ? AccessLevel.owner : await directory.groupLevel(caller.userId, namespaceId);
    if (level < AccessLevel.reporter) throw new Rejection('forbidden', {});
    const promotedId = await promoteMilestoneTo(ports, own, namespaceId, metadata);
    const promoted = await readStore.get(milestones, promotedId);
    if (!promoted) throw new Rejection('record_not_found');
    const [shown] = await shownMilestones(directory, [promoted]);
    return json(view.one(shown!, { today: today(ports) }));
  });
}

const STATES = { close: 'closed', activate: 'active' } as const;

function routesOf(
  ports: ServicePorts,
  endpoints: typeof projectMilestones | typeof groupMilestones,
  placeOf: (request: ApiRequest) => MilestonePlace,
): Implementation[] {
  const { commands, directory, ids, readStore } = ports;
  const view = milestoneJson.renderer(ports);

  const handle = (command: MilestoneCommand, { metadata }: ApiRequest) =>
    commands.handle(milestoneDecider, milestonesStream(command), command, metadata);

  async function own(request: ApiRequest, id: number): Promise<MilestoneRow> {
    const where = and(ownMilestones(placeOf(request)), eq('id', id));
    const [row] = await readStore.find(milestones, { where, limit: 1 });
    if (!row) throw new Rejection('record_not_found');
    return row;
  }

  async function answerOf(request: ApiRequest, id: number, status = 200) {
    const [shown] = await shownMilestones(directory, [await own(request, id)]);
    return json(view.one(shown!, { today: today(ports) }), { status });
  }

  /** The decider knows the titles of its place; those above and below are looked up. @throws 400 */
  async function requireFreeTitle(place: MilestonePlace, title: string | undefined, ownId = 0) {
    if (title === undefined) return;
    const among = await around(place);
    const where = and(eq('title', title), among, not(eq('id', ownId)));
    if ((await readStore.count(milestones, { where, atMost: 1 })) > 0)
      throw new Rejection('validation_failed', { fields: { title: [TITLE_USED] } });
  }

  async function around(place: MilestonePlace): Promise<Condition> {
    const above = await milestonesFor(directory, place);
    if (place.groupId === null) return above;
    const [groups, projects] = [
      await directory.groupsBelow(place.groupId),
      await directory.projectsBelow(place.groupId),
    ];
    return or(above, oneOf('groupId', groups), oneOf('projectId', projects));
  }

  return [
    implement(endpoints.list, async (request) => {
      const { iids, state, title, search, include_parent_milestones: above } = request.params;
      const place = placeOf(request);
      const wanted = [above ? await milestonesFor(directory, place) : ownMilestones(place)];
      if (iids && !above) wanted.push(oneOf('iid', iids));
      if (state) wanted.push(eq('state', state));
      if (title !== undefined) wanted.push(eq('title', title));
      if (search) wanted.push(or(includes('title', search), includes('description', search)));
      const { documents, next } = await pageOf(readStore, milestones, {
        where: and(...wanted),
        sort: [asc('dueOrder')],
        page: request.page,
      });
      const items = view.list(await shownMilestones(directory, documents), { today: today(ports) });
      return { kind: 'list', items, next };
    }),

    implement(endpoints.get, (request) => answerOf(request, request.params.milestone_id)),

    implement(endpoints.create, async (request) => {
      const {
        title,
        description = null,
        due_date: dueDate = null,
        start_date: startDate = null,
      } = request.params;
      const place = placeOf(request);
      const commandFor = (milestoneId: number): MilestoneCommand => ({
        ...{ type: 'CreateMilestone', milestoneId, ...place },
        attributes: { title, description, startDate, dueDate },
      });
      // Validate before reserving an id.
      const { state } = await commands.load(milestoneDecider, milestonesStream(place));
      milestoneDecider.decide(commandFor(0), state);
      await requireFreeTitle(place, title);
      const id = await ids.next('milestone');
      await handle(commandFor(id), request);
      return answerOf(request, id, 201);
    }),

    implement(endpoints.update, async (request) => {
      const { milestone_id: milestoneId, title, description, state_event: event } = request.params;
      const { due_date: dueDate, start_date: startDate } = request.params;
      const place = placeOf(request);
      await own(request, milestoneId);
      await requireFreeTitle(place, title, milestoneId);
      const state = event && STATES[event];
      const changes = { title, description, dueDate, startDate, state };
      await handle({ type: 'UpdateMilestone', milestoneId, ...place, changes }, request);
      return answerOf(request, milestoneId);
    }),

    implement(endpoints.delete, async (request) => {
      const { milestone_id: milestoneId } = request.params;
      await handle(
        { type: 'DeleteMilestone', milestoneId, ...placeOf(request), replacedById: null },
        request,
      );
      return noContent();
    }),
  ];
}
