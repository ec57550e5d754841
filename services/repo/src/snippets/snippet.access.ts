import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { isOpenTo } from '@forgelog/directory/authorizer.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { and, type Condition, eq, isEmpty, not, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ProjectGrant, Visibility } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type SnippetRow, snippets } from './snippets.projection.ts';

/*
 * A snippet of a project is there for its members, and for others by its visibility. A personal one is there for its
 * author, for administrators, and for others by its visibility.
 */

const LEVELS: readonly Visibility[] = ['private', 'internal', 'public'];

const openLevels = (principal: Principal | null) => LEVELS.filter((level) => isOpenTo(level, principal));

const isMember = ({ level }: Pick<ProjectGrant, 'level'>) => level >= AccessLevel.guest;

/** Those of a project that the caller may see. */
export const readableInProject = (grant: ProjectGrant, principal: Principal | null): Condition =>
  and(
    eq('projectId', grant.project.id),
    isMember(grant) ? and() : oneOf('visibility', openLevels(principal)),
  );

/** @throws record_not_found */
export async function requireOfProject(
  readStore: Pick<ReadStore, 'get'>,
  grant: ProjectGrant,
  principal: Principal | null,
  id: number,
): Promise<SnippetRow> {
  const row = await readStore.get(snippets, id);
  const isThere = row?.projectId === grant.project.id;
  if (!isThere || !(isMember(grant) || isOpenTo(row.visibility as Visibility, principal)))
    throw new Rejection('record_not_found');
  return row;
}

/** A personal one. @throws not_found */
export async function requirePersonal(
  readStore: Pick<ReadStore, 'get'>,
  principal: Principal | null,
  id: number,
): Promise<SnippetRow> {
  const row = await readStore.get(snippets, id);
  const isOwn = principal !== null && (principal.isAdmin || row?.authorId === principal.userId);
  if (row?.projectId !== null || !(isOwn || isOpenTo(row.visibility as Visibility, principal)))
    throw new Rejection('not_found', { what: 'Snippet' });
  return row;
}

/** What a caller wrote, as far as they may still see it. */
export async function writtenBy(directory: Directory, caller: Principal): Promise<Condition> {
  const inProjects = await readableInProjects(directory, caller);
  return and(eq('authorId', caller.userId), or(isEmpty('projectId'), inProjects));
}

/** All that the caller may see. */
export async function readableAnywhere(
  directory: Directory,
  principal: Principal | null,
): Promise<Condition> {
  const open = oneOf('visibility', openLevels(principal));
  const own = principal === null ? or() : principal.isAdmin ? and() : eq('authorId', principal.userId);
  return or(and(isEmpty('projectId'), or(open, own)), await readableInProjects(directory, principal));
}

async function readableInProjects(directory: Directory, principal: Principal | null): Promise<Condition> {
  const field = 'projectId';
  const visible = (await directory.projectsWith(principal, 0, field)) ?? and();
  const closed = await directory.projectsWithout('snippets', principal, { archived: false, field });
  const asMember = (await directory.projectsWith(principal, AccessLevel.guest, field)) ?? and();
  const open = or(asMember, oneOf('visibility', openLevels(principal)));
  return and(not(isEmpty(field)), visible, not(closed), open);
}

/** @throws forbidden for others than the author, and who looks after the place */
export function requireChangeable({ authorId }: SnippetRow, caller: Principal, level: number): void {
  const isAuthor = authorId === caller.userId;
  if (!isAuthor && level < AccessLevel.maintainer) throw new Rejection('forbidden', {});
}
