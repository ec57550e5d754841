import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import { ReadyParts, ref } from '@forgelog/service-kit/ready-json.ts';
import { timeStats } from '../time-tracking/duration.ts';
import type { IssueDocument } from './issues.collection.ts';
import { labelDetails } from './label-details.ts';
import { countTasks, taskStatus } from './task-list.ts';

/*
 * What is stored of an issue's JSON is what differs from issue to issue, in lines (no line holds a line break); what is
 * the same in all of them, two thirds of the text, is put around it when sending. Its title and its description are not
 * stored again: they are the document's own, as they are searched and filtered by, and written as JSON when sending.
 * Small documents make cheap reads: more of them lie on a page, and more pages are at hand. Rights are checked on the
 * very text that is read.
 */

/** What an issue is rendered from. */
export const READY_FIELDS = ['lines', 'title', 'description'] as const;
/** Of an issue that is there: a deleted one has no lines. */
export type ReadyIssueFields = Pick<IssueDocument, (typeof READY_FIELDS)[number]>;

/** Kind of reference for whoever closed an issue: null where he is gone [L66]. */
export const CLOSER = 'c';

/** The lines; those that are JSON values say so. */
type Lines = [
  /** `c` for a confidential issue, then the users who may read it all the same. */
  readers: string,
  /** The users who are told what happens to it. */
  told: string,
  id: string,
  projectId: string,
  iid: string,
  state: string,
  createdAt: string,
  updatedAt: string,
  closedAtJson: string,
  /** Empty where nobody did. */
  closedById: string,
  labelsJson: string,
  assigneeIds: string,
  authorId: string,
  type: string,
  notesCount: string,
  dueDateJson: string,
  confidential: string,
  locked: string,
  timeStatsJson: string,
  taskCount: string,
  tasksCompleted: string,
  taskStatusJson: string,
  weight: string,
];

export function writeReadyIssue(issue: IssueDocument): string {
  const { authorId, projectId, iid, description } = issue;
  const assigneeIds = issue.assigneeIds!;
  const tasks = countTasks(description);
  const stats = timeStats(issue.timeEstimate!, issue.timeSpent!);
  const lines: Lines = [
    `${issue.confidential ? 'c' : ''},${[authorId, ...assigneeIds].join()},`,
    `,${[...new Set([authorId, ...assigneeIds, ...issue.participantIds!])].join()},`,
    `${issue.id}`,
    `${projectId}`,
    `${iid}`,
    issue.state!,
    issue.createdAt!,
    issue.updatedAt!,
    JSON.stringify(issue.closedAt),
    `${issue.closedById ?? ''}`,
    JSON.stringify(issue.labels),
    assigneeIds.join(),
    `${authorId}`,
    issue.issueType!,
    `${issue.notesCount}`,
    JSON.stringify(issue.dueDate),
    `${issue.confidential}`,
    `${issue.discussionLocked}`,
    issue.timeEstimate === 0 && issue.timeSpent === 0 ? '' : JSON.stringify(stats),
    `${tasks.count}`,
    `${tasks.completed}`,
    JSON.stringify(taskStatus(description, tasks)),
    `${issue.weight}`,
  ];
  return lines.join('\n');
}

const NO_TIME = JSON.stringify(timeStats(0, 0));

export interface Rendering {
  edition: Configuration['EDITION'];
  /** The external address of the instance, without a slash at the end. */
  host: string;
  /** Read among the issues of other projects: `references.relative` is then the full one [L66]. */
  across: boolean;
  labelDetails: boolean;
}

/** The ready JSON of an issue as it is sent. @param more further members as JSON, each with a comma before it */
export function readyIssue(issue: ReadyIssueFields, rendering: Rendering, more = ''): ReadyParts {
  const out = new ReadyParts();
  writeIssue(out, issue, rendering, more);
  return out;
}

export const issueText = (issue: ReadyIssueFields, rendering: Rendering): string =>
  readyIssue(issue, rendering).toString();

