import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  listClosedIssues,
  listClosingMergeRequests,
  listRelatedMergeRequests,
} from '@forgelog/contracts/tracker/merge-requests/related-issue.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, desc, has, or } from '@forgelog/eventing/query.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf, pageOfArray } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { readableIssue } from '../issues/issue.access.ts';
import { issueJson } from '../issues/issue.view.ts';
import type { Issue } from '../issues/issues.collection.ts';
import { shownBeside } from '../issues/shown-beside.query.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { closedIssues } from './closed-issues.ts';
import { issueKey } from './closing-pattern.ts';
import { mergeRequestsAcross, requireMergeRequest } from './merge-request.access.ts';
import { mergeRequestJson, relatedMergeRequestJson } from './merge-request.view.ts';
import { isThere, type MergeRequest, mergeRequests } from './merge-requests.collection.ts';
import { mergeabilityFor } from './mergeability.ts';
import { shownMergeRequests } from './shown-merge-requests.ts';

/** Which merge requests are about an issue, and which issues a merge request closes. */
export function relatedIssueRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, directory } = ports;
  const shown = shownMergeRequests(ports, mergeabilityFor(ports));
  const closedBy = closedIssues(ports);
  const issueView = issueJson.renderer(ports);
  const related = relatedMergeRequestJson.renderer(ports);
  const view = mergeRequestJson.renderer(ports);

  /** Merge requests of any project whose column names the issue, as far as the caller may read them. */
  async function naming(column: 'mentions' | 'closes', request: ApiRequest) {
    const { principal, project: grant, page, params } = request;
    const { project } = grant;
    const issue = await readableIssue(readStore, grant, principal, params.issue_iid as number);
    if (!issue) throw new Rejection('record_not_found');
    const { where } = await mergeRequestsAcross({ directory, readStore }, principal, {
      archived: true,
      within: null,
    });
    const keys = [issueKey(String(project.id), issue.iid), issueKey(project.fullPath, issue.iid)];
    const named = or(...keys.map((key) => has(column, key)));
    const { documents, next } = await pageOf(readStore, mergeRequests, {
      where: and(named, where),
      sort: [desc('createdAt')],
      page,
    });
    return { rows: documents.filter(isThere), next };
  }
  const asked = async (rows: readonly MergeRequest[]) => ({
    across: true,
    ...(await shownLabels(readStore, rows)),
  });

  return [
    implement(listRelatedMergeRequests, async (request) => {
      const { rows, next } = await naming('mentions', request);
      const items = related.list(await shown.detailed(rows, request.principal), await asked(rows));
      return { kind: 'list', items, next };
    }),

    implement(listClosingMergeRequests, async (request) => {
      const { rows, next } = await naming('closes', request);
      const items = view.list(await shown.shown(rows, request.principal), await asked(rows));
      return { kind: 'list', items, next };
    }),

    implement(listClosedIssues, async ({ params, project, caller, page }) => {
      const row = await requireMergeRequest(readStore, project, params.merge_request_iid);
      const issues = (await closedBy(row, caller)).map(({ issue }) => issue);
      const byId = [{ of: ({ id }: Issue) => id, direction: 'asc' as const }];
      const sorted = issues.sort((a, b) => a.id - b.id);
      const { items, next } = pageOfArray(sorted, page, 'closes-issues', byId);
      return {
        kind: 'list',
        items: issueView.list(items, {
          ...{ across: false, ...(await shownLabels(readStore, items)) },
          ...(await shownBeside(ports, items, caller)),
        }),
        next,
      };
    }),
  ];
}
