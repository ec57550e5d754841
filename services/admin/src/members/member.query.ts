import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { userJson } from '@forgelog/directory/user.view.ts';
import { and, asc, type Condition, eq, includes, not, oneOf, or, range } from '@forgelog/eventing/query.ts';
import { type Answer, json } from '@forgelog/service-kit/answer.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import { type PageRequest, pageOf, pageOfArray } from '@forgelog/service-kit/pagination.ts';
import { memberJson, shownMember, singleMemberJson } from './member.view.ts';
import { type MemberRow, type MemberSource, memberRowKey, members } from './members.collection.ts';

/** A group or project, and the groups whose members it inherits. */
export interface Place {
  source: MemberSource;
  id: number;
  /** Ids of the parent groups. */
  above: readonly number[];
  /** Groups that it, or a group above, is shared with. */
  shared: readonly Share[];
}

interface Share {
  /** Ids of the group and of its parents, whose members its members are. */
  groups: readonly number[];
  accessLevel: number;
  expiresAt: string | null;
}

export interface MemberFilter {
  query?: string | undefined;
  user_ids?: readonly number[] | undefined;
  skip_users?: readonly number[] | undefined;
}

type Ports = Pick<ServicePorts, 'readStore' | 'directory' | 'clock' | 'configuration' | 'host'>;

/** Bounds the memberships of one hierarchy that are merged in memory. */
const MAX_MERGED = 1_000_000;

/** A membership expires by its date, without an event. */
export const lasting = (day: string): Condition => or(eq('expiresAt', null), range('expiresAt', { gt: day }));

export async function placeOf({ directory }: Ports, source: MemberSource, id: number): Promise<Place> {
  const groupsAbove = async (groupId: number) => (await directory.namespace(groupId))?.ancestors ?? [];

  async function sharesOfGroups(groupIds: readonly number[]): Promise<Share[]> {
    const shared: Share[] = [];
    for (const groupId of groupIds)
      for (const share of await directory.groupShares(groupId))
        shared.push({ ...share, groups: await groupsAbove(share.groupId) });
    return shared;
  }

  if (source === 'group') {
    const ancestors = await groupsAbove(id);
    const above = ancestors.filter((one) => one !== id);
    return { source, id, above, shared: await sharesOfGroups(ancestors) };
  }
  const above = (await directory.project(id))?.ancestors ?? [];
  const shared = await sharesOfGroups(above);
  for (const { groupId, accessLevel, expiresAt } of await directory.projectShares(id)) {
    const groups = await groupsAbove(groupId);
    shared.push({ groups, accessLevel, expiresAt });
    for (const further of await sharesOfGroups(groups))
      shared.push({
        groups: further.groups,
        accessLevel: Math.min(accessLevel, further.accessLevel),
        expiresAt: earlier(expiresAt, further.expiresAt),
      });
  }
  return { source, id, above, shared };
}

/** [L447] */
export async function directMembers(
  ports: Ports,
  { source, id }: Place,
  filter: MemberFilter,
  page: PageRequest,
  show = listed,
): Promise<Answer> {
  const { documents, next } = await pageOf(ports.readStore, members, {
    where: and(eq('source', source), eq('sourceId', id), lasting(today(ports)), filtered(filter)),
    sort: [asc('userId')],
    page,
  });
  return { kind: 'list', items: await show(documents, ports), next };
}

async function listed(rows: readonly MemberRow[], ports: Ports): Promise<JsonTemplate> {
  const shown = await Promise.all(rows.map((row) => shownMember(row, ports.directory)));
  return memberJson.renderer(ports).list(shown);
}

/** The same as users, who are nothing but members. */
export async function listedUsers(rows: readonly MemberRow[], ports: Ports): Promise<JsonTemplate> {
  const shown = await Promise.all(rows.map((row) => shownMember(row, ports.directory)));
  return userJson.renderer(ports).list(shown);
}

/** Direct and inherited members, and those of groups that it is shared with; each user's highest level counts [L448]. */
export async function allMembers(
  ports: Ports,
  place: Place,
  filter: MemberFilter,
  page: PageRequest,
  show = listed,
): Promise<Answer> {
  if (place.above.length === 0 && place.shared.length === 0)
    return directMembers(ports, place, filter, page, show);
  const rows = await ports.readStore.find(members, {
    where: and(within(place), lasting(today(ports)), filtered(filter)),
    sort: [asc('userId')],
    limit: MAX_MERGED,
    select: ['key', 'userId', 'accessLevel', 'expiresAt', 'sourceId', 'source'],
  });
  const best = highestOfEach(countedIn(place, rows), place);
  const { items: shown, next } = pageOfArray(best, page, 'merged', [
    { of: ({ userId }) => userId, direction: 'asc' },
  ]);
  const whole = await ports.readStore.find(members, {
    where: oneOf(
      'key',
      shown.map(({ key }) => key),
    ),
    sort: [asc('userId')],
    limit: page.size,
  });
  const counted = new Map(shown.map((row) => [row.key, row]));
  const merged = whole.map((row) => ({ ...row, ...counted.get(row.key) }));
  return { kind: 'list', items: await show(merged, ports), next };
}

