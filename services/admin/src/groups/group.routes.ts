import {
  getGroup,
  listDescendantGroups,
  listGroupProjects,
  listGroups,
  listSharedProjects,
  listSubgroups,
} from '@forgelog/contracts/admin/groups/group.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { RequestOf } from '@forgelog/contracts/operation.ts';
import { listProjectsOfGroup } from '@forgelog/contracts/repo/projects/project.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq, has, not } from '@forgelog/eventing/query.ts';
import { type Answer, page as pageAnswer } from '@forgelog/service-kit/answer.ts';
import {
  type ArrayOrder,
  inOrder,
  MAX_COUNTED,
  type PageRequest,
  pageOf,
  pageOfArray,
} from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { type GroupFilters, groupCondition, groupOrder } from './group.query.ts';
import { groupJson } from './group.view.ts';
import { createGroupDetail, withWishes } from './group-caller.view.ts';
import { type GroupRow, groups } from './groups.projection.ts';
import { similarity } from './similarity.ts';

export function groupRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, directory, operations } = ports;
  const detail = createGroupDetail(ports);
  const view = groupJson.renderer(ports);
  const select = view.columns as readonly (keyof GroupRow)[];
  interface Listing {
    params: GroupFilters;
    principal: Principal | null;
    page: PageRequest;
  }

  async function projects(
    asked: RequestOf<typeof listProjectsOfGroup>,
    principal: Principal | null,
  ): Promise<Answer> {
    const { items, next } = await operations.call(listProjectsOfGroup, asked, { principal });
    return pageAnswer(items, next);
  }

  async function listed(listing: Listing, within?: Condition): Promise<Answer> {
    const { params, principal, page } = listing;
    const searchesNames = within === undefined;
    const where = await groupCondition(params, principal, directory, {
      ...{ within, searchesNames, readStore },
    });
    if (params.order_by === 'similarity' && params.search) return bySimilarity(where, params.search, listing);
    const sort = groupOrder(params);
    const { documents, next } = await pageOf(readStore, groups, { where, sort, page, select });
    return { kind: 'list', items: await shown(documents, listing), next };
  }

  async function shown(rows: readonly GroupRow[], { params, principal }: Listing) {
    const complete = await withWishes(rows, params, principal, readStore);
    return view.list(complete);
  }

  /** The most similar first, of the first 10,000 matches. */
  async function bySimilarity(where: Condition, search: string, listing: Listing): Promise<Answer> {
    const rows = await readStore.find(groups, {
      where,
      sort: [{ field: 'nameFolded', direction: 'asc' }],
      limit: MAX_COUNTED,
    });
    const likeness = new Map(
      rows.map(({ id, name, path }) => [id, Math.max(similarity(search, name), similarity(search, path))]),
    );
    const order: ArrayOrder<(typeof rows)[number]> = [
      { of: ({ id }) => likeness.get(id)!, direction: 'desc' },
      { of: ({ nameFolded }) => nameFolded, direction: 'asc' },
      { of: ({ id }) => id, direction: 'asc' },
    ];
    const { items, next } = pageOfArray(inOrder(rows, order), listing.page, `like ${search}`, order);
    return { kind: 'list', items: await shown(items, listing), next };
  }

  return [
    implement(listGroups, (request) => listed(request)),

    implement(listSubgroups, (request) => listed(request, eq('parentId', request.group.group.id))),

    implement(listDescendantGroups, (request) => {
      const { id } = request.group.group;
      return listed(request, and(has('ancestors', id), not(eq('id', id))));
    }),

    implement(listGroupProjects, async ({ params, group, principal, page }) =>
      projects({ groupId: group.group.id, shared: false, filters: params, page }, principal),
    ),

    implement(listSharedProjects, async ({ params, group, principal, page }) =>
      projects({ groupId: group.group.id, shared: true, filters: params, page }, principal),
    ),

    implement(getGroup, async ({ params, group, principal }) => {
      const row = await readStore.get(groups, group.group.id);
      if (!row) throw new Rejection('not_found', { what: 'Group' });
      return detail({ row, principal, level: group.level, wishes: params });
    }),
  ];
}
