import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { ref, TextRef, writeReadyJson } from '@forgelog/service-kit/ready-json.ts';
import { timeStats } from '../time-tracking/duration.ts';
import type { IssueDocument } from './issues.collection.ts';
import { labelDetails } from './label-details.ts';
import { countTasks, taskStatus } from './task-list.ts';

/*
 * An issue's ready JSON in lines (JSON text holds no line break), so that what depends on the caller, the list or
 * the edition is put in or left out without parsing anything, and rights are checked on the very text that is read:
 *
 *   0  global id
 *   1  `c` for a confidential issue, then the users who may read it all the same
 *   2  the users who are told what happens to it
 *   3  the issue up to its labels
 *   4  the labels, a JSON array of names
 *   5  what follows, up to the relative reference
 *   6  the reference from within its project
 *   7  the reference from anywhere
 *   8  members that exist from Premium on
 *   9  members that exist on Ultimate
 */

/** Kind of reference for whoever closed an issue: null where he is gone [L66]. */
export const CLOSER = 'c';

export function writeReadyIssue(issue: IssueDocument): string {
  const iid = issue.iid!;
  const projectId = issue.projectId!;
  const assigneeIds = issue.assigneeIds!;
  const description = issue.description;
  const tasks = countTasks(description);
  const short = `#${iid}`;
  const full = [projectText(projectId), short];
  const head = writeReadyJson({
    id: issue.id,
    iid,
    project_id: projectId,
    title: issue.title,
    description,
    state: issue.state,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    closed_by: issue.closedById === null ? null : ref.value(CLOSER, issue.closedById),
  });
  const tail = writeReadyJson({
    milestone: null,
    assignees: assigneeIds.map(ref.user),
    author: ref.user(issue.authorId),
    type: issue.issueType!.toUpperCase(),
    assignee: ref.user(assigneeIds[0] ?? null),
    user_notes_count: issue.notesCount,
    merge_requests_count: 0,
    upvotes: 0,
    downvotes: 0,
    due_date: issue.dueDate,
    confidential: issue.confidential,
    discussion_locked: issue.discussionLocked,
    issue_type: issue.issueType,
    web_url: new TextRef(['', ref.host, '/', ref.projectPath(projectId), `/-/issues/${iid}`]),
    time_stats: timeStats(issue.timeEstimate!, issue.timeSpent!),
    task_completion_status: { count: tasks.count, completed_count: tasks.completed },
    has_tasks: tasks.count > 0,
    task_status: taskStatus(description, tasks),
    _links: links(projectId, iid),
    moved_to_id: null,
    reference: short,
    references: { short, full: new TextRef(['', ...full]) },
  });
  return [
    issue.id,
    `${issue.confidential ? 'c' : ''},${[issue.authorId, ...assigneeIds].join()},`,
    `,${[...new Set([issue.authorId, ...assigneeIds, ...issue.participantIds!])].join()},`,
    `${head.slice(0, -1)},"labels":`,
    JSON.stringify(issue.labels),
    `,${tail.slice(1, -2)},"relative":"`,
    short,
    `\u0001${full.join('\u0001')}`,
    `,"weight":${issue.weight},"epic":null,"epic_iid":null`,
    ',"health_status":null',
  ].join('\n');
}

const projectText = (projectId: number) => ref.projectPath(projectId);

function links(projectId: number, iid: number) {
  const project = (rest: string) => new TextRef(['', ref.host, `/api/v4/projects/${projectId}${rest}`]);
  const issue = `/issues/${iid}`;
  return {
    self: project(issue),
    notes: project(`${issue}/notes`),
    award_emoji: project(`${issue}/award_emoji`),
    project: project(''),
  };
}

export interface Rendering {
  edition: Configuration['EDITION'];
  /** Read among the issues of other projects: `references.relative` is then the full one [L66]. */
  across: boolean;
  labelDetails: boolean;
}

/** The ready JSON of an issue as it is sent. */
export function renderIssue(body: string, { edition, across, labelDetails: detailed }: Rendering): string {
  const lines = body.split('\n');
  const labels = detailed ? labelDetails(JSON.parse(lines[4]!) as string[]) : lines[4]!;
  const premium = edition === 'free' ? '' : lines[8]!;
  const ultimate = edition === 'ultimate' ? lines[9]! : '';
  return `${lines[3]}${labels}${lines[5]}${lines[across ? 7 : 6]}"}${premium}${ultimate}}`;
}

export const issueIdOf = (body: string): number => Number.parseInt(body, 10);

export function isConfidential(body: string): boolean {
  return body[body.indexOf('\n') + 1] === 'c';
}

/** Whether he is author or assignee. */
export function isReader(body: string, userId: number): boolean {
  return line(body, 1).includes(`,${userId},`);
}

/** Whether he is told of what happens: author, assignees and whoever commented. */
export function isSubscribed(body: string, userId: number): boolean {
  return line(body, 2).includes(`,${userId},`);
}

function line(body: string, number: number): string {
  return body.split('\n', number + 1)[number]!;
}