/** A member by themselves. */
export async function answerMember(
  row: MemberRow,
  ports: Pick<ServicePorts, 'directory' | 'configuration' | 'host'>,
): Promise<Answer> {
  return json(singleMemberJson.renderer(ports).one(await shownMember(row, ports.directory)));
}

/** Undefined if there is none or it expired. */
export async function directMember(
  ports: Ports,
  { source, id }: Place,
  userId: number,
): Promise<MemberRow | undefined> {
  const row = await ports.readStore.get(members, memberRowKey(source, id, userId));
  return row && (row.expiresAt === null || row.expiresAt > today(ports)) ? row : undefined;
}

/** The effective membership, direct or inherited. */
export async function anyMember(ports: Ports, place: Place, userId: number): Promise<MemberRow | undefined> {
  const where = and(eq('userId', userId), within(place), lasting(today(ports)));
  const rows = await ports.readStore.find(members, { where, limit: MAX_MERGED });
  return highestOfEach(countedIn(place, rows), place)[0];
}

/** Ids of all members of a place, however they are members of it. */
export async function memberIds(ports: Ports, place: Place): Promise<number[]> {
  const where = and(within(place), lasting(today(ports)));
  const rows = await ports.readStore.find(members, { where, limit: MAX_MERGED, select: ['userId'] });
  return [...new Set(rows.map(({ userId }) => userId))];
}

function filtered({ query, user_ids, skip_users }: MemberFilter): Condition {
  const conditions: Condition[] = [];
  if (query) conditions.push(or(includes('username', query), includes('name', query)));
  // Clients send an empty list when nothing is selected.
  if (user_ids && user_ids.length > 0) conditions.push(oneOf('userId', user_ids));
  if (skip_users) conditions.push(not(oneOf('userId', skip_users)));
  return and(...conditions);
}

/** Minimal access is not inherited. */
function within({ source, id, above, shared }: Place): Condition {
  const groups = [...new Set([...above, ...shared.flatMap((share) => share.groups)])];
  return or(
    and(eq('source', source), eq('sourceId', id)),
    and(eq('source', 'group'), oneOf('sourceId', groups), range('accessLevel', { gte: AccessLevel.guest })),
  );
}

type Weighed = Pick<MemberRow, 'key' | 'userId' | 'accessLevel' | 'expiresAt' | 'source' | 'sourceId'>;

/** What each membership counts here: as it is where it is the place's own or inherited, less by way of a share. */
function countedIn<Row extends Weighed>(place: Place, rows: readonly Row[]): Row[] {
  if (place.shared.length === 0) return [...rows];
  return rows.flatMap((row) => {
    const isDirect = row.source === place.source && row.sourceId === place.id;
    const isOwn = isDirect || (row.source === 'group' && place.above.includes(row.sourceId));
    const through = place.shared.filter(
      ({ groups }) => row.source === 'group' && groups.includes(row.sourceId),
    );
    return [
      ...(isOwn ? [row] : []),
      ...through.map(({ accessLevel, expiresAt }) => ({
        ...row,
        accessLevel: Math.min(row.accessLevel ?? 0, accessLevel),
        expiresAt: earlier(row.expiresAt, expiresAt),
      })),
    ];
  });
}

const earlier = (one: string | null, other: string | null) =>
  one === null || (other !== null && other < one) ? other : one;

/** One row per user, in row order: the highest level, and the nearest of equal ones. */
function highestOfEach<Row extends Weighed>(rows: readonly Row[], place: Place): Row[] {
  const distance = (row: Row) =>
    row.source === place.source && row.sourceId === place.id
      ? 0
      : place.above.includes(row.sourceId)
        ? place.above.length - place.above.indexOf(row.sourceId)
        : Number.POSITIVE_INFINITY;
  const best = new Map<number, Row>();
  for (const row of rows) {
    const other = best.get(row.userId);
    const isBetter =
      !other ||
      row.accessLevel > other.accessLevel ||
      (row.accessLevel === other.accessLevel && distance(row) < distance(other));
    if (isBetter) best.set(row.userId, row);
  }
  return [...best.values()];
}
