import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createIssue,
  deleteIssue,
  getIssue,
  getIssueById,
  listIssueParticipants,
  updateIssue,
} from '@forgelog/contracts/tracker/issues/issue.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { requireUnmodifiedSince } from '@forgelog/service-kit/precondition.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { readableCommenters } from '../discussions/note.access.ts';
import { quickActionCommands } from '../quick-actions/quick-action.commands.ts';
import { withWishes } from '../quick-actions/read-actions.ts';
import { participants } from '../targets/participants.ts';
import { requireTarget } from '../targets/target.access.ts';
import { readableIssue } from './issue.access.ts';
import { issueCommandsFor } from './issue.commands.ts';
import { issueDecider, issueStream } from './issue.decider.ts';
import { issueTarget } from './issue.target.ts';
import { issues, isThere } from './issues.collection.ts';
import { shownIssue } from './shown-issue.ts';

const OWNER = 50;

export function issueRoutes(ports: ServicePorts): Implementation[] {
  const { commands, readStore } = ports;
  const { create, update } = issueCommandsFor(ports);
  const actions = quickActionCommands(ports, issueTarget);

  async function answerOf(project: ProjectGrant, principal: Principal | null, iid: number) {
    const issue = await readableIssue(readStore, project, principal, iid);
    if (!issue) throw new Rejection('record_not_found');
    return json(await shownIssue(ports, issue, principal, project.project));
  }

  return [
    implement(getIssue, ({ params, principal, project }) => answerOf(project, principal, params.issue_iid)),

    implement(getIssueById, async ({ params, caller }) => {
      const [issue] = await readStore.find(issues, { where: eq('id', params.id), limit: 1 });
      if (!isThere(issue)) throw new Rejection('record_not_found');
      return json(await shownIssue(ports, issue, caller));
    }),

    implement(listIssueParticipants, async (request) => {
      const { row, ...target } = await requireTarget(issueTarget, ports, request);
      const commenters = await readableCommenters(readStore, target, row, request.principal);
      return participants([row.authorId, ...row.assigneeIds, ...commenters], request.page);
    }),

    implement(createIssue, async (request) =>
      answerOf(request.project, request.caller, await create(request.params, request.project, request)),
    ),

    implement(updateIssue, async (request) => {
      const { params, caller, project } = request;
      const target = await requireTarget(issueTarget, ports, request);
      const reading = params.description
        ? await actions.read(request, target, params.description)
        : undefined;
      const given = reading ? withWishes(params, reading) : params;
      await update(given, target.iid, project, request, reading?.times);
      if (reading) await actions.doDeeds(request, target, reading);
      return answerOf(project, caller, target.iid);
    }),

    implement(deleteIssue, async ({ params, caller, project, metadata, headers }) => {
      const iid = params.issue_iid;
      const projectId = project.project.id;
      const issue = await readableIssue(readStore, project, caller, iid);
      if (!issue) throw new Rejection('not_found', { what: 'Issue' });
      if (project.level < OWNER) throw new Rejection('forbidden', {});
      requireUnmodifiedSince(headers, issue.updatedAt);
      await commands.handle(
        issueDecider,
        issueStream(projectId, iid),
        { type: 'DeleteIssue', projectId, iid },
        metadata,
      );
      return noContent();
    }),
  ];
}
