import { today } from '@forgelog/directory/calendar.ts';
import { directoryNamespaces } from '@forgelog/directory/collections.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq, hasAny, includes, not, oneOf, or } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { lasting } from '../members/member.query.ts';
import { members } from '../members/members.collection.ts';

const OWNER = 50;
/** Bounds the memberships of one hierarchy that are counted. */
const MANY = 1_000_000;

export interface NamespaceFilters {
  search?: string | undefined;
  owned_only?: boolean | undefined;
  top_level_only?: boolean | undefined;
}

/** The namespaces that a listing shows to the caller. */
export async function namespaceCondition(
  { search, owned_only, top_level_only }: NamespaceFilters,
  caller: Principal,
  directory: Directory,
): Promise<Condition> {
  const conditions = [await scopeOf(caller, owned_only ?? false, directory)];
  if (search) conditions.push(or(includes('fullName', search), includes('fullPath', search)));
  if (top_level_only) conditions.push(eq('parentId', null));
  return and(...conditions);
}

async function scopeOf(caller: Principal, ownedOnly: boolean, directory: Directory): Promise<Condition> {
  if (caller.isAdmin && !ownedOnly) return and();
  const own = and(eq('kind', 'user'), eq('ownerId', caller.userId));
  const groups = await directory.groupsOf(caller.userId);
  const ids = [...groups].filter(([, level]) => !ownedOnly || level >= OWNER).map(([id]) => id);
  const hidden: number[] = [];
  // Owners alone see what is marked for deletion.
  for (const id of (await directory.marked()).groups)
    if ((await directory.groupLevel(caller.userId, id)) < OWNER) hidden.push(id);
  return or(own, and(eq('kind', 'group'), hasAny('ancestors', ids), not(oneOf('id', hidden))));
}

/** How many people are members of a group or of one below it; a person counts once. */
export async function countMembers(
  ports: Pick<ServicePorts, 'readStore' | 'directory' | 'clock'>,
  groupId: number,
): Promise<number> {
  const { readStore, directory } = ports;
  const groupIds = await directory.groupsBelow(groupId);
  const where = and(
    eq('source', 'group'),
    oneOf('sourceId', [...new Set([groupId, ...groupIds])]),
    lasting(today(ports)),
  );
  if (groupIds.every((id) => id === groupId)) return readStore.count(members, { where, atMost: MANY });
  const rows = await readStore.find(members, { where, limit: MANY, select: ['userId'] });
  return new Set(rows.map(({ userId }) => userId)).size;
}

/** Whether a path is taken in a group, or at the top. */
export async function isTaken(
  { readStore }: Pick<ServicePorts, 'readStore'>,
  path: string,
  parent: { id: number; fullPath: string } | null,
): Promise<boolean> {
  const fullPath = parent ? `${parent.fullPath}/${path}` : path;
  const where = eq('fullPathLower', fullPath.toLowerCase());
  return (await readStore.count(directoryNamespaces, { where, atMost: 1 })) > 0;
}
