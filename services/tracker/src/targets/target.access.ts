import { AccessLevel, type ProjectFeature } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq, has, not, or } from '@forgelog/eventing/query.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Readership, Target, TargetKind } from './target.ts';

/*
 * A confidential target is there for its author, its assignees and for Reporters upwards. For everyone else it is in no
 * list, count or search, and asked for by number it answers like a number that was never given.
 */

/** @throws record_not_found where the path of the request names none that the caller may see */
export async function requireTarget<Found extends Target>(
  kind: TargetKind<Found>,
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
  const field = 'projectId';
  const closed = await directory.projectsWithout(feature, principal, { archived: !archived, field });
  const projects = await directory.projectsWith(principal, 0, field);
  if (projects === null) return { projects, open: not(closed) };
  const asReporter = await directory.projectsWith(principal, AccessLevel.reporter, field);
  const exceptions = [...readers, ...(asReporter ? [asReporter] : [])];
  return { projects, open: and(not(closed), or(eq('confidential', false), ...exceptions)) };
}
