import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  groupIssueStatistics,
  issueStatistics,
  listGroupIssues,
  listIssues,
  listProjectIssues,
  projectIssueStatistics,
} from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq } from '@forgelog/eventing/query.ts';
import { type Answer, json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { reactedWith } from '../award-emoji/voted.query.ts';
import { epicFilter } from '../epics/epics-of-issues.query.ts';
import { iterationFilter } from '../iterations/iterations-of-issues.query.ts';
import { type LabelScope, labelFilter } from '../labels/label-filter.query.ts';
import { milestoneFilter } from '../milestones/milestone-filter.query.ts';
import { issuesAcross, readableInProject } from './issue.access.ts';
import { filterIssues, type IssueFilters, orderIssues } from './issue-filter.query.ts';
import { issuePages } from './issue-page.query.ts';
import { issueStatisticsJson } from './issue-statistics.view.ts';
import { issues } from './issues.collection.ts';
import { rankingsFor } from './planned-orders.query.ts';

/** The same twice: put for finding a page, and for counting. */
interface Readable {
  where: Condition;
  counted?: Condition;
}

const projectIn = (scope: LabelScope) => (scope && 'projectId' in scope ? scope.projectId : null);

const ALL = Number.MAX_SAFE_INTEGER;

export function issueListRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, directory, configuration } = ports;
  const pageOfIssues = issuePages(ports);
  const statisticsView = issueStatisticsJson.renderer(ports);

  const filtered = (
    { principal }: Pick<ApiRequest, 'principal'>,
    filters: IssueFilters,
    scope: LabelScope,
  ): Promise<Condition> =>
    filterIssues(filters, {
      callerId: principal?.userId ?? null,
      projectId: projectIn(scope),
      edition: configuration.EDITION,
      labels: labelFilter(ports, scope),
      milestone: milestoneFilter(ports, scope),
      epic: epicFilter(ports, scope, principal),
      iteration: iterationFilter(ports, scope),
      today: () => today(ports),
      reactedWith: (name, userId) => reactedWith(readStore, 'Issue', { name, userId }),
      userId: async (username) => (await directory.userByName(username))?.id,
    });

  /** A page of the issues that `readable` admits, filtered and ordered as asked. */
  async function listed(
    request: Pick<ApiRequest, 'principal' | 'page'>,
    filters: IssueFilters,
    readable: Readable,
    scope: LabelScope,
  ): Promise<Answer> {
    const within = await filtered(request, filters, scope);
    return pageOfIssues(request, {
      where: and(readable.where, within),
      counted: readable.counted && and(readable.counted, within),
      sort: orderIssues(filters),
      rankings: await rankingsFor(ports, scope, filters),
      across: projectIn(scope) === null,
      detailed: filters.with_labels_details,
    });
  }

  /** How many of the issues that `readable` admits are in each state, filtered as asked. */
  async function counted(
    request: Pick<ApiRequest, 'principal'>,
    filters: Omit<ParamsOf<typeof projectIssueStatistics>, 'id'>,
    readable: Readable,
    scope: LabelScope,
  ): Promise<Answer> {
    const unordered = {
      ...filters,
      order_by: 'created_at',
      sort: 'desc',
      with_labels_details: false,
    } as const;
    const found = and(
      readable.counted ?? readable.where,
      await filtered(request, { ...unordered, state: undefined }, scope),
    );
    const count = (state: string) =>
      readStore.count(issues, { where: and(found, eq('state', state)), atMost: ALL });
    const [opened, closed] = await Promise.all([count('opened'), count('closed')]);
    return json(statisticsView.one({ all: opened + closed, closed, opened }));
  }

  /** @throws unauthorized where the caller's own issues are meant, and nobody calls */
  function readableAnywhere(
    { principal }: ApiRequest,
    { scope, archived }: { scope: string; archived: boolean },
  ) {
    if (principal === null && scope !== 'all') throw new Rejection('unauthorized');
    return issuesAcross(ports, principal, { archived, within: null });
  }

  const readableInGroup = async ({ principal, group }: ApiRequest, archived: boolean) =>
    issuesAcross(ports, principal, { archived, within: await directory.projectsBelow(group.group.id) });

  return [
    implement(listIssues, async (request) => {
      const { scope, non_archived } = request.params;
      const readable = await readableAnywhere(request, { scope, archived: !non_archived });
      return listed(request, request.params, readable, null);
    }),

    implement(issueStatistics, async (request) => {
      const readable = await readableAnywhere(request, { scope: request.params.scope, archived: false });
      return counted(request, request.params, readable, null);
    }),

    implement(listGroupIssues, async (request) => {
      const { params, group } = request;
      const readable = await readableInGroup(request, !params.non_archived);
      return listed(request, { ...params, in: undefined }, readable, { groupId: group.group.id });
    }),

    implement(groupIssueStatistics, async (request) => {
      const readable = await readableInGroup(request, false);
      return counted(request, request.params, readable, { groupId: request.group.group.id });
    }),

    implement(listProjectIssues, async (request) => {
      const { params, principal, project } = request;
      const readable = { where: readableInProject(project, principal) };
      return listed(request, params, readable, { projectId: project.project.id });
    }),

    implement(projectIssueStatistics, async (request) => {
      const { params, principal, project } = request;
      const readable = { where: readableInProject(project, principal) };
      return counted(request, params, readable, { projectId: project.project.id });
    }),
  ];
}
