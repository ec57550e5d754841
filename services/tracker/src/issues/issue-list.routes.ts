import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  listGroupIssues,
  listIssues,
  listProjectIssues,
} from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition } from '@forgelog/eventing/query.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { reactedWith } from '../award-emoji/voted.query.ts';
import { type LabelScope, labelFilter } from '../labels/label-filter.query.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { milestoneFilter } from '../milestones/milestone-filter.query.ts';
import { issuesAcross, readableInProject } from './issue.access.ts';
import { issueJson } from './issue.view.ts';
import { countClosers } from './issue-closers.query.ts';
import { filterIssues, type IssueFilters, orderIssues } from './issue-filter.query.ts';
import { issues } from './issues.collection.ts';

export function issueListRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, directory, configuration } = ports;
  const edition = configuration.EDITION;
  const view = issueJson.renderer(ports);

  /** A page of the issues that `readable` admits, filtered and ordered as asked. */
  async function listed(
    request: Pick<ApiRequest, 'principal' | 'page'>,
    filters: IssueFilters,
    readable: { where: Condition; counted?: Condition },
    scope: LabelScope,
  ): Promise<Answer> {
    const projectId = scope && 'projectId' in scope ? scope.projectId : null;
    const filtered = await filterIssues(filters, {
      callerId: request.principal?.userId ?? null,
      projectId,
      edition,
      labels: labelFilter(ports, scope),
      milestone: milestoneFilter(ports, scope),
      today: today(ports),
      reactedWith: (name, userId) => reactedWith(readStore, 'Issue', { name, userId }),
      userId: async (username) => (await directory.userByName(username))?.id,
    });
    const { documents, next } = await pageOf(readStore, issues, {
      where: and(readable.where, filtered),
      counted: readable.counted && and(readable.counted, filtered),
      sort: orderIssues(filters),
      page: request.page,
      select: issueJson.columns,
    });
    const items = view.list(documents, {
      across: projectId === null,
      ...(await shownLabels(readStore, documents, { detailed: filters.with_labels_details })),
      closers: await countClosers(ports, documents, request.principal),
    });
    return { kind: 'list', items, next };
  }

  return [
    implement(listIssues, async (request) => {
      const { params, principal } = request;
      if (principal === null && params.scope !== 'all') throw new Rejection('unauthorized');
      const readable = await issuesAcross({ directory, readStore }, principal, {
        archived: !params.non_archived,
        within: null,
      });
      return listed(request, params, readable, null);
    }),

    implement(listGroupIssues, async (request) => {
      const { params, principal, group } = request;
      const readable = await issuesAcross({ directory, readStore }, principal, {
        archived: !params.non_archived,
        within: await directory.projectsBelow(group.group.id),
      });
      return listed(request, { ...params, in: undefined }, readable, { groupId: group.group.id });
    }),

    implement(listProjectIssues, async (request) => {
      const { params, principal, project } = request;
      return listed(
        request,
        params,
        { where: readableInProject(project, principal) },
        { projectId: project.project.id },
      );
    }),
  ];
}
