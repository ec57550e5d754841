import { Rejection } from '@forgelog/contracts/errors.ts';
import { visibleGroups } from '@forgelog/directory/authorizer.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { and, type Condition, eq, not, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { IN_NO_EPIC, type InEpic } from '../issues/issue.decider.ts';
import type { IssueDocument } from '../issues/issues.collection.ts';
import { groupScope, isBelow } from '../issues/records-of-groups.query.ts';
import type { LabelScope } from '../labels/label-filter.query.ts';
import { mayRead } from './epic.access.ts';
import { epics } from './epics.projection.ts';

/* An issue is in its epic as long as its project is in the group of the epic or below: one that moves away is in none. */

type Ports = { readStore: ReadStore; directory: Directory };

export interface ShownEpic {
  id: number;
  iid: number;
  title: string;
  url: string;
  group_id: number;
}

/** By `place` of the issue. */
export type ShownEpics = ReadonlyMap<number, ShownEpic>;

const NO_EPICS: ShownEpics = new Map();

/** The epics of issues, as far as the caller may see them. */
export async function shownEpics(
  { readStore, directory }: Ports,
  issues: readonly Readonly<Pick<IssueDocument, 'place' | 'projectId' | 'epicId'>>[],
  principal: Principal | null,
): Promise<ShownEpics> {
  const ids = [...new Set(issues.flatMap(({ epicId }) => epicId ?? []))];
  if (ids.length === 0) return NO_EPICS;
  const found = await readStore.find(epics, { where: oneOf('id', ids), limit: ids.length });
  const groupIds = [...new Set(found.map(({ groupId }) => groupId))];
  const levels = await visibleGroups(directory, groupIds, principal);
  const byId = new Map<number, ShownEpic>();
  for (const row of found) {
    const level = levels.get(row.groupId);
    if (level === undefined || !mayRead(row, level, principal)) continue;
    const { id, iid, title, groupId } = row;
    const path = (await directory.namespace(groupId))?.fullPath;
    if (path) byId.set(id, { id, iid, title, url: `/groups/${path}/-/epics/${iid}`, group_id: groupId });
  }
  const shown = new Map<number, ShownEpic>();
  for (const { place, projectId, epicId } of issues) {
    const epic = epicId === null ? undefined : byId.get(epicId);
    if (epic && projectId !== null && (await isBelow(directory, projectId, epic.group_id)))
      shown.set(place, epic);
  }
  return shown;
}

/**
 * The epic that a parameter of an issue names by its id: none for 0 and null, undefined to leave it as it is.
 * @throws 400 for one that the issue cannot be in, or that the caller does not see
 */
export async function givenEpic(
  { readStore, directory }: Ports,
  projectId: number,
  given: number | null | undefined,
  principal: Principal,
): Promise<InEpic | undefined> {
  if (given === undefined) return undefined;
  if (given === null || given === 0) return IN_NO_EPIC;
  const [row] = await readStore.find(epics, { where: eq('id', given), limit: 1 });
  const level = row && (await visibleGroups(directory, [row.groupId], principal)).get(row.groupId);
  const isThere =
    row &&
    level !== undefined &&
    mayRead(row, level, principal) &&
    (await isBelow(directory, projectId, row.groupId));
  if (!isThere) throw new Rejection('validation_failed', { fields: { epic_id: ['is invalid'] } });
  return { epicId: row.id, epicPosition: null, epicPlace: { groupId: row.groupId, iid: row.iid } };
}

/** Finds the issues of a list by the id of their epic, `None` or `Any`. */
export type EpicFilter = (wanted: number | string) => Promise<Condition>;

const MOST = 1_000_000;

export function epicFilter(
  { readStore, directory }: Ports,
  scope: LabelScope,
  principal: Principal | null,
): EpicFilter {
  async function within(where: Condition): Promise<Condition> {
    const { records, issuesIn } = await groupScope(directory, scope, 'epicId');
    const found = await readStore.find(epics, {
      where: and(where, records),
      limit: MOST,
      select: ['id', 'groupId', 'confidential', 'authorId'],
    });
    const byGroup = Map.groupBy(found, ({ groupId }) => groupId);
    const levels = await visibleGroups(directory, [...byGroup.keys()], principal);
    const readable = (groupId: number, level: number) =>
      byGroup.get(groupId)!.filter((row) => mayRead(row, level, principal));
    return issuesIn(
      [...levels].map(([groupId, level]) => [groupId, readable(groupId, level).map(({ id }) => id)]),
    );
  }

  return async (wanted) => {
    if (typeof wanted === 'number') return within(eq('id', wanted));
    return wanted.toLowerCase() === 'any' ? within(and()) : not(await within(and()));
  };
}
