import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import {
  createEpic,
  deleteEpic,
  getEpic,
  listEpics,
  updateEpic,
} from '@forgelog/contracts/tracker/epics/epic.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, desc, eq, type SortKey } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { requireUnmodifiedSince } from '@forgelog/service-kit/precondition.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { labelFilter } from '../labels/label-filter.query.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { between, labelled, NOTHING, searching } from '../targets/target-filter.query.ts';
import { readableEpics, requireEpic } from './epic.access.ts';
import { epicCommands } from './epic.commands.ts';
import { epicJson } from './epic.view.ts';
import { epics } from './epics.projection.ts';
import { parentEpics } from './parent-epics.query.ts';

type Filters = ParamsOf<typeof listEpics>;

const ORDERS = { created_at: 'createdAt', updated_at: 'updatedAt', title: 'title' } as const;

const orderOf = ({ order_by: by, sort }: Filters): SortKey[] => [(sort === 'asc' ? asc : desc)(ORDERS[by])];

export function epicRoutes(ports: ServicePorts): Implementation[] {
  const { directory, readStore } = ports;
  const commands = epicCommands(ports);
  const view = epicJson.renderer(ports);

  const own = ({ group, principal }: Pick<ApiRequest, 'group' | 'principal'>, iid: number) =>
    requireEpic(readStore, group, principal, iid);

  async function answerOf(request: ApiRequest, iid: number, status = 200) {
    const row = await own(request, iid);
    const parents = await parentEpics(ports, [row], request.principal);
    return json(view.one(row, { across: false, parents, ...(await shownLabels(readStore, [row])) }), {
      status,
    });
  }

  async function filtered(filters: Filters, groupId: number): Promise<Condition> {
    const { author_id: authorId, author_username: name, state, search } = filters;
    const author = name === undefined ? undefined : await directory.userByName(name);
    return and(
      ...(authorId === undefined ? [] : [eq('authorId', authorId)]),
      ...(name === undefined ? [] : [author ? eq('authorId', author.id) : NOTHING]),
      ...(filters.labels ? await labelled(filters.labels, labelFilter(ports, { groupId })) : []),
      ...(state && state !== 'all' ? [eq('state', state)] : []),
      ...(search ? [searching(search)] : []),
      ...between('createdAt', filters.created_after, filters.created_before),
      ...between('updatedAt', filters.updated_after, filters.updated_before),
    );
  }

  return [
    implement(listEpics, async ({ params, group, principal, page }) => {
      const { include_ancestor_groups: above, include_descendant_groups: below } = params;
      const readable = await readableEpics(ports, group, principal, { above, below });
      const { documents, next } = await pageOf(readStore, epics, {
        where: and(readable, await filtered(params, group.group.id)),
        sort: orderOf(params),
        page,
      });
      const labels = await shownLabels(readStore, documents, { detailed: params.with_labels_details });
      const parents = await parentEpics(ports, documents, principal);
      return {
        kind: 'list',
        items: view.list(documents, { across: above || below, parents, ...labels }),
        next,
      };
    }),

    implement(getEpic, (request) => answerOf(request, request.params.epic_iid)),

    implement(createEpic, async (request) => answerOf(request, await commands.create(request), 201)),

    implement(updateEpic, async (request) => {
      const iid = request.params.epic_iid;
      await commands.update(request, await own(request, iid), () => own(request, iid));
      return answerOf(request, iid);
    }),

    implement(deleteEpic, async (request) => {
      const row = await own(request, request.params.epic_iid);
      requireUnmodifiedSince(request.headers, row.updatedAt);
      await commands.remove(request, row);
      return noContent();
    }),
  ];
}
