import { Rejection } from '@forgelog/contracts/errors.ts';
import { reorderIssue } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, desc, eq, not, range } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { readableInProject, readableIssue } from './issue.access.ts';
import { issueDecider, issueStream } from './issue.decider.ts';
import { type Issue, issues, isThere } from './issues.collection.ts';
import { placeOfNumber } from './manual-order.ts';
import { placeAmong } from './place-among.ts';
import { shownIssue } from './shown-issue.ts';

type Asked = Pick<ApiRequest<typeof reorderIssue>, 'params' | 'project' | 'principal'>;

/** The order that people give the issues of a project. */
export function issueOrderRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, commands } = ports;

  async function own({ project, principal, params }: Asked): Promise<Issue> {
    const issue = await readableIssue(readStore, project, principal, params.issue_iid);
    if (!issue) throw new Rejection('record_not_found');
    return issue;
  }

  /** Another one of the project, by its id. */
  async function neighbour(id: number | undefined, { project, principal }: Asked, self: Issue) {
    if (id === undefined) return undefined;
    const where = and(eq('id', id), readableInProject(project, principal));
    const [found] = await readStore.find(issues, { where, limit: 1 });
    if (!isThere(found) || found.id === self.id) throw new Rejection('record_not_found');
    return found.rank;
  }

  /** The next place that is taken in one direction, whoever may read what is there. */
  async function next(rank: string, { id, projectId }: Issue, direction: 'up' | 'down') {
    const bounds = direction === 'up' ? { gt: rank } : { lt: rank };
    const [found] = await readStore.find(issues, {
      where: and(eq('projectId', projectId), range('rank', bounds), not(eq('id', id))),
      sort: [direction === 'up' ? asc('rank') : desc('rank')],
      limit: 1,
    });
    return found?.rank ?? undefined;
  }

  /** Before what the next issue of the project will have. */
  async function end(projectId: number): Promise<string> {
    const sort = [desc('place')];
    const [last] = await readStore.find(issues, { where: eq('projectId', projectId), sort, limit: 1 });
    return placeOfNumber((last?.iid ?? 0) + 1);
  }

  async function placeFor(issue: Issue, asked: Asked): Promise<string> {
    const { move_before_id, move_after_id } = asked.params;
    const given = [
      await neighbour(move_before_id, asked, issue),
      await neighbour(move_after_id, asked, issue),
    ] as const;
    return placeAmong(given, {
      next: (rank, direction) => next(rank, issue, direction),
      end: () => end(issue.projectId),
    });
  }

  return [
    implement(reorderIssue, async (request) => {
      const issue = await own(request);
      const { projectId, iid } = issue;
      const relativePosition = await placeFor(issue, request);
      const command = { type: 'ReorderIssue' as const, projectId, iid, relativePosition };
      await commands.handle(issueDecider, issueStream(projectId, iid), command, request.metadata);
      return json(await shownIssue(ports, await own(request), request.caller));
    }),
  ];
}
