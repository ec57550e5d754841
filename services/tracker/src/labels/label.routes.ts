import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { groupLabels, projectLabels, promoteLabel } from '@forgelog/contracts/tracker/labels/label.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, eq, includes, or } from '@forgelog/eventing/query.ts';
import { json, noContent, unchanged } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { begun } from './label.commands.ts';
import { type LabelCommand, type LabelPlace, labelDecider, labelsStream } from './label.decider.ts';
import { labelsFor, ownLabels, requireFree, requireLabel } from './label.query.ts';
import { groupLabelJson, labelJson } from './label.view.ts';
import { type LabelRow, labels } from './labels.projection.ts';
import { promote } from './promote-label.ts';

export function labelRoutes(ports: ServicePorts): Implementation[] {
  const { readStore } = ports;
  const groupView = groupLabelJson.renderer(ports);
  return [
    ...routesOf(ports, projectLabels, labelJson.renderer(ports), {
      placeOf: ({ project }) => ({ projectId: project.project.id, groupId: null }),
      levelOf: ({ project }) => project.level,
    }),
    ...routesOf(ports, groupLabels, groupView, {
      placeOf: ({ group }) => ({ projectId: null, groupId: group.group.id }),
      levelOf: ({ group }) => group.level,
    }),

    implement(promoteLabel, async (request) => {
      const { params, project, caller } = request;
      const { id, namespaceId } = project.project;
      const own = ownLabels({ projectId: id, groupId: null });
      const label = await requireLabel(readStore, own, params.label_id);
      const group = await ports.directory.namespace(namespaceId);
      if (group?.kind !== 'group')
        throw new Rejection('bad_request', { reason: 'The project is in no group to promote the label to' });
      const level = caller.isAdmin ? 50 : await ports.directory.groupLevel(caller.userId, namespaceId);
      if (level < AccessLevel.reporter) throw new Rejection('forbidden', {});
      const promoted = await promote(ports, label, namespaceId, request.metadata);
      return json(groupView.one(promoted, { callerId: caller.userId }));
    }),
  ];
}

interface Kind {
  placeOf(request: ApiRequest): LabelPlace;
  /** The caller's access level there. */
  levelOf(request: ApiRequest): number;
}

function routesOf(
  ports: ServicePorts,
  endpoints: typeof projectLabels | typeof groupLabels,
  view: ReturnType<typeof labelJson.renderer> | ReturnType<typeof groupLabelJson.renderer>,
  { placeOf, levelOf }: Kind,
): Implementation[] {
  const { commands, ids, readStore, directory } = ports;

  const handle = (request: ApiRequest, command: LabelCommand) =>
    commands.handle(labelDecider, labelsStream(command), command, request.metadata);

  const answer = (row: LabelRow, { principal }: ApiRequest) =>
    json(view.one(row, { callerId: principal?.userId ?? null }));

  const answerOf = async (request: ApiRequest, id: number) =>
    answer((await readStore.get(labels, id)) ?? notFound(), request);

  /** Labels that were only ever given to confidential issues are told to those who may read these. */
  const toldTo = (request: ApiRequest): Condition =>
    levelOf(request) >= AccessLevel.reporter ? and() : eq('confidential', false);

  const own = (request: ApiRequest, idOrTitle: string) =>
    requireLabel(readStore, ownLabels(placeOf(request)), idOrTitle);

  interface Changes {
    new_name?: string | undefined;
    color?: string | undefined;
    description?: string | null | undefined;
    priority?: number | null | undefined;
  }

  async function update(request: ApiRequest, idOrTitle: string) {
    const label = await own(request, idOrTitle);
    await begun(ports, label, request.metadata);
    const labelId = label.id;
    const { new_name: title, color, description, priority } = request.params as Changes;
    const changes = { title, color, description, priority };
    await handle(request, { type: 'UpdateLabel', labelId, ...placeOf(request), changes });
    return answerOf(request, labelId);
  }

  async function remove(request: ApiRequest, idOrTitle: string) {
    const label = await own(request, idOrTitle);
    await begun(ports, label, request.metadata);
    await handle(request, {
      type: 'DeleteLabel',
      labelId: label.id,
      ...placeOf(request),
      replacedById: null,
    });
    return noContent();
  }

  /** A label of a group is subscribed to as a whole, from its projects too. */
  async function choose(
    request: ApiRequest & { params: { label_id: string } },
    type: 'SubscribeToLabel' | 'UnsubscribeFromLabel',
  ) {
    const among = and(await labelsFor(directory, placeOf(request)), toldTo(request));
    const label = await requireLabel(readStore, among, request.params.label_id);
    await begun(ports, label, request.metadata);
    const { id: labelId, projectId, groupId } = label;
    const { userId } = request.caller;
    const { events } = await handle(request, { type, labelId, projectId, groupId, userId });
    return events.length === 0 ? unchanged() : answerOf(request, labelId);
  }

  return [
    implement(endpoints.list, async (request) => {
      const { include_ancestor_groups: above, search } = request.params;
      const place = placeOf(request);
      const places = above ? await labelsFor(directory, place) : ownLabels(place);
      const found = search ? [or(includes('title', search), includes('description', search))] : [];
      const { documents, next } = await pageOf(readStore, labels, {
        where: and(places, toldTo(request), ...found),
        sort: [asc('title')],
        page: request.page,
      });
      const items = view.list(documents, { callerId: request.principal?.userId ?? null });
      return { kind: 'list', items, next };
    }),

    implement(endpoints.get, async (request) => {
      const among = and(await labelsFor(directory, placeOf(request)), toldTo(request));
      return answer(await requireLabel(readStore, among, request.params.label_id), request);
    }),

    implement(endpoints.create, async (request) => {
      const { name: title, color, description = null } = request.params;
      const { priority = null } = request.params as Changes;
      const place = placeOf(request);
      const commandFor = (labelId: number) => ({
        type: 'CreateLabel' as const,
        ...{ labelId, ...place, title, color, description, priority, confidential: false },
      });
      // Validate before reserving an id.
      labelDecider.decide(commandFor(0), labelDecider.initialState);
      await requireFree(ports, place, title);
      const labelId = await ids.next('label');
      await handle(request, commandFor(labelId));
      return answerOf(request, labelId);
    }),

    implement(endpoints.update, (request) => update(request, request.params.label_id)),
    implement(endpoints.updateNamed, (request) =>
      update(request, (request.params.label_id ?? request.params.name)!),
    ),
    implement(endpoints.delete, (request) => remove(request, request.params.label_id)),
    implement(endpoints.deleteNamed, (request) => remove(request, request.params.name)),
    implement(endpoints.subscribe, (request) => choose(request, 'SubscribeToLabel')),
    implement(endpoints.unsubscribe, (request) => choose(request, 'UnsubscribeFromLabel')),
  ];
}

function notFound(): never {
  throw new Rejection('not_found', { what: 'Label' });
}
