import type { listUsers } from '@forgelog/contracts/admin/users/user.api.ts';
import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { directoryMembers, directoryProjects } from '@forgelog/directory/collections.ts';
import {
  and,
  type Condition,
  eq,
  has,
  includes,
  not,
  oneOf,
  or,
  range,
  type SortKey,
} from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { havingAttributes } from '../custom-attributes/custom-attribute.query.ts';
import { identityKey } from './users.projection.ts';

export type UserFilters = ParamsOf<typeof listUsers>;

const NOBODY = or();
const ORDERS = {
  id: 'id',
  name: 'nameFolded',
  username: 'usernameLower',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
} as const;

/** Applies the filters [L437]; ignores administrators' filters for others. */
export async function userCondition(
  filters: UserFilters,
  principal: Principal | null,
  readStore: ReadStore,
): Promise<Condition> {
  const conditions: Condition[] = [];
  const when = (given: unknown, condition: () => Condition) => {
    if (given) conditions.push(condition());
  };
  when(filters.search, () => searchCondition(filters.search!, principal));
  if (filters.username !== undefined) conditions.push(eq('usernameLower', filters.username.toLowerCase()));
  // Only true is a filter [rule 279].
  when(filters.active, () => eq('state', 'active'));
  when(filters.blocked, () => eq('state', 'blocked'));
  when(filters.external, () => eq('external', true));
  when(filters.exclude_external, () => eq('external', false));
  // `exclude_internal` excludes alert and support bots, which do not exist here; project bots stay.
  when(filters.provider, () => has('identityKeys', identityKey(filters.provider!, filters.extern_uid!)));
  when(filters.created_before, () => range('createdAt', { lte: filters.created_before }));
  when(filters.created_after, () => range('createdAt', { gte: filters.created_after }));
  if (principal?.isAdmin) {
    when(filters.admins, () => eq('admin', true));
    // Two-factor authentication does not exist here.
    when(filters.two_factor === 'enabled', () => NOBODY);
    if (filters.custom_attributes)
      conditions.push(await havingAttributes(filters.custom_attributes, 'userId', readStore));
    if (filters.saml_provider_id !== undefined)
      conditions.push(has('samlProviderIds', filters.saml_provider_id));
    if (filters.without_projects) conditions.push(not(oneOf('id', await usersWithProjects(readStore))));
  }
  return and(...conditions);
}

/** Matches parts of name and username. Administrators match parts of the address, other users the whole address. */
function searchCondition(text: string, principal: Principal | null): Condition {
  const byName = or(includes('name', text), includes('username', text));
  if (principal === null) return byName;
  return or(byName, principal.isAdmin ? includes('email', text) : eq('emailLower', text.toLowerCase()));
}

export function userOrder(filters: UserFilters, principal: Principal | null): SortKey[] {
  if (!principal?.isAdmin) return [{ field: 'id', direction: 'desc' }];
  return [{ field: ORDERS[filters.order_by], direction: filters.sort }];
}

const ALL = 1_000_000;

/** Users who own a project, or are members of one or of a parent group. */
async function usersWithProjects(readStore: ReadStore): Promise<number[]> {
  const projects = await readStore.find(directoryProjects, {
    limit: ALL,
    select: ['id', 'ownerId', 'ancestors'],
  });
  const members = await readStore.find(directoryMembers, {
    limit: ALL,
    select: ['source', 'sourceId', 'userId'],
  });
  const groups = new Set(projects.flatMap(({ ancestors }) => ancestors ?? []));
  const found = new Set(projects.flatMap(({ ownerId }) => ownerId ?? []));
  for (const { source, sourceId, userId } of members)
    if (source === 'project' || groups.has(sourceId)) found.add(userId);
  return [...found];
}
