import type { listGroups } from '@forgelog/contracts/admin/groups/group.api.ts';
import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import {
  and,
  type Condition,
  eq,
  hasAny,
  includes,
  not,
  oneOf,
  or,
  type SortKey,
} from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { havingAttributes } from '../custom-attributes/custom-attribute.query.ts';

export type GroupFilters = Omit<ParamsOf<typeof listGroups>, 'order_by' | 'top_level_only'> & {
  order_by: string;
  top_level_only?: boolean | undefined;
};

const NONE = or();
const OWNER = 50;

/** Groups in a listing [L416-L422], optionally restricted by `within`. */
export async function groupCondition(
  filters: GroupFilters,
  principal: Principal | null,
  directory: Directory,
  options: { within?: Condition; searchesNames: boolean; readStore: ReadStore },
): Promise<Condition> {
  const { skip_groups, search, custom_attributes } = filters;
  const conditions: Condition[] = [
    eq('orphaned', false),
    await scopeOf(filters, principal, directory),
    not(oneOf('id', await hiddenMarked(principal, directory))),
  ];
  if (options.within) conditions.push(options.within);
  if (skip_groups) conditions.push(not(oneOf('id', skip_groups)));
  if (search) {
    const byPath = includes('path', search);
    conditions.push(options.searchesNames ? or(includes('name', search), byPath) : byPath);
  }
  if (filters.top_level_only) conditions.push(eq('parentId', null));
  if (custom_attributes && principal?.isAdmin)
    conditions.push(await havingAttributes(custom_attributes, 'groupId', options.readStore));
  return and(...conditions);
}

/** Groups that are marked for deletion, but not to the caller: owners see them. */
async function hiddenMarked(principal: Principal | null, directory: Directory): Promise<number[]> {
  if (principal?.isAdmin) return [];
  const hidden: number[] = [];
  for (const id of (await directory.marked()).groups)
    if (principal === null || (await directory.groupLevel(principal.userId, id)) < OWNER) hidden.push(id);
  return hidden;
}

/** Precedence: `owned`, `min_access_level`, `all_available` [L420]. */
async function scopeOf(
  { owned, min_access_level, all_available }: GroupFilters,
  principal: Principal | null,
  directory: Directory,
): Promise<Condition> {
  if (principal === null) return owned || min_access_level ? NONE : eq('visibility', 'public');
  const groups = await directory.groupsOf(principal.userId);
  const { projects } = await directory.memberships(principal.userId);
  const atLeast = (minimum: number) => [...groups].filter(([, level]) => level >= minimum).map(([id]) => id);
  if (owned) return oneOf('id', atLeast(OWNER));
  // Roles are inherited by everything below.
  if (min_access_level) return hasAny('ancestors', atLeast(min_access_level));
  if (principal.isAdmin && all_available !== false) return and();
  const member = atLeast(1);
  const own = or(
    hasAny('ancestors', member),
    oneOf('id', await above(member, [...projects.keys()], directory)),
  );
  if (!all_available) return own;
  return or(own, oneOf('visibility', principal.external ? ['public'] : ['public', 'internal']));
}

/** The parent groups, which members of something below may see. */
async function above(
  groupIds: readonly number[],
  projectIds: readonly number[],
  directory: Directory,
): Promise<number[]> {
  const ids = new Set<number>();
  for (const id of groupIds) for (const one of (await directory.namespace(id))?.ancestors ?? []) ids.add(one);
  for (const id of projectIds) for (const one of (await directory.project(id))?.ancestors ?? []) ids.add(one);
  return [...ids];
}

const ORDERS: Readonly<Record<string, string>> = { name: 'nameFolded', path: 'pathLower', id: 'id' };

/** `similarity` without a search sorts by name. */
export function groupOrder({ order_by, sort }: GroupFilters): SortKey[] {
  if (order_by === 'similarity') return [{ field: 'nameFolded', direction: 'asc' }];
  return [{ field: ORDERS[order_by]!, direction: sort }];
}
