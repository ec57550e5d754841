import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { visibleGroups } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { GroupGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { type EpicRow, epics } from './epics.projection.ts';

/* A confidential epic is there for Reporters upwards, and for its author while they see the group. */

const readsAll = (level: number) => level >= AccessLevel.reporter;

export const mayRead = (
  { confidential, authorId }: Pick<EpicRow, 'confidential' | 'authorId'>,
  level: number,
  principal: Principal | null,
): boolean => !confidential || readsAll(level) || authorId === principal?.userId;

/** By its number. @throws record_not_found */
export async function requireEpic(
  readStore: Pick<ReadStore, 'get'>,
  { group, level }: GroupGrant,
  principal: Principal | null,
  iid: number,
): Promise<EpicRow> {
  const place = placeOf(group.id, iid);
  const row = place === undefined ? undefined : await readStore.get(epics, place);
  if (!row || !mayRead(row, level, principal)) throw new Rejection('record_not_found');
  return row;
}

interface Around {
  above: boolean;
  below: boolean;
}

/** The epics of a group that the caller may read, and those of the groups around it that the caller may see. */
export async function readableEpics(
  { directory }: Pick<ServicePorts, 'directory'>,
  { group }: GroupGrant,
  principal: Principal | null,
  { above, below }: Around,
): Promise<Condition> {
  const groups = [
    group.id,
    ...(above ? ((await directory.namespace(group.id))?.ancestors ?? []) : []),
    ...(below ? await directory.groupsBelow(group.id) : []),
  ];
  const levels = await visibleGroups(directory, groups, principal);
  const visible = [...levels.keys()];
  const asReporter = visible.filter((id) => readsAll(levels.get(id)!));
  const own = principal === null ? [] : [eq('authorId', principal.userId)];
  return and(oneOf('groupId', visible), or(eq('confidential', false), oneOf('groupId', asReporter), ...own));
}
