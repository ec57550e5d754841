import { today } from '@forgelog/directory/calendar.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq, isEmpty, not, oneOf, or, range } from '@forgelog/eventing/query.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import { emptyPage, pageOf } from '@forgelog/service-kit/pagination.ts';
import { placesOf } from '@forgelog/service-kit/project-place.ts';
import { searched } from '@forgelog/service-kit/searched.ts';
import { issuesAcross, readableInProject } from '../issues/issue.access.ts';
import { issuePages } from '../issues/issue-page.query.ts';
import { mergeRequestsAcross } from '../merge-requests/merge-request.access.ts';
import { mergeRequestPages } from '../merge-requests/merge-request-page.query.ts';
import { shownMilestones } from '../milestones/milestone.query.ts';
import { milestoneJson } from '../milestones/milestone.view.ts';
import { milestones } from '../milestones/milestones.projection.ts';
import { openFeature } from '../targets/target.access.ts';
import type { Search } from './search.ts';

/* What a caller may not see is left out by the query itself, so that neither a page nor a count tells of it. */

const TEXTS = { telling: ['title'], others: ['description'] };

export const nothing = ({ request }: Search): Answer => ({ kind: 'list', ...emptyPage(request.page) });

/** Keys of a project lie together: their bounds keep other projects out of the walk through the words. */
const inPlacesOf = (projectId: number) => range('place', placesOf(projectId));

/** What `state` and `confidential` leave. */
const narrowed = ({ state, confidential }: Search, hasConfidential: boolean): Condition[] => [
  ...(state === undefined || state === 'all' ? [] : [eq('state', state)]),
  ...(confidential === undefined || !hasConfidential ? [] : [eq('confidential', confidential)]),
];

export function issueSearch(ports: ServicePorts): (asked: Search) => Promise<Answer> {
  const page = issuePages(ports);
  return async (asked) => {
    const { request, grant, within, words, byTime } = asked;
    if (grant && !grant.can('issues')) return nothing(asked);
    const readable = grant
      ? and(inPlacesOf(grant.project.id), readableInProject(grant, request.principal))
      : (await issuesAcross(ports, request.principal, { archived: true, within })).where;
    const { found, sort, first } = searched(words, { ...TEXTS, byTime });
    const where = and(readable, ...narrowed(asked, true), found);
    return page(request, { where, sort, first, across: grant === null });
  };
}

export function mergeRequestSearch(ports: ServicePorts): (asked: Search) => Promise<Answer> {
  const page = mergeRequestPages(ports);
  return async (asked) => {
    const { request, grant, within, words, byTime } = asked;
    if (grant && !grant.can('merge_requests')) return nothing(asked);
    const readable = grant
      ? and(inPlacesOf(grant.project.id), eq('projectId', grant.project.id))
      : (await mergeRequestsAcross(ports, request.principal, { archived: true, within })).where;
    const { found, sort, first } = searched(words, { ...TEXTS, byTime });
    const where = and(readable, ...narrowed(asked, false), found);
    return page(request, { where, sort, first, across: grant === null });
  };
}

/** Milestones of projects, where issues or merge requests are open to the caller. */
export function milestoneSearch(ports: ServicePorts): (asked: Search) => Promise<Answer> {
  const { readStore, directory } = ports;
  const view = milestoneJson.renderer(ports);

  async function open(principal: Search['request']['principal']): Promise<Condition> {
    const archived = { archived: true };
    const issues = await openFeature(directory, principal, 'issues', archived);
    return or(issues, await openFeature(directory, principal, 'merge_requests', archived));
  }

  return async (asked) => {
    const { request, within, words, byTime } = asked;
    const { principal, page } = request;
    const seen = await directory.projectsWith(principal, 0, 'projectId');
    const { found, sort, first } = searched(words, { ...TEXTS, byTime });
    const where = and(
      not(isEmpty('projectId')),
      ...(within === null ? [] : [oneOf('projectId', within)]),
      ...(seen === null ? [] : [seen]),
      await open(principal),
      found,
    );
    const { documents, next } = await pageOf(readStore, milestones, { where, sort, first, page });
    const items = view.list(await shownMilestones(directory, documents), { today: today(ports) });
    return { kind: 'list', items, next };
  };
}
