import type { MergeRequestEvent } from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { branchKey } from '../../merge-requests/branch-tips.collection.ts';
import { isThere, type MergeRequest, mergeRequests } from '../../merge-requests/merge-requests.collection.ts';
import { mergeSettingsOf } from '../../merge-requests/merge-settings.projection.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import { commitOf, shownCommit } from './commit-facts.ts';
import { type HookFacts, STATE_IDS, stateAfter } from './hook-facts.ts';
import { times } from './issue-message.ts';
import { targetChanges } from './target-changes.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  MergeRequestCreated: 'open',
  MergeRequestUpdated: 'update',
  MergeRequestClosed: 'close',
  MergeRequestReopened: 'reopen',
  MergeRequestMerged: 'merge',
  MergeRequestTimeEstimateSet: 'update',
  MergeRequestTimeSpentAdded: 'update',
  MergeRequestTimeSpentReset: 'update',
};

/** The most merge requests that one push tells of. */
const MOST_PUSHED = 100;

/** A merge request as it is now, and what the event changed. Nothing of one that is gone. */
export async function mergeRequestMessage(
  ports: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, MergeRequestEvent['data']>,
): Promise<HookMessage[]> {
  const { projectId, iid } = event.data;
  const row = await ports.readStore.get(mergeRequests, placeOf(projectId, iid)!);
  if (!isThere(row)) return [];
  const action = ACTIONS[event.type] ?? (await approvalAction(ports, event.type, row));
  return messagesOf(ports, facts, { row, event, action, oldrev: undefined });
}

/** A push to a source branch is an update of the merge requests that are open from it. */
export async function pushedMergeRequestMessages(
  ports: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, { projectId: number; ref: string; oldOid: string; newOid: string }>,
): Promise<HookMessage[]> {
  const { oldOid: oldrev, newOid } = event.data;
  if (/^0+$/.test(oldrev) || /^0+$/.test(newOid)) return [];
  const rows = await openFrom(ports, event.data);
  const messages = rows.map((row) => messagesOf(ports, facts, { row, event, action: 'update', oldrev }));
  return (await Promise.all(messages)).flat();
}

const BRANCHES = 'refs/heads/';

/** Open merge requests from a branch that moved. */
export async function openFrom(
  { readStore }: Pick<ServicePorts, 'readStore'>,
  { projectId, ref }: { projectId: number; ref: string },
): Promise<MergeRequest[]> {
  if (!ref.startsWith(BRANCHES)) return [];
  const where = and(eq('source', branchKey(projectId, ref.slice(BRANCHES.length))), eq('state', 'opened'));
  return (await readStore.find(mergeRequests, { where, sort: [asc('place')], limit: MOST_PUSHED })).filter(
    isThere,
  );
}

async function approvalAction(ports: ServicePorts, type: string, row: MergeRequest): Promise<string> {
  const wanted =
    row.approvalsBeforeMerge ?? (await mergeSettingsOf(ports.readStore, row.projectId)).approvals;
  const given = row.approvedByIds.length;
  if (type === 'MergeRequestApproved') return given >= wanted ? 'approved' : 'approval';
  return given + 1 >= wanted ? 'unapproved' : 'unapproval';
}

interface Told {
  row: MergeRequest;
  event: RecordedEvent;
  action: string;
  oldrev: string | undefined;
}

async function messagesOf(
  ports: ServicePorts,
  facts: HookFacts,
  { row, event, action, oldrev }: Told,
): Promise<HookMessage[]> {
  const { projectId } = row;
  const found = await facts.projectOf(projectId);
  if (!found) return [];
  const project = await facts.project(found);
  const actor = facts.actorOf(event);
  const attributes = await mergeRequestAttributes(ports, facts, row);
  const body = {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: await facts.user(actor ?? row.authorId),
    project,
    repository: facts.repository(project),
    object_attributes: {
      ...attributes,
      ...stateAfter(action, row.state),
      updated_by_id: event.type === 'MergeRequestCreated' ? null : actor,
      action,
      ...(oldrev !== undefined && { oldrev }),
    },
    labels: attributes.labels,
    changes: await targetChanges(facts, event.data as object),
    assignees: await facts.users(row.assigneeIds),
    reviewers: await facts.users(row.reviewerIds),
  };
  return [{ trigger: 'merge_requests_events', projectId, branch: null, body: JSON.stringify(body) }];
}

export async function mergeRequestAttributes(ports: ServicePorts, facts: HookFacts, row: MergeRequest) {
  const target = await facts.projectOf(row.projectId);
  const source = await facts.projectOf(row.sourceProjectId);
  const commit = await commitOf(ports, row.projectId, row.sha);
  const waits = row.autoMergeProjectId !== null;
  return {
    id: row.id,
    iid: row.iid,
    source_branch: row.sourceBranch,
    target_branch: row.targetBranch,
    source_project_id: row.sourceProjectId,
    target_project_id: row.projectId,
    author_id: row.authorId,
    assignee_id: row.assigneeIds[0] ?? null,
    assignee_ids: row.assigneeIds,
    reviewer_ids: row.reviewerIds,
    title: row.title,
    description: row.description,
    state: row.state,
    state_id: STATE_IDS[row.state] ?? null,
    // Whether it can be merged is found out when somebody asks.
    merge_status: row.state === 'merged' ? 'can_be_merged' : 'unchecked',
    milestone_id: row.milestoneId,
    merge_commit_sha: row.mergeCommitSha,
    merge_error: row.mergeError,
    merge_params: { force_remove_source_branch: row.removeSourceBranch },
    merge_user_id: row.mergedById ?? row.autoMergeById,
    merge_when_pipeline_succeeds: waits,
    head_pipeline_id: null,
    discussion_locked: row.discussionLocked,
    ...times(row),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    last_edited_at: null,
    last_edited_by_id: null,
    source: source ? await facts.project(source) : null,
    target: target ? await facts.project(target) : null,
    last_commit: commit && target ? shownCommit(facts, target, commit) : null,
    work_in_progress: row.draft,
    draft: row.draft,
    blocking_discussions_resolved: row.openThreads === 0,
    labels: await facts.labels(row.labelIds),
    url: `${facts.webUrl(target!)}/-/merge_requests/${row.iid}`,
  };
}
