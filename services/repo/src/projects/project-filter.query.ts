import { directoryNamespaces } from '@forgelog/directory/collections.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
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
import { idBounds } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { havingAttributes } from '../custom-attributes/project-attributes.query.ts';
import { projectStars } from './project.collection.ts';

/** Decoded parameters of project lists [L423, L467]. Absent ones do not filter. */
export interface ProjectFilters {
  archived?: boolean;
  custom_attributes?: Readonly<Record<string, string>>;
  id_after?: number;
  id_before?: number;
  last_activity_after?: string;
  last_activity_before?: string;
  membership?: boolean;
  min_access_level?: number;
  order_by?: string;
  owned?: boolean;
  repository_checksum_failed?: boolean;
  repository_storage?: string;
  search?: string;
  search_namespaces?: boolean;
  simple?: boolean;
  sort?: 'asc' | 'desc';
  starred?: boolean;
  statistics?: boolean;
  topic?: readonly string[];
  visibility?: string;
  wiki_checksum_failed?: boolean;
  with_custom_attributes?: boolean;
  with_issues_enabled?: boolean;
  with_merge_requests_enabled?: boolean;
  with_programming_language?: string;
  with_security_reports?: boolean;
}

export interface FilterPorts {
  directory: Directory;
  readStore: ReadStore;
}

const NOTHING = or();
const MAX_NAMESPACES = 10_000;
const MAX_STARS = 100_000;
const OWNER = 50;

/** Projects where the user has a role by membership or ownership. Administrators have none by being one. */
export async function memberOf(
  directory: Directory,
  principal: Principal | null,
  minimum: number,
): Promise<Condition> {
  if (principal === null) return NOTHING;
  return (await directory.projectsWith({ ...principal, isAdmin: false }, minimum, 'id')) ?? and();
}

/** Builds the condition for what the caller may see and asked for. */
export async function conditionOf(
  filters: ProjectFilters,
  principal: Principal | null,
  { directory, readStore }: FilterPorts,
): Promise<Condition> {
  const all: Condition[] = [eq('gone', false), idBounds(filters)];
  const visible = await directory.projectsWith(principal, 0, 'id');
  if (visible) all.push(visible);
  if (filters.archived !== undefined) all.push(eq('archived', filters.archived));
  if (filters.visibility !== undefined) all.push(eq('visibility', filters.visibility));
  const { last_activity_after: since, last_activity_before: until } = filters;
  if (since !== undefined) all.push(range('lastActivityAt', { gte: since }));
  if (until !== undefined) all.push(range('lastActivityAt', { lte: until }));
  for (const topic of filters.topic ?? []) all.push(has('topics', topic));
  if (filters.membership) all.push(await memberOf(directory, principal, 1));
  if (filters.owned) all.push(await memberOf(directory, principal, OWNER));
  if (filters.min_access_level !== undefined)
    all.push(await memberOf(directory, principal, filters.min_access_level));
  if (filters.with_issues_enabled) all.push(await open('issuesLevel', directory, principal));
  if (filters.with_merge_requests_enabled) all.push(await open('mergeRequestsLevel', directory, principal));
  if (filters.search) all.push(await matching(filters.search, filters.search_namespaces ?? false, readStore));
  if (principal?.isAdmin) {
    if (filters.repository_storage !== undefined)
      all.push(eq('repositoryStorage', filters.repository_storage));
    if (filters.custom_attributes) all.push(await havingAttributes(filters.custom_attributes, readStore));
  }
  if (filters.starred) all.push(principal ? await starredBy(principal.userId, readStore) : NOTHING);
  // Checksums, languages and reports are not implemented, so none matches.
  const unmatched =
    filters.repository_checksum_failed ||
    filters.wiki_checksum_failed ||
    filters.with_programming_language !== undefined ||
    filters.with_security_reports;
  if (unmatched) all.push(NOTHING);
  return and(...all);
}

export async function starredBy(userId: number, readStore: ReadStore): Promise<Condition> {
  const where = eq('userId', userId);
  const stars = await readStore.find(projectStars, { where, limit: MAX_STARS, select: ['projectId'] });
  return oneOf(
    'id',
    stars.map(({ projectId }) => projectId),
  );
}

/** Whether a feature is enabled for the caller: for everybody, or for members if they are one. */
async function open(field: string, directory: Directory, principal: Principal | null): Promise<Condition> {
  if (principal?.isAdmin) return not(eq(field, 'disabled'));
  return or(eq(field, 'enabled'), and(eq(field, 'private'), await memberOf(directory, principal, 1)));
}

async function matching(text: string, inNamespaces: boolean, readStore: ReadStore): Promise<Condition> {
  const own = ['name', 'path', 'description'].map((field) => includes(field, text));
  if (!inNamespaces) return or(...own);
  const namespaces = await readStore.find(directoryNamespaces, {
    where: or(includes('fullPath', text), includes('fullName', text)),
    limit: MAX_NAMESPACES,
    select: ['id'],
  });
  return or(
    ...own,
    oneOf(
      'namespaceId',
      namespaces.map(({ id }) => id),
    ),
  );
}

const FIELDS: Readonly<Record<string, string>> = {
  id: 'id',
  name: 'nameLower',
  path: 'pathLower',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  last_activity_at: 'lastActivityAt',
};
/** Sort fields for administrators [L467]; wikis have no size yet. */
const SIZE_FIELDS: Readonly<Record<string, string>> = {
  repository_size: 'repositorySize',
  storage_size: 'storageSize',
  packages_size: 'packagesSize',
  wiki_size: 'id',
};

/** Falls back to the default order if the caller may not use this one, or if it needs a search. */
export function orderOf(
  { order_by: by = 'created_at', sort = 'desc' }: ProjectFilters,
  isAdmin: boolean,
): SortKey[] {
  const field = FIELDS[by] ?? (isAdmin ? SIZE_FIELDS[by] : undefined) ?? 'createdAt';
  return [{ field, direction: sort }];
}
