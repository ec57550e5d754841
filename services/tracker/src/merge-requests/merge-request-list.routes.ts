import {
  listGroupMergeRequests,
  listMergeRequests,
  listProjectMergeRequests,
} from '@forgelog/contracts/tracker/merge-requests/merge-request-list.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq } from '@forgelog/eventing/query.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { reactedWith } from '../award-emoji/voted.query.ts';
import { type LabelScope, labelFilter } from '../labels/label-filter.query.ts';
import { milestoneFilter } from '../milestones/milestone-filter.query.ts';
import { mergeRequestsAcross } from './merge-request.access.ts';
import {
  filterMergeRequests,
  type MergeRequestFilters,
  orderMergeRequests,
} from './merge-request-filter.query.ts';
import { mergeRequestPages } from './merge-request-page.query.ts';

export function mergeRequestListRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, directory, configuration } = ports;
  const pageOfMergeRequests = mergeRequestPages(ports);

  /** A page of those that `readable` admits, filtered and ordered as asked. */
  async function listed(
    request: Pick<ApiRequest, 'caller' | 'page'>,
    filters: MergeRequestFilters,
    readable: { where: Condition; counted?: Condition },
    scope: LabelScope,
  ): Promise<Answer> {
    const { caller } = request;
    const projectId = scope && 'projectId' in scope ? scope.projectId : null;
    const filtered = await filterMergeRequests(filters, {
      callerId: caller.userId,
      projectId,
      edition: configuration.EDITION,
      labels: labelFilter(ports, scope),
      milestone: milestoneFilter(ports, scope),
      reactedWith: (name) => reactedWith(readStore, 'MergeRequest', { name, userId: caller.userId }),
      userId: async (username) => (await directory.userByName(username))?.id,
    });
    return pageOfMergeRequests(request, {
      where: and(readable.where, filtered),
      counted: readable.counted && and(readable.counted, filtered),
      sort: orderMergeRequests(filters),
      across: projectId === null,
      detailed: filters.with_labels_details,
      simple: filters.view === 'simple',
    });
  }

  return [
    implement(listMergeRequests, async (request) => {
      const { params, caller } = request;
      const readable = await mergeRequestsAcross({ directory, readStore }, caller, {
        archived: !params.non_archived,
        within: null,
      });
      return listed(request, params, readable, null);
    }),

    implement(listGroupMergeRequests, async (request) => {
      const { params, caller, group } = request;
      const readable = await mergeRequestsAcross({ directory, readStore }, caller, {
        archived: !params.non_archived,
        within: await directory.projectsBelow(group.group.id),
      });
      return listed(request, params, readable, { groupId: group.group.id });
    }),

    implement(listProjectMergeRequests, async (request) => {
      const { params, project } = request;
      const where = eq('projectId', project.project.id);
      return listed(request, params, { where }, { projectId: project.project.id });
    }),
  ];
}