/** The ready JSON of a list of issues. */
export function readyIssues(listed: readonly ReadyIssueFields[], rendering: Rendering): ReadyParts {
  const out = new ReadyParts();
  let between = '[';
  for (const issue of listed) {
    out.text(between);
    between = ',';
    writeIssue(out, issue, rendering, '');
  }
  out.text(listed.length === 0 ? '[]' : ']');
  return out;
}

function writeIssue(out: ReadyParts, issue: ReadyIssueFields, rendering: Rendering, more: string): void {
  const { edition, host, across } = rendering;
  const [
    ,
    ,
    id,
    projectId,
    iid,
    state,
    createdAt,
    updatedAt,
    closedAt,
    closedById,
    labels,
    assigneeIds,
    authorId,
    type,
    notesCount,
    dueDate,
    confidential,
    locked,
    time,
    taskCount,
    tasksCompleted,
    status,
    weight,
  ] = issue.lines!.split('\n') as Lines;
  const labelled = rendering.labelDetails ? labelDetails(JSON.parse(labels) as string[]) : labels;
  const assignees = assigneeIds === '' ? [] : assigneeIds.split(',');
  const path = ref.projectPath(Number(projectId));
  const project = `${host}/api/v4/projects/${projectId}`;
  const self = `${project}/issues/${iid}`;
  const user = (userId: string | undefined) =>
    userId === undefined ? out.text('null') : out.reference(`u${userId}`);
  const title = JSON.stringify(issue.title);
  const description = JSON.stringify(issue.description);

  out.text(
    `{"id":${id},"iid":${iid},"project_id":${projectId},"title":${title},"description":${description}`,
  );
  out.text(`,"state":"${state}","created_at":"${createdAt}","updated_at":"${updatedAt}"`);
  out.text(`,"closed_at":${closedAt},"closed_by":`);
  if (closedById === '') out.text('null');
  else out.reference(CLOSER + closedById);
  out.text(`,"labels":${labelled},"milestone":null,"assignees":[`);
  for (let at = 0; at < assignees.length; at += 1) {
    if (at > 0) out.text(',');
    user(assignees[at]);
  }
  out.text('],"author":');
  user(authorId);
  out.text(`,"type":"${type.toUpperCase()}","assignee":`);
  user(assignees[0]);
  out.text(`,"user_notes_count":${notesCount},"merge_requests_count":0,"upvotes":0,"downvotes":0`);
  out.text(`,"due_date":${dueDate},"confidential":${confidential},"discussion_locked":${locked}`);
  out.text(`,"issue_type":"${type}","web_url":"${host}/`);
  out.reference(path);
  out.text(`/-/issues/${iid}","time_stats":${time || NO_TIME}`);
  out.text(`,"task_completion_status":{"count":${taskCount},"completed_count":${tasksCompleted}}`);
  out.text(`,"has_tasks":${taskCount !== '0'},"task_status":${status},"_links":{"self":"${self}"`);
  out.text(`,"notes":"${self}/notes","award_emoji":"${self}/award_emoji","project":"${project}"}`);
  out.text(`,"moved_to_id":null,"reference":"#${iid}","references":{"short":"#${iid}","full":"`);
  out.reference(path);
  out.text(`#${iid}","relative":"`);
  if (across) out.reference(path);
  out.text(`#${iid}"}`);
  if (edition !== 'free') out.text(`,"weight":${weight},"epic":null,"epic_iid":null`);
  if (edition === 'ultimate') out.text(',"health_status":null');
  out.text(`${more}}`);
}

export function isConfidential(lines: string): boolean {
  return lines[0] === 'c';
}

/** Whether he is author or assignee. */
export function isReader(lines: string, userId: number): boolean {
  return lines.slice(0, lines.indexOf('\n')).includes(`,${userId},`);
}

/** Whether he is told of what happens: author, assignees and whoever commented. */
export function isSubscribed(lines: string, userId: number): boolean {
  const begin = lines.indexOf('\n');
  return lines.slice(begin, lines.indexOf('\n', begin + 1)).includes(`,${userId},`);
}
