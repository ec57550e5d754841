import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createIssue,
  deleteIssue,
  getIssue,
  updateIssue,
} from '@forgelog/contracts/tracker/issues/issue.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { requireUnmodifiedSince } from '@forgelog/service-kit/precondition.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { createProjectNumbers } from '@forgelog/service-kit/project-numbers.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { assignable } from '../targets/assignable.ts';
import { distinctLabels } from '../targets/target-content.rules.ts';
import { REPORTER, readableIssue } from './issue.access.ts';
import { type IssueContent, issueDecider, issueStream } from './issue.decider.ts';
import { issues } from './issues.collection.ts';
import { shownIssue } from './shown-issue.ts';

const OWNER = 50;

export function issueRoutes(ports: ServicePorts): Implementation[] {
  const { commands, ids, readStore, directory, configuration } = ports;
  const numbers = createProjectNumbers(readStore, issues, 'issue');
  const edition = configuration.EDITION;

  async function requireReadable(project: ProjectGrant, principal: Principal | null, iid: number) {
    const issue = await readableIssue(readStore, project, principal, iid);
    if (issue === undefined) throw new Rejection('record_not_found');
    return issue;
  }

  async function answerOf(project: ProjectGrant, principal: Principal | null, iid: number) {
    return json(shownIssue(ports, await requireReadable(project, principal, iid), principal));
  }

  /**
   * What only Reporters set, from the parameters that create and update share; undefined is left as it is. A
   * milestone is refused, because there is none that could be meant.
   */
  async function planning(
    params: ParamsOf<typeof createIssue> | ParamsOf<typeof updateIssue>,
    projectId: number,
  ): Promise<Partial<IssueContent>> {
    if (params.milestone_id)
      throw new Rejection('validation_failed', { fields: { milestone_id: ['is invalid'] } });
    const { labels, due_date: dueDate, weight } = params;
    const assignees =
      params.assignee_ids ?? (params.assignee_id === undefined ? undefined : [params.assignee_id ?? 0]);
    const found = assignees && (await assignable(directory, { projectId, feature: 'issues' }, assignees));
    return {
      ...(labels && { labels: distinctLabels(labels) }),
      ...(dueDate !== undefined && { dueDate }),
      ...(weight !== undefined && edition !== 'free' && { weight }),
      // The community edition knows one assignee.
      ...(found && { assigneeIds: edition === 'free' ? found.slice(0, 1) : found }),
    };
  }

  return [
    implement(getIssue, ({ params, principal, project }) => answerOf(project, principal, params.issue_iid)),

    implement(createIssue, async ({ params, caller, project, metadata }) => {
      const projectId = project.project.id;
      const content = {
        title: params.title,
        description: params.description ?? null,
        issueType: params.issue_type ?? 'issue',
        confidential: params.confidential ?? false,
        labels: [],
        assigneeIds: [],
        milestoneId: null,
        dueDate: null,
        weight: null,
        ...(project.level >= REPORTER ? await planning(params, projectId) : {}),
      };
      const isOwner = project.level >= OWNER;
      const commandFor = (issueId: number, iid: number) => ({
        type: 'OpenIssue' as const,
        ...{ issueId, projectId, iid, content },
        authorId: caller.userId,
        createdAt: (isOwner && params.created_at) || null,
      });
      // What is invalid takes no id.
      issueDecider.decide(commandFor(0, 0), issueDecider.initialState);
      const issueId = await ids.next('issue');
      const open = (iid: number) =>
        commands.handle(issueDecider, issueStream(projectId, iid), commandFor(issueId, iid), metadata, {
          mustBeNew: true,
        });
      let iid = isOwner ? params.iid : undefined;
      if (iid === undefined) {
        iid = await numbers.withNext(projectId, async (next) => {
          await open(next);
          return next;
        });
      } else {
        await open(iid).catch((error: unknown) => {
          throw error instanceof ConflictError
            ? new Rejection('conflict', { message: 'Duplicated issue' })
            : error;
        });
        await numbers.taken(projectId, iid);
      }
      return answerOf(project, caller, iid);
    }),

    implement(updateIssue, async ({ params, caller, project, metadata }) => {
      const iid = params.issue_iid;
      await requireReadable(project, caller, iid);
      const projectId = project.project.id;
      const { title, description, issue_type: issueType, confidential, discussion_locked: locked } = params;
      const changes: Partial<IssueContent> = {
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(issueType && { issueType }),
        ...(confidential !== undefined && { confidential }),
        ...(locked !== undefined && { discussionLocked: locked ?? false }),
        ...(project.level >= REPORTER ? await planning(params, projectId) : {}),
      };
      await commands.handle(
        issueDecider,
        issueStream(projectId, iid),
        {
          type: 'UpdateIssue',
          projectId,
          iid,
          actor: { userId: caller.userId, level: project.level },
          changes,
          addLabels: distinctLabels(params.add_labels ?? []),
          removeLabels: distinctLabels(params.remove_labels ?? []),
          stateEvent: params.state_event ?? null,
          updatedAt: (project.level >= OWNER && params.updated_at) || null,
        },
        metadata,
      );
      return answerOf(project, caller, iid);
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
