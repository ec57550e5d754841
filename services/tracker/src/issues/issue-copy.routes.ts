import { Rejection } from '@forgelog/contracts/errors.ts';
import { cloneIssue, moveIssue } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { REPORTER, readableIssue } from './issue.access.ts';
import { CANNOT_MOVE } from './issue.decider.ts';
import { issueCopies } from './issue-copies.ts';
import type { Issue } from './issues.collection.ts';
import { shownIssue } from './shown-issue.ts';

type Asked = Pick<ApiRequest<typeof moveIssue>, 'params' | 'project' | 'principal' | 'caller' | 'metadata'>;

/* The texts are those that clients know (companions 2.7). */
const CANNOT_CLONE = 'Cannot clone issue due to insufficient permissions!';
const SAME_PROJECT = 'Cannot move issue to project it originates from!';

const refused = (message: string) => new Rejection('refused', { message });

export function issueCopyRoutes(ports: ServicePorts): Implementation[] {
  const { readStore } = ports;
  const authorizer = createAuthorizer(ports.directory);
  const copies = issueCopies(ports);

  async function own({ project, principal, params }: Asked): Promise<Issue> {
    const issue = await readableIssue(readStore, project, principal, params.issue_iid);
    if (!issue) throw new Rejection('record_not_found');
    return issue;
  }

  /** The other project. @throws not_found; refused where the caller may not open issues there as a reporter does */
  async function target({ params, caller }: Asked, refusal: string): Promise<ProjectGrant> {
    const grant = await authorizer.project(String(params.to_project_id), caller);
    if (!grant) throw new Rejection('not_found', { what: 'Project' });
    if (grant.level < REPORTER || !grant.can('issues') || grant.project.readOnly !== null)
      throw refused(refusal);
    return grant;
  }

  async function answerOf(project: ProjectGrant, iid: number, { caller }: Asked) {
    const issue = await readableIssue(readStore, project, caller, iid);
    if (!issue) throw new Rejection('record_not_found');
    return json(await shownIssue(ports, issue, caller), { status: 201 });
  }

  return [
    implement(moveIssue, async (request) => {
      const issue = await own(request);
      const to = await target(request, CANNOT_MOVE);
      if (to.project.id === issue.projectId) throw refused(SAME_PROJECT);
      if (issue.movedToId !== null) throw refused(CANNOT_MOVE);
      const iid = await copies.copy(issue, to, request, { reason: 'moved', withNotes: true });
      return answerOf(to, iid, request);
    }),

    implement(cloneIssue, async (request) => {
      const issue = await own(request);
      const to = await target(request, CANNOT_CLONE);
      const how = { reason: 'cloned', withNotes: request.params.with_notes } as const;
      return answerOf(to, await copies.copy(issue, to, request, how), request);
    }),
  ];
}
