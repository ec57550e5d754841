import { issueView, singleIssueView } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import type { userView } from '@forgelog/contracts/views.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { tier } from '@forgelog/service-kit/view-optional.ts';
import { choose, derived, given, host, text } from '@forgelog/service-kit/view-parts.ts';
import { firstUser, placeholder, projectPath, user, users } from '@forgelog/service-kit/view-placeholders.ts';
import type { z } from 'zod';
import type { ShownEpics } from '../epics/epics-of-issues.query.ts';
import type { IterationsOfIssues } from '../iterations/iterations-of-issues.query.ts';
import { labelsIn, type ShownLabels } from '../labels/shown-labels.ts';
import { milestone } from '../milestones/milestone.placeholder.ts';
import { timeStatsJson } from '../time-tracking/time-tracking.view.ts';
import type { CloserCounts } from './issue-closers.query.ts';
import type { IssueDocument } from './issues.collection.ts';
import { movedTo, type ReadableMoves } from './readable-moves.query.ts';
import { taskStatus } from './task-list.ts';

export interface IssueRequest {
  /** Read among the issues of other projects: `references.relative` is then the full one [L66]. */
  across: boolean;
  labels: ShownLabels;
  closers: CloserCounts;
  moves: ReadableMoves;
  epics: ShownEpics;
  iterations: IterationsOfIssues;
}

const epicOf = (place: number, _id: number | null, { epics }: IssueRequest) => epics.get(place) ?? null;

/** The placeholder of the user who closed an issue: null where they are gone [L66]. */
export const CLOSER = 'c';
const closer = placeholder<z.output<typeof userView> | null>(CLOSER);

const project = text`${host}/api/v4/projects/${'projectId'}`;
const self = text`${host}/api/v4/projects/${'projectId'}/issues/${'iid'}`;
const fullReference = text`${projectPath('projectId')}#${'iid'}`;
const shortReference = text`#${'iid'}`;

export const issueJson = implementView(issueView).from<IssueDocument, IssueRequest>({
  id: 'id',
  iid: 'iid',
  project_id: 'projectId',
  title: 'title',
  description: 'description',
  state: 'state',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  closed_at: 'closedAt',
  closed_by: closer('closedById'),
  labels: derived(['labelIds'], labelsIn),
  milestone: milestone('milestoneId'),
  assignees: users('assigneeIds'),
  author: user('authorId'),
  type: derived(['issueType'], (type: string) => type.toUpperCase()),
  assignee: firstUser('assigneeIds'),
  user_notes_count: 'notesCount',
  merge_requests_count: derived(['id'], (id: number, { closers }: IssueRequest) => closers.get(id) ?? 0),
  upvotes: 'upvotes',
  downvotes: 'downvotes',
  due_date: 'dueDate',
  confidential: 'confidential',
  discussion_locked: 'discussionLocked',
  issue_type: 'issueType',
  web_url: text`${host}/${projectPath('projectId')}/-/issues/${'iid'}`,
  time_stats: timeStatsJson.members,
  task_completion_status: { count: 'taskCount', completed_count: 'tasksCompleted' },
  has_tasks: derived(['taskCount'], (count: number) => count > 0),
  task_status: derived(['description', 'taskCount', 'tasksCompleted'], taskStatus),
  _links: {
    self,
    notes: text`${host}/api/v4/projects/${'projectId'}/issues/${'iid'}/notes`,
    award_emoji: text`${host}/api/v4/projects/${'projectId'}/issues/${'iid'}/award_emoji`,
    project,
  },
  moved_to_id: derived(['movedToId', 'movedToPlace'], movedTo),
  reference: shortReference,
  references: {
    short: shortReference,
    full: fullReference,
    relative: choose(({ across }: IssueRequest) => across, fullReference, shortReference),
  },
  weight: tier('premium', 'weight'),
  epic: tier('premium', derived(['place', 'epicId'], epicOf)),
  epic_iid: tier(
    'premium',
    derived(
      ['place', 'epicId'],
      (place: number, id: number | null, request: IssueRequest) => epicOf(place, id, request)?.iid ?? null,
    ),
  ),
  iteration: tier(
    'premium',
    derived(
      ['place', 'iterationId'],
      (place: number, _id: number | null, { iterations }: IssueRequest) => iterations.get(place) ?? null,
    ),
  ),
  health_status: tier('ultimate', null),
});

interface SingleIssueRequest extends IssueRequest {
  subscribed: boolean;
}

/** An issue by itself says too whether the caller is told of what happens to it. */
export const singleIssueJson = implementView(singleIssueView).from<IssueDocument, SingleIssueRequest>({
  ...issueJson.members,
  subscribed: given((_: IssueDocument, { subscribed }: SingleIssueRequest) => subscribed),
});
