import { randomUUID } from 'node:crypto';
import { describeDeployment } from '@forgelog/contracts/ci/deployments/deployment.operations.ts';
import { describeFeatureFlag } from '@forgelog/contracts/ci/feature-flags/feature-flag.operations.ts';
import { describeJob } from '@forgelog/contracts/ci/jobs/job.operations.ts';
import { describePipeline } from '@forgelog/contracts/ci/pipelines/pipeline.operations.ts';
import { findCommit } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import { describeRelease } from '@forgelog/contracts/repo/releases/release.operations.ts';
import { describeWikiPage } from '@forgelog/contracts/repo/wikis/wiki-page.operations.ts';
import { MOST_ASKED_PROJECTS } from '@forgelog/contracts/shared/described-record.ts';
import type { Trigger } from '@forgelog/contracts/tracker/web-hooks/web-hook-triggers.ts';
import { directoryProjects } from '@forgelog/directory/collections.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata, RecordedEvent } from '@forgelog/eventing/event.ts';
import { and, type Condition, desc, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import { notes } from '../discussions/discussions.collection.ts';
import { isThere as isIssue, issues } from '../issues/issues.collection.ts';
import { isThere as isMergeRequest, mergeRequests } from '../merge-requests/merge-requests.collection.ts';
import type { HookPlace } from './web-hook.decider.ts';

const NO_CHANGE = { changes: {}, previous: {} };
const ZEROS = '0'.repeat(40);

/** An event that never happened, about the newest record of a kind: to try a hook with. Undefined where there is none. */
export async function sampleEvent(
  ports: ServicePorts,
  place: HookPlace,
  trigger: Trigger,
  metadata: EventMetadata,
): Promise<RecordedEvent | undefined> {
  const projectIds = await projectsOf(ports, place);
  const sample =
    (await placeSample(ports, place, projectIds, trigger)) ?? (await sampleOf(ports, projectIds, trigger));
  if (!sample) return undefined;
  const id = randomUUID();
  const time = ports.clock().toISOString();
  return {
    ...sample,
    id,
    time,
    metadata,
    schemaVersion: 1,
    stream: `sample-${id}`,
    revision: 0,
    position: '',
  };
}

/** The newest projects of a place. */
async function projectsOf(
  { directory, readStore }: ServicePorts,
  { projectId, groupId }: HookPlace,
): Promise<readonly number[]> {
  if (projectId !== null) return [projectId];
  if (groupId !== null)
    return [...(await directory.projectsBelow(groupId))].sort((a, b) => b - a).slice(0, MOST_ASKED_PROJECTS);
  const limit = MOST_ASKED_PROJECTS;
  const rows = await readStore.find(directoryProjects, { sort: [desc('id')], limit, select: ['id'] });
  return rows.map(({ id }) => id);
}

async function sampleOf(
  { readStore, operations, directory }: ServicePorts,
  projectIds: readonly number[],
  trigger: Trigger,
): Promise<Pick<RecordedEvent, 'type' | 'data'> | undefined> {
  const within: Condition = oneOf('projectId', projectIds);
  const newest = { sort: [desc('createdAt')], limit: 1 } as const;
  switch (trigger) {
    case 'push_events':
    case 'tag_push_events':
    case 'repository_update_events': {
      const pushed = await branchTip({ operations, directory }, projectIds);
      if (!pushed) return undefined;
      const { projectId, branch, sha } = pushed;
      const ref = trigger === 'tag_push_events' ? 'refs/tags/v1.0.0' : `refs/heads/${branch}`;
      const moved = { ref, oldOid: ZEROS, newOid: sha, commitCount: 1 };
      return { type: 'PushReceived', data: { projectId, pushOptions: [], refCount: 1, refs: [moved] } };
    }
    case 'issues_events':
    case 'confidential_issues_events': {
      const confidential = trigger === 'confidential_issues_events';
      const where = and(within, eq('confidential', confidential));
      const [row] = await readStore.find(issues, { where, ...newest });
      if (!isIssue(row)) return undefined;
      return { type: 'IssueUpdated', data: { projectId: row.projectId, iid: row.iid, ...NO_CHANGE } };
    }
    case 'note_events':
    case 'confidential_note_events': {
      const where = and(
        within,
        eq('system', false),
        eq('confidential', trigger === 'confidential_note_events'),
      );
      const [row] = await readStore.find(notes, { where, ...newest });
      if (!row) return undefined;
      const { noteableType, noteableIid, noteableId, discussionId, projectId } = row;
      const on = { noteableType, noteableIid, noteableId, noteableSha: row.commitId, projectId };
      return { type: 'NoteEdited', data: { ...on, discussionId, noteId: row.id, ...NO_CHANGE } };
    }
    case 'merge_requests_events': {
      const [row] = await readStore.find(mergeRequests, { where: within, ...newest });
      if (!isMergeRequest(row)) return undefined;
      return { type: 'MergeRequestUpdated', data: { projectId: row.projectId, iid: row.iid, ...NO_CHANGE } };
    }
    default:
      return elsewhereOf(operations, projectIds, trigger);
  }
}

/** As many projects are looked at for one with a branch. */
const MOST_LOOKED_AT = 20;

async function branchTip(
  { operations, directory }: Pick<ServicePorts, 'operations' | 'directory'>,
  projectIds: readonly number[],
): Promise<{ projectId: number; branch: string; sha: string } | undefined> {
  for (const projectId of projectIds.slice(0, MOST_LOOKED_AT)) {
    const branch = (await directory.project(projectId))?.defaultBranch;
    if (!branch) continue;
    const asked = { projectId, name: branch, withBranch: false };
    const { sha } = await operations.call(findCommit, asked, { principal: null });
    if (sha !== null) return { projectId, branch, sha };
  }
  return undefined;
}

/** A sample of the place itself, as hooks of groups and of the instance are told of it. */
async function placeSample(
  { directory }: ServicePorts,
  { groupId }: HookPlace,
  projectIds: readonly number[],
  trigger: Trigger,
): Promise<Pick<RecordedEvent, 'type' | 'data'> | undefined> {
  if (trigger === 'system_events') {
    const [projectId] = projectIds;
    return projectId === undefined ? undefined : { type: 'ProjectCreated', data: { projectId } };
  }
  if (groupId === null) return undefined;
  if (trigger === 'member_events') {
    const [userId] = await directory.groupMembers(groupId);
    if (userId === undefined) return undefined;
    const accessLevel = await directory.groupLevel(userId, groupId);
    return { type: 'GroupMemberAdded', data: { groupId, userId, accessLevel, expiresAt: null } };
  }
  if (trigger !== 'subgroup_events') return undefined;
  const below = (await directory.groupsBelow(groupId)).filter((id) => id !== groupId);
  const group = below.length === 0 ? undefined : await directory.namespace(Math.max(...below));
  if (!group) return undefined;
  const { id, parentId, name, path, fullPath } = group;
  return { type: 'GroupCreated', data: { groupId: id, parentId, name, path, fullPath } };
}

/** A sample of what another service has. */
async function elsewhereOf(
  operations: Operations,
  allProjectIds: readonly number[],
  trigger: Trigger,
): Promise<Pick<RecordedEvent, 'type' | 'data'> | undefined> {
  const asked = { id: null, projectIds: allProjectIds.slice(0, MOST_ASKED_PROJECTS) };
  const by = { principal: null };
  switch (trigger) {
    case 'job_events': {
      const { found } = await operations.call(describeJob, asked, by);
      if (!found) return undefined;
      const { id: jobId, projectId, status } = found.job;
      return { type: 'JobQueued', data: { projectId, jobId, changes: { status }, previous: { status } } };
    }
    case 'pipeline_events': {
      const { pipeline } = await operations.call(describePipeline, asked, by);
      if (!pipeline) return undefined;
      const { id: pipelineId, projectId, status } = pipeline;
      const changes = { status };
      return { type: 'PipelineStatusChanged', data: { projectId, pipelineId, changes, previous: changes } };
    }
    case 'deployment_events': {
      const { deployment } = await operations.call(describeDeployment, asked, by);
      if (!deployment) return undefined;
      const { id: deploymentId, projectId } = deployment;
      const changes = { status: deployment.status === 'created' ? 'running' : deployment.status };
      return { type: 'DeploymentUpdated', data: { projectId, deploymentId, changes, previous: changes } };
    }
    case 'feature_flag_events': {
      const { featureFlag } = await operations.call(describeFeatureFlag, asked, by);
      if (!featureFlag) return undefined;
      const { id: featureFlagId, projectId, active } = featureFlag;
      const changes = { active };
      return { type: 'FeatureFlagUpdated', data: { projectId, featureFlagId, changes, previous: changes } };
    }
    case 'releases_events': {
      const { release } = await operations.call(describeRelease, asked, by);
      if (!release) return undefined;
      return {
        type: 'ReleaseUpdated',
        data: { projectId: release.projectId, releaseId: release.id, ...NO_CHANGE },
      };
    }
    case 'wiki_page_events': {
      const { page } = await operations.call(describeWikiPage, asked, by);
      if (!page) return undefined;
      const { id: wikiPageId, projectId, content } = page;
      return { type: 'WikiPageTextCommitted', data: { projectId, wikiPageId, content } };
    }
    default:
      return undefined;
  }
}
