import { Rejection } from '@forgelog/contracts/errors.ts';
import { findCommit } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import { containingVersions, MERGE_BOUNDS } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import { listMergeRequestsOfCommit } from '@forgelog/contracts/tracker/merge-requests/commit-merge-request.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, desc, eq, oneOf, or, range } from '@forgelog/eventing/query.ts';
import { pageOfArray } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { placesOf } from '@forgelog/service-kit/project-place.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { mergeRequestJson } from './merge-request.view.ts';
import { isThere, mergeRequests, mergeRequestVersions } from './merge-requests.collection.ts';
import { mergeabilityFor } from './mergeability.ts';
import { shownMergeRequests } from './shown-merge-requests.ts';

/** Which merge requests a commit is from: release notes and bots begin at commits. */
export function commitMergeRequestRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, operations } = ports;
  const { shown } = shownMergeRequests(ports, mergeabilityFor(ports));
  const view = mergeRequestJson.renderer(ports);

  /** Keys of the requests of which a version has the commit. */
  async function bringing(projectId: number, sha: string, principal: Principal): Promise<number[]> {
    const places: number[] = [];
    for (let offset = 0, more = true; more; offset += MERGE_BOUNDS.versions) {
      const versions = await readStore.find(mergeRequestVersions, {
        where: range('place', placesOf(projectId)),
        sort: [asc('place'), asc('number')],
        limit: MERGE_BOUNDS.versions,
        offset,
      });
      const asked = versions.map(({ startSha, headSha }) => ({ startSha, headSha }));
      const answer = await operations.call(
        containingVersions,
        { projectId, sha, versions: asked },
        { principal },
      );
      if ('refused' in answer) return [];
      places.push(...versions.filter((_, at) => answer.contain[at]).map(({ place }) => place));
      more = versions.length === MERGE_BOUNDS.versions;
    }
    return places;
  }

  /** Keys of the requests whose merge made the commit. */
  async function making(projectId: number, sha: string): Promise<number[]> {
    const made = or(eq('mergeCommitSha', sha), eq('squashCommitSha', sha));
    const rows = await readStore.find(mergeRequests, {
      where: and(eq('projectId', projectId), made),
      limit: MERGE_BOUNDS.heads,
      select: ['place'],
    });
    return rows.map(({ place }) => place);
  }

  return [
    implement(listMergeRequestsOfCommit, async ({ params, project: { project }, caller, page }) => {
      const asked = { projectId: project.id, name: params.sha, withBranch: false };
      const { sha } = await operations.call(findCommit, asked, { principal: caller });
      if (sha === null) throw new Rejection('not_found', { what: 'Commit' });
      const [brought, made] = await Promise.all([bringing(project.id, sha, caller), making(project.id, sha)]);
      const places = [...new Set([...brought, ...made])].sort((a, b) => b - a);
      const newest = [{ of: (place: number) => place, direction: 'desc' as const }];
      const { items, next } = pageOfArray(places, page, 'of-commit', newest);
      const rows = await readStore.find(mergeRequests, {
        where: oneOf('place', items),
        sort: [desc('place')],
        limit: Math.max(1, items.length),
      });
      const found = await shown(rows.filter(isThere), caller);
      const labels = await shownLabels(readStore, found);
      return { kind: 'list', items: view.list(found, { across: false, ...labels }), next };
    }),
  ];
}
