import type { IssueEvent } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { type Issue, issues, isThere } from '../../issues/issues.collection.ts';
import { humanDuration } from '../../time-tracking/duration.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import { type HookFacts, STATE_IDS, stateAfter } from './hook-facts.ts';
import { targetChanges } from './target-changes.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  IssueOpened: 'open',
  IssueClosed: 'close',
  IssueReopened: 'reopen',
};

/** An issue as it is now, and what the event changed. Nothing of one that is gone. */
export async function issueMessage(
  ports: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, IssueEvent['data']>,
): Promise<HookMessage[]> {
  const { projectId, iid } = event.data;
  const row = await ports.readStore.get(issues, placeOf(projectId, iid)!);
  const found = await facts.projectOf(projectId);
  if (!isThere(row) || !found) return [];
  const project = await facts.project(found);
  const labels = await facts.labels(row.labelIds);
  const assignees = await facts.users(row.assigneeIds);
  const actor = facts.actorOf(event);
  const changes = await targetChanges(facts, event.data as object);
  const action = ACTIONS[event.type] ?? 'update';
  const body = {
    object_kind: 'issue',
    event_type: row.confidential ? 'confidential_issue' : 'issue',
    user: await facts.user(actor ?? row.authorId),
    project,
    object_attributes: {
      ...(await issueAttributes(facts, row)),
      ...stateAfter(action, row.state),
      action,
      updated_by_id: event.type === 'IssueOpened' ? null : actor,
      last_edited_at: null,
      last_edited_by_id: null,
    },
    labels,
    changes,
    repository: facts.repository(project),
    assignees,
    ...(assignees.length > 0 && { assignee: assignees[0] }),
  };
  const trigger = row.confidential ? 'confidential_issues_events' : 'issues_events';
  return [{ trigger, projectId, branch: null, body: JSON.stringify(body) }];
}

export async function issueAttributes(facts: HookFacts, row: Issue) {
  const project = await facts.projectOf(row.projectId);
  return {
    id: row.id,
    iid: row.iid,
    title: row.title,
    description: row.description,
    state: row.state,
    state_id: STATE_IDS[row.state] ?? null,
    type: row.issueType,
    assignee_id: row.assigneeIds[0] ?? null,
    assignee_ids: row.assigneeIds,
    author_id: row.authorId,
    project_id: row.projectId,
    milestone_id: row.milestoneId,
    confidential: row.confidential,
    discussion_locked: row.discussionLocked,
    due_date: row.dueDate,
    moved_to_id: null,
    duplicated_to_id: null,
    closed_at: row.closedAt,
    ...times(row),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    relative_position: null,
    weight: row.weight,
    url: `${facts.webUrl(project!)}/-/issues/${row.iid}`,
    labels: await facts.labels(row.labelIds),
  };
}

export const times = ({ timeEstimate, timeSpent }: { timeEstimate: number; timeSpent: number }) => ({
  time_estimate: timeEstimate,
  total_time_spent: timeSpent,
  time_change: 0,
  human_time_estimate: humanDuration(timeEstimate),
  human_total_time_spent: humanDuration(timeSpent),
  human_time_change: null,
});
