import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { Condition } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { foundAcross, openFeature } from '../targets/target.access.ts';
import { isThere, type MergeRequest, mergeRequests } from './merge-requests.collection.ts';

export const REPORTER = 20;

/** A merge request of a project whose merge requests the caller may read. */
export async function mergeRequestOf(
  readStore: ReadStore,
  { project }: ProjectGrant,
  iid: number,
): Promise<MergeRequest | undefined> {
  const place = placeOf(project.id, iid);
  if (place === undefined) return undefined;
  const row = await readStore.get(mergeRequests, place);
  return isThere(row) ? row : undefined;
}

/** @throws record_not_found where there is none of this number */
export async function requireMergeRequest(
  readStore: ReadStore,
  project: ProjectGrant,
  iid: number,
): Promise<MergeRequest> {
  const row = await mergeRequestOf(readStore, project, iid);
  if (!row) throw new Rejection('record_not_found');
  return row;
}

/** The merge requests of all projects that the caller may read, or of those among `within`: see `foundAcross`. */
export async function mergeRequestsAcross(
  { directory, readStore }: { directory: Directory; readStore: ReadStore },
  principal: Principal | null,
  { archived, within }: { archived: boolean; within: readonly number[] | null },
): Promise<{ where: Condition; counted: Condition }> {
  const open = await openFeature(directory, principal, 'merge_requests', { archived });
  const projects = await directory.projectsWith(principal, 0, 'projectId');
  return foundAcross(readStore, mergeRequests, { projects, open, within });
}
