import type { IssueEvent } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { formerLabelId } from '@forgelog/contracts/tracker/labels/former-label-id.ts';
import { on, type StreamedEvent } from '@forgelog/testing/sample-events.ts';

type Opened = Extract<IssueEvent, { type: 'IssueOpened' }>;

/** An issue of project 7, opened by user 1. Its id is 70 and its number. */
export function issueOpened(iid: number, more: Partial<Opened['data']> = {}): Opened {
  return {
    type: 'IssueOpened',
    data: {
      issueId: 70 + iid,
      projectId: 7,
      iid,
      authorId: 1,
      title: `Issue ${iid}`,
      description: null,
      issueType: 'issue',
      confidential: false,
      labels: [],
      labelIds: (more.labels ?? []).map((title) => formerLabelId(7, title)),
      assigneeIds: [],
      milestoneId: null,
      dueDate: null,
      weight: null,
      createdAt: null,
      ...more,
    },
  };
}

export const issueUpdated = (
  iid: number,
  changes: Extract<IssueEvent, { type: 'IssueUpdated' }>['data']['changes'],
): IssueEvent => ({
  type: 'IssueUpdated',
  data: { issueId: 70 + iid, projectId: 7, iid, changes, previous: null, updatedAt: null },
});

export const issueDeleted = (iid: number): IssueEvent => ({
  type: 'IssueDeleted',
  data: { issueId: 70 + iid, projectId: 7, iid },
});

/** In the stream of its issue. */
export const inIssue = (event: IssueEvent): StreamedEvent =>
  on(`issue-${event.data.projectId}-${event.data.iid}`, event);
