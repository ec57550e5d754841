import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ProjectSummary } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { issueKey } from '../merge-requests/closing-pattern.ts';
import { closedProjects } from './closed-projects.query.ts';
import { issueClosers } from './issue-closers.collection.ts';

/** By id of the issue, how many merge requests that the caller may see say that they close it. */
export type CloserCounts = ReadonlyMap<number, number>;

/** So many are counted for one answer. */
const MOST = 10_000;

export const NO_CLOSERS: CloserCounts = new Map();

interface Counted {
  id: number | null;
  projectId: number | null;
  iid: number | null;
}

/** False where it is known already that no merge request closes an issue of the project. */
export function mayHaveClosers(readStore: ReadStore, { id, fullPath }: ProjectSummary): boolean {
  const closed = closedProjects(readStore);
  return closed.has(String(id)) !== false || closed.has(fullPath) !== false;
}

/** @param issues those of one answer */
export async function countClosers(
  { readStore, directory }: Pick<ServicePorts, 'readStore' | 'directory'>,
  issues: readonly Readonly<Counted>[],
  principal: Principal | null,
): Promise<CloserCounts> {
  const closed = closedProjects(readStore);
  const ids = new Map<string, number>();
  for (const projectId of new Set(issues.map((issue) => issue.projectId!))) {
    const project = await directory.project(projectId);
    // A merge request names an issue by its number, or by the path of its project besides.
    for (const name of project ? [String(projectId), project.fullPath] : [String(projectId)]) {
      const has = closed.has(name);
      if (has === false || !(await has)) continue;
      for (const { id, iid, projectId: itsId } of issues)
        if (itsId === projectId) ids.set(issueKey(name, iid!), id!);
    }
  }
  if (ids.size === 0) return NO_CLOSERS;
  const found = await readStore.find(issueClosers, {
    where: oneOf('issue', [...ids.keys()]),
    limit: MOST,
    select: ['issue', 'place', 'projectId'],
  });
  if (found.length === 0) return NO_CLOSERS;
  const readable = new Set<number>();
  for (const projectId of new Set(found.map((closer) => closer.projectId!))) {
    const project = await directory.project(projectId);
    const grant = project && (await grantProject(project, principal, directory));
    if (grant?.can('merge_requests')) readable.add(projectId);
  }
  const places = new Map<number, Set<number>>();
  for (const { issue, place, projectId } of found) {
    if (!readable.has(projectId!)) continue;
    const id = ids.get(issue!)!;
    places.set(id, (places.get(id) ?? new Set()).add(place!));
  }
  return new Map([...places].map(([id, { size }]) => [id, size]));
}
