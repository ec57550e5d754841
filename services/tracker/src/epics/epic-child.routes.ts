import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  assignEpicChild,
  createEpicChild,
  listEpicChildren,
  MOST_EPIC_LEVELS,
  removeEpicChild,
  reorderEpicChild,
} from '@forgelog/contracts/tracker/epics/epic-child.api.ts';
import { MOST_REORDERED } from '@forgelog/contracts/tracker/epics/epic-issue.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, desc, eq, not, oneOf, range } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { placeAmong } from '../issues/place-among.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { readableEpics, requireEpic } from './epic.access.ts';
import { epicCommands } from './epic.commands.ts';
import { epicJson } from './epic.view.ts';
import { epicsAround, epicTreeDecider, epicTreeStream } from './epic-tree.decider.ts';
import { type EpicRow, epics } from './epics.projection.ts';
import { parentEpics } from './parent-epics.query.ts';

/** Behind all places: those of ids begin with an `i`. */
const END = 'j';
/** More epics below one another are not looked at for how deep they are. */
const MOST_BELOW = 10_000;

/** The epics that are parts of epics. */
export function epicChildRoutes(ports: ServicePorts): Implementation[] {
  const { commands, readStore } = ports;
  const { create } = epicCommands(ports);
  const view = epicJson.renderer(ports);

  type Asked = Pick<ApiRequest, 'group' | 'principal'> & { params: { epic_iid: number } };
  const parentOf = ({ group, principal, params }: Asked) =>
    requireEpic(readStore, group, principal, params.epic_iid);

  /** Epics in the group of the parent and in those below it. */
  const readable = ({ group, principal }: Pick<Asked, 'group' | 'principal'>) =>
    readableEpics(ports, group, principal, { above: false, below: true });

  async function requireChild(id: number, request: Asked, parent?: EpicRow): Promise<EpicRow> {
    const where = and(eq('id', id), await readable(request));
    const [row] = await readStore.find(epics, { where, limit: 1 });
    if (!row || (parent && row.parentId !== parent.id)) throw new Rejection('not_found', { what: 'Epic' });
    return row;
  }

  async function levelsAbove({ parentId }: EpicRow): Promise<number> {
    let levels = 0;
    for (let id = parentId; id !== null && levels < MOST_EPIC_LEVELS; ) {
      const [row] = await readStore.find(epics, { where: eq('id', id), limit: 1 });
      if (!row) break;
      levels += 1;
      id = row.parentId;
    }
    return levels;
  }

  async function levelsBelow({ id }: EpicRow): Promise<number> {
    let levels = 0;
    for (let ids = [id]; levels < MOST_EPIC_LEVELS; levels++) {
      const where = oneOf('parentId', ids);
      ids = (await readStore.find(epics, { where, limit: MOST_BELOW, select: ['id'] })).map(({ id }) => id);
      if (ids.length === 0) break;
    }
    return levels;
  }

  async function requireRoom(parent: EpicRow, child: EpicRow): Promise<void> {
    if ((await levelsAbove(parent)) + 2 + (await levelsBelow(child)) > MOST_EPIC_LEVELS)
      throw new Rejection('refused', {
        message: `This epic cannot be added. Epics would be in each other on more than ${MOST_EPIC_LEVELS} levels.`,
      });
  }

  /** Those around the parent that are gone: no circle goes through them. */
  async function endedAround({ groupId, iid }: EpicRow): Promise<number[]> {
    const { state } = await commands.load(epicTreeDecider, epicTreeStream(groupId));
    const ended: number[] = [];
    for (const one of epicsAround(state, groupId, iid))
      if (!(await readStore.get(epics, placeOf(groupId, one)!))) ended.push(one);
    return ended;
  }

  async function nest(
    { id: epicId, groupId, iid }: EpicRow,
    { metadata }: Pick<ApiRequest, 'metadata'>,
    wanted: { parent: EpicRow | null; position: string | null; from: number | null },
  ): Promise<void> {
    const { parent, position, from } = wanted;
    const into = parent && { epicId: parent.id, groupId: parent.groupId, iid: parent.iid };
    const ended = parent?.groupId === groupId ? await endedAround(parent) : [];
    const command = { type: 'NestEpic', epicId, groupId, iid, parent: into, position, from, ended } as const;
    await commands.handle(epicTreeDecider, epicTreeStream(groupId), command, metadata);
  }

  async function shown(rows: readonly EpicRow[], { principal }: Pick<Asked, 'principal'>) {
    const labels = await shownLabels(readStore, rows);
    return { across: true, parents: await parentEpics(ports, rows, principal), ...labels };
  }

  async function answerOf({ place }: EpicRow, request: Asked, status = 200) {
    const row = await readStore.get(epics, place);
    if (!row) throw new Rejection('not_found', { what: 'Epic' });
    return json(view.one(row, await shown([row], request)), { status });
  }

  async function placeFor(parent: EpicRow, child: EpicRow, request: ApiRequest<typeof reorderEpicChild>) {
    const { move_before_id, move_after_id } = request.params;
    const neighbour = async (id: number | undefined) => {
      if (id === undefined) return undefined;
      const row = await requireChild(id, request, parent);
      if (row.id === child.id) throw new Rejection('not_found', { what: 'Epic' });
      return row.parentRank!;
    };
    const among = and(eq('parentId', parent.id), not(eq('id', child.id)));
    return placeAmong([await neighbour(move_before_id), await neighbour(move_after_id)], {
      // Whoever may read what is there.
      async next(rank, direction) {
        const isUp = direction === 'up';
        const [found] = await readStore.find(epics, {
          where: and(among, range('parentRank', isUp ? { gt: rank } : { lt: rank })),
          ...{ sort: [isUp ? asc('parentRank') : desc('parentRank')], limit: 1 },
        });
        return found?.parentRank ?? undefined;
      },
      end: () => END,
    });
  }

  const childrenOf = async ({ id }: EpicRow, request: Asked) =>
    and(eq('parentId', id), await readable(request));
  const sort = [asc('parentRank')];

  return [
    implement(listEpicChildren, async (request) => {
      const where = await childrenOf(await parentOf(request), request);
      const { documents, next } = await pageOf(readStore, epics, { where, sort, page: request.page });
      return { kind: 'list', items: view.list(documents, await shown(documents, request)), next };
    }),

    implement(createEpicChild, async (request) => {
      const { id, title, confidential } = request.params;
      const parent = await parentOf(request);
      // An epic that is new has none below it.
      await requireRoom(parent, { ...parent, id: 0 });
      const { group, caller, metadata } = request;
      const iid = await create({ params: { id, title, confidential }, group, caller, metadata });
      const child = await requireEpic(readStore, request.group, request.principal, iid);
      await nest(child, request, { parent, position: null, from: null });
      return answerOf(child, request, 201);
    }),

    implement(assignEpicChild, async (request) => {
      const parent = await parentOf(request);
      const child = await requireChild(request.params.child_epic_id, request);
      // Once more changes nothing, its place neither.
      if (child.parentId !== parent.id) {
        await requireRoom(parent, child);
        await nest(child, request, { parent, position: null, from: null });
      }
      return answerOf(child, request, 201);
    }),

    implement(reorderEpicChild, async (request) => {
      const parent = await parentOf(request);
      const child = await requireChild(request.params.child_epic_id, request, parent);
      const position = await placeFor(parent, child, request);
      await nest(child, request, { parent, position, from: parent.id });
      const where = await childrenOf(parent, request);
      const rows = await readStore.find(epics, { where, sort, limit: MOST_REORDERED });
      return json(view.list(rows, await shown(rows, request)));
    }),

    implement(removeEpicChild, async (request) => {
      const parent = await parentOf(request);
      const child = await requireChild(request.params.child_epic_id, request, parent);
      await nest(child, request, { parent: null, position: null, from: parent.id });
      return answerOf(child, request);
    }),
  ];
}
