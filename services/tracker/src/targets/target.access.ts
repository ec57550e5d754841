import { AccessLevel, type ProjectFeature } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { openCode } from '@forgelog/directory/open-code.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, broad, type Condition, eq, has, isEmpty, not, oneOf, or } from '@forgelog/eventing/query.ts';
import type { AnyCollection, ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Discussed, DiscussedKind, Readership, TargetKind } from './target.ts';

/*
 * A confidential target is there for its author, its assignees and for Reporters upwards. For everyone else it is in no
 * list, count or search, and asked for by number it answers like a number that was never given.
 */

/** @throws record_not_found where the path of the request names none that the caller may see */
export async function requireTarget<Found extends Discussed>(
  kind: Pick<DiscussedKind<Found>, 'find'>,
  ports: ServicePorts,
  request: ApiRequest,
): Promise<Found> {
  const target = await kind.find(ports, request);
  if (!target) throw new Rejection('record_not_found');
  return target;
}

/** Whether the caller reads what is confidential about the target. @param level the caller's access level there */
export function readsConfidential(
  { authorId, assigneeIds }: Pick<Readership, 'authorId' | 'assigneeIds'>,
  level: number,
  principal: Principal | null,
): boolean {
  if (principal === null) return false;
  if (level >= AccessLevel.reporter) return true;
  return authorId === principal.userId || assigneeIds.includes(principal.userId);
}

const field = 'projectId';

/** Records that hold `projectId`, `targetType`, `confidential` and `readerIds`, as the caller may read their targets. */
export async function readableTargets(
  directory: Directory,
  principal: Principal,
  kinds: readonly TargetKind[],
): Promise<Condition> {
  const readers = [has('readerIds', principal.userId)];
  const byKind = kinds.map(async ({ contract: { type, feature } }) => {
    const { projects, open } = await readableAcross(directory, principal, {
      feature,
      readers,
      archived: true,
    });
    return and(eq('targetType', type), ...(projects === null ? [] : [projects]), open);
  });
  return or(...(await Promise.all(byKind)));
}

/**
 * The projects that the caller may see (null: all), and what in them is open to the caller.
 * @param readers conditions on records that the caller reads although they are confidential
 */
export async function readableAcross(
  directory: Directory,
  principal: Principal | null,
  {
    feature,
    readers,
    archived,
  }: { feature: ProjectFeature; readers: readonly Condition[]; archived: boolean },
): Promise<{ projects: Condition | null; open: Condition }> {
  const shown = await openFeature(directory, principal, feature, { archived });
  const projects = await directory.projectsWith(principal, 0, field);
  if (projects === null) return { projects, open: shown };
  const asReporter = await directory.projectsWith(principal, AccessLevel.reporter, field);
  const exceptions = [...readers, ...(asReporter ? [asReporter] : [])];
  return { projects, open: and(shown, or(eq('confidential', false), ...exceptions)) };
}

/** More targets than this are not gathered and sorted for one page of them. */
const MUCH = 5000;

/**
 * The open targets of these projects (null: all), or of those among `within`. Twice the same condition, put for finding a
 * page and for counting.
 */
export async function foundAcross(
  readStore: Pick<ReadStore, 'count'>,
  targets: AnyCollection,
  {
    projects,
    open,
    within,
  }: { projects: Condition | null; open: Condition; within: readonly number[] | null },
): Promise<{ where: Condition; counted: Condition }> {
  const named = [
    ...(within === null ? [] : [oneOf(field, within)]),
    ...(projects === null ? [] : [projects]),
  ];
  // What a deleted target leaves behind belongs to no project.
  if (named.length === 0) {
    const where = and(not(isEmpty(field)), open);
    return { where, counted: where };
  }
  const place = and(...named);
  const counted = and(place, open);
  const isMuch = (await readStore.count(targets, { where: place, atMost: MUCH })) >= MUCH;
  return { where: isMuch ? and(broad(place), open) : counted, counted };
}

/** The projects whose feature is open to the caller, among those that they see. Merge requests show code. */
export async function openFeature(
  directory: Directory,
  principal: Principal | null,
  feature: ProjectFeature,
  { archived }: { archived: boolean },
): Promise<Condition> {
  const open = not(await directory.projectsWithout(feature, principal, { archived: !archived, field }));
  return feature === 'merge_requests' ? and(open, await openCode(directory, principal, field)) : open;
}
