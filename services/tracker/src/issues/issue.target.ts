import { issueAwards } from '@forgelog/contracts/tracker/award-emoji/award-emoji.api.ts';
import { issueDiscussions } from '@forgelog/contracts/tracker/discussions/discussion.api.ts';
import { issueNotes } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import {
  IssueClosed,
  IssueDeleted,
  IssueOpened,
  IssueReopened,
  IssueUpdated,
} from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { issueTarget as contract } from '@forgelog/contracts/tracker/issues/issue.target.ts';
import { issueResourceEvents } from '@forgelog/contracts/tracker/resource-events/resource-event.api.ts';
import { issueSubscriptions } from '@forgelog/contracts/tracker/subscriptions/subscription.api.ts';
import { issueTimeTracking } from '@forgelog/contracts/tracker/time-tracking/time-tracking.api.ts';
import { issueTodo } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import { initiatorOf } from '@forgelog/eventing/event.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { ending, on, type Target, type TargetKind, told } from '../targets/target.ts';
import { issueRef, targetKey } from '../targets/target-ref.ts';
import { rowKeys, titlesIn } from '../targets/target-rows.ts';
import { readableIssue } from './issue.access.ts';
import { issueCommandsFor } from './issue.commands.ts';
import { issueDecider, issueStream } from './issue.decider.ts';
import { issueJson } from './issue.view.ts';
import { type Issue, issues, isThere } from './issues.collection.ts';
import { shownBeside } from './shown-beside.query.ts';
import { shownIssue } from './shown-issue.ts';

interface FoundIssue extends Target {
  row: Issue;
}

const { type } = contract;
const keyOf = (id: number) => targetKey({ type, id });

export const issueTarget: TargetKind<FoundIssue> = {
  contract,
  discussions: issueDiscussions,
  notes: issueNotes,
  awards: issueAwards,
  resourceEvents: issueResourceEvents,

  async find({ readStore }, { params, project, principal }) {
    const row = await readableIssue(readStore, project, principal, params.issue_iid as number);
    if (!row) return undefined;
    return {
      type,
      key: keyOf(row.id),
      id: row.id,
      projectId: row.projectId,
      iid: row.iid,
      title: row.title,
      authorId: row.authorId,
      assigneeIds: row.assigneeIds,
      confidential: row.confidential,
      discussionLocked: row.discussionLocked,
      level: project.level,
      row,
    };
  },

  titles: ({ readStore }, refs) => titlesIn(issues, type, { readStore, refs }),

  events: {
    opened: [
      on(IssueOpened, ({ data }) => ({
        id: data.issueId,
        projectId: data.projectId,
        authorId: data.authorId,
        assigneeIds: data.assigneeIds,
        confidential: data.confidential,
      })),
    ],
    readersChanged: [
      on(IssueUpdated, ({ data: { issueId: id, changes } }) => ({
        id,
        ...(changes.confidential !== undefined && { confidential: changes.confidential }),
        ...(changes.assigneeIds && { assigneeIds: changes.assigneeIds }),
      })),
    ],
    deleted: [ending(IssueDeleted, ({ issueId }) => issueId)],
    activities: [
      on(IssueOpened, ({ data }) => told('created', 'opened', data.authorId, issueRef(data))),
      on(IssueClosed, ({ data, metadata }) =>
        told('closed', 'closed', data.closedById ?? initiatorOf(metadata).actorId, issueRef(data)),
      ),
      on(IssueReopened, ({ data, metadata }) =>
        told('reopened', 'reopened', initiatorOf(metadata).actorId, issueRef(data)),
      ),
    ],
  },

  todos: {
    endpoint: issueTodo,
    webPath: (iid) => `/-/issues/${iid}`,
    async show(ports, refs, principal) {
      const view = issueJson.renderer(ports);
      const rows = await Promise.all(rowKeys(refs).map((place) => ports.readStore.get(issues, place)));
      const there = rows.filter(isThere);
      const request = {
        ...{ across: true, ...(await shownLabels(ports.readStore, there)) },
        ...(await shownBeside(ports, there, principal)),
      };
      return new Map(there.map((row) => [keyOf(row.id), view.one(row, request)]));
    },
  },

  actions: {
    subjectOf: ({ row }) => ({ ...row, type, isNew: false }),
    change: (ports, { iid }, { wishes, times }, request) =>
      issueCommandsFor(ports).update(wishes, iid, request.project, request, times),
  },

  subscriptions: {
    endpoints: issueSubscriptions,
    participationOf: ({ row }) => row,
    single: (ports, { row }, caller) => shownIssue(ports, row, caller),
  },

  timeTracking: {
    endpoints: issueTimeTracking,
    timesOf: ({ row }) => row,
    book: ({ commands }, { projectId, iid }, command, metadata) =>
      commands.handle(issueDecider, issueStream(projectId, iid), { ...command, projectId, iid }, metadata),
  },
};
