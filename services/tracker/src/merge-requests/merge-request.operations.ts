import {
  findMergeRequest,
  listMergeRequestsOfBranch,
  MERGE_REQUEST_BOUNDS,
  type MergeRequestFacts,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.operations.ts';
import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, desc, eq } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { shownLabels, titlesIn } from '../labels/shown-labels.ts';
import { branchKey } from './branch-tips.collection.ts';
import { mergeRequestOf } from './merge-request.access.ts';
import {
  isThere,
  type MergeRequest,
  mergeRequests,
  mergeRequestVersions,
} from './merge-requests.collection.ts';

/** What ci needs of merge requests for their pipelines. */
export function mergeRequestOperations({ readStore, directory }: ServicePorts): OperationImplementation[] {
  return [
    implementOperation(findMergeRequest, async ({ request: { projectId, iid }, principal }) => {
      const project = await directory.project(projectId);
      const grant = project && (await grantProject(project, principal, directory));
      const row = grant?.can('merge_requests') ? await mergeRequestOf(readStore, grant, iid) : undefined;
      if (!row) return { refused: 'no merge request' as const };
      const versions = await readStore.find(mergeRequestVersions, {
        where: eq('place', row.place),
        sort: [desc('number')],
        limit: MERGE_REQUEST_BOUNDS.heads,
      });
      return {
        mergeRequest: factsOf((await withTitles(readStore, [row]))[0]!),
        isOpen: row.state === 'opened',
        heads: versions.map(({ headSha }) => headSha),
      };
    }),

    implementOperation(listMergeRequestsOfBranch, async ({ request: { sourceProjectId, sourceBranch } }) => {
      const rows = await readStore.find(mergeRequests, {
        where: and(eq('source', branchKey(sourceProjectId, sourceBranch)), eq('state', 'opened')),
        sort: [asc('place')],
        limit: MERGE_REQUEST_BOUNDS.ofBranch,
      });
      return { mergeRequests: (await withTitles(readStore, rows.filter(isThere))).map(factsOf) };
    }),
  ];
}

async function withTitles(readStore: Pick<ReadStore, 'find'>, rows: readonly MergeRequest[]) {
  const shown = await shownLabels(readStore, rows);
  return rows.map((row) => ({ ...row, labels: titlesIn(row.labelIds, shown) }));
}

const factsOf = ({ labels, ...row }: MergeRequest & { labels: string[] }): MergeRequestFacts => {
  const { id, projectId, iid, title, sourceProjectId, sourceBranch, targetBranch, sha, startSha } = row;
  return {
    ...{ id, projectId, iid, title, sourceProjectId, sourceBranch, targetBranch, sha, startSha },
    labels,
    assigneeIds: [...row.assigneeIds],
    isApproved: row.approvedByIds.length > 0,
  };
};
