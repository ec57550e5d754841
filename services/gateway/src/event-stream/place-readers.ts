import {
  groupAccessRequestEvents,
  projectAccessRequestEvents,
} from '@forgelog/contracts/admin/access-requests/access-request.events.ts';
import { PersonalAccessTokenCreated } from '@forgelog/contracts/admin/access-tokens/access-token.events.ts';
import { deployKeyEvents } from '@forgelog/contracts/admin/deploy-keys/deploy-key.events.ts';
import { deployTokenEvents } from '@forgelog/contracts/admin/deploy-tokens/deploy-token.events.ts';
import { groupGroupLinkEvents } from '@forgelog/contracts/admin/group-group-links/group-group-link.events.ts';
import { groupEvents } from '@forgelog/contracts/admin/groups/group.events.ts';
import { projectMemberEvents } from '@forgelog/contracts/admin/members/project-member.events.ts';
import { projectGroupLinkEvents } from '@forgelog/contracts/admin/project-group-links/project-group-link.events.ts';
import { ciVariableEvents } from '@forgelog/contracts/ci/ci-variables/ci-variable.events.ts';
import { deploymentEvents } from '@forgelog/contracts/ci/deployments/deployment.events.ts';
import { environmentEvents } from '@forgelog/contracts/ci/environments/environment.events.ts';
import {
  FeatureFlagsClientReset,
  featureFlagEvents,
} from '@forgelog/contracts/ci/feature-flags/feature-flag.events.ts';
import { freezePeriodEvents } from '@forgelog/contracts/ci/freeze-periods/freeze-period.events.ts';
import { jobEvents } from '@forgelog/contracts/ci/jobs/job.events.ts';
import { pipelineScheduleEvents } from '@forgelog/contracts/ci/pipeline-schedules/pipeline-schedule.events.ts';
import { pipelineTriggerEvents } from '@forgelog/contracts/ci/pipeline-triggers/pipeline-trigger.events.ts';
import { pipelineEvents } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { runnerEvents } from '@forgelog/contracts/ci/runners/runner.events.ts';
import { RunnersTokenReset } from '@forgelog/contracts/ci/runners/runners-token.events.ts';
import type { ProjectFeature } from '@forgelog/contracts/endpoint.ts';
import { type EventDefinition, fieldsOf } from '@forgelog/contracts/event.ts';
import { badgeEvents } from '@forgelog/contracts/repo/badges/badge.events.ts';
import { debianDistributionEvents } from '@forgelog/contracts/repo/debian-distributions/debian-distribution.events.ts';
import { packageEvents } from '@forgelog/contracts/repo/packages/package.events.ts';
import { projectEvents } from '@forgelog/contracts/repo/projects/project.events.ts';
import { protectedBranchEvents } from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import { protectedTagEvents } from '@forgelog/contracts/repo/protected-tags/protected-tag.events.ts';
import { pushRuleEvents } from '@forgelog/contracts/repo/push-rules/push-rule.events.ts';
import { releaseEvents } from '@forgelog/contracts/repo/releases/release.events.ts';
import {
  PushReceived,
  RefUpdated,
  RepositoryForked,
} from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { snippetEvents } from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import { uploadEvents } from '@forgelog/contracts/repo/uploads/upload.events.ts';
import { groupWikiPageEvents } from '@forgelog/contracts/repo/wikis/group-wiki-page.events.ts';
import {
  GroupWikiAttachmentCreated,
  WikiAttachmentCreated,
} from '@forgelog/contracts/repo/wikis/wiki-attachment.events.ts';
import {
  GroupWikiCommitPushed,
  WikiCommitPushed,
} from '@forgelog/contracts/repo/wikis/wiki-commit.events.ts';
import { wikiPageEvents } from '@forgelog/contracts/repo/wikis/wiki-page.events.ts';
import { approvalRuleEvents } from '@forgelog/contracts/tracker/approval-rules/approval-rule.events.ts';
import { boardEvents } from '@forgelog/contracts/tracker/boards/board.events.ts';
import { discussionEvents } from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { epicEvents } from '@forgelog/contracts/tracker/epics/epic.events.ts';
import { clientKeyEvents } from '@forgelog/contracts/tracker/error-tracking/client-key.events.ts';
import { errorTrackingEvents } from '@forgelog/contracts/tracker/error-tracking/error-tracking.events.ts';
import { trackedErrorEvents } from '@forgelog/contracts/tracker/error-tracking/tracked-error.events.ts';
import { integrationEvents } from '@forgelog/contracts/tracker/integrations/integration.events.ts';
import { issueEvents } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { iterationEvents } from '@forgelog/contracts/tracker/iterations/iteration.events.ts';
import { labelEvents } from '@forgelog/contracts/tracker/labels/label.events.ts';
import { mergeRequestEvents } from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { milestoneEvents } from '@forgelog/contracts/tracker/milestones/milestone.events.ts';
import type { DiscussedType } from '@forgelog/contracts/tracker/targets/target.ts';
import { webHookEvents } from '@forgelog/contracts/tracker/web-hooks/web-hook.events.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';

/** Runs and uses are told by the pipelines that they cause. */
const startsOfPipelines = [...pipelineTriggerEvents, ...pipelineScheduleEvents].filter(
  ({ type }) => type !== 'PipelineScheduleRan' && type !== 'PipelineTriggerUsed',
);

/** Evidence follows from a release. */
const releasesOfPeople = releaseEvents.filter(({ audit }) => audit !== 'part');

/** Statuses that follow from what people and runners do are for administrators. */
const pipelinesOfPeople = [...pipelineEvents, ...jobEvents].filter(
  ({ audit }) => audit !== 'system' && audit !== 'part',
);

/** Subscriptions are for administrators alone, as all lists of a person. */
const labelsOfPlaces = labelEvents.filter(({ audit }) => audit !== 'own');

/** What programs report is for reporters, and members of the part may be guests. */
const errorsOfPeople = trackedErrorEvents.filter(({ audit }) => audit !== 'system');

/** A key itself is of no project. */
const deployKeysOfProjects = deployKeyEvents.filter((event) => fieldsOf(event).includes('projectId'));

const rulesOfRefs = [...protectedBranchEvents, ...protectedTagEvents, ...pushRuleEvents];

/**
 * What an event is a part of: a group, a project as a whole, whichever of both it names, or a feature that a project may
 * close to its members.
 */
export type EventPart = 'group' | 'project' | 'place' | ProjectFeature;

const PARTS: readonly [part: EventPart, events: readonly EventDefinition[]][] = [
  [
    'group',
    [
      ...[...groupEvents, ...groupAccessRequestEvents, ...groupGroupLinkEvents, ...epicEvents],
      ...[...groupWikiPageEvents, GroupWikiCommitPushed, GroupWikiAttachmentCreated, ...iterationEvents],
    ],
  ],
  [
    'project',
    [
      ...projectEvents,
      ...projectMemberEvents,
      ...projectAccessRequestEvents,
      ...deployKeysOfProjects,
      ...projectGroupLinkEvents,
      ...uploadEvents,
      ...freezePeriodEvents,
      ...errorTrackingEvents,
      ...clientKeyEvents,
      ...integrationEvents,
    ],
  ],
  [
    'place',
    [
      ...debianDistributionEvents,
      ...milestoneEvents,
      ...boardEvents,
      // What its receiver makes of it is for administrators.
      ...webHookEvents.filter(({ audit }) => audit !== 'system'),
      ...[...badgeEvents, ...ciVariableEvents, ...runnerEvents, RunnersTokenReset, ...labelsOfPlaces],
      ...deployTokenEvents,
      // Tokens of people name no place.
      PersonalAccessTokenCreated,
    ],
  ],
  ['repository', [RefUpdated, PushReceived, RepositoryForked, ...rulesOfRefs, ...releasesOfPeople]],
  ['issues', [...issueEvents, ...discussionEvents]],
  ['snippets', snippetEvents],
  ['wiki', [...wikiPageEvents, WikiCommitPushed, WikiAttachmentCreated]],
  ['packages', packageEvents],
  ['merge_requests', [...mergeRequestEvents, ...approvalRuleEvents]],
  ['operations', [...featureFlagEvents, FeatureFlagsClientReset, ...errorsOfPeople]],
  ['builds', [...environmentEvents, ...deploymentEvents, ...startsOfPipelines, ...pipelinesOfPeople]],
];

/** The events in the streams of groups and projects. A type that is not listed is for administrators alone. */
export const partOfType: ReadonlyMap<string, EventPart> = new Map(
  PARTS.flatMap(([part, events]) => events.map(({ type }) => [type, part] as const)),
);

const PART_OF: Readonly<Record<DiscussedType, EventPart>> = {
  Issue: 'issues',
  MergeRequest: 'merge_requests',
  Commit: 'repository',
  Snippet: 'snippets',
  Epic: 'group',
};
const DISCUSSIONS: ReadonlySet<string> = new Set(discussionEvents.map(({ type }) => type));

/** What an event is a part of; a discussion of what is discussed. Undefined for what administrators alone read. */
export function partOf({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): EventPart | undefined {
  if (!DISCUSSIONS.has(type)) return partOfType.get(type);
  return PART_OF[(data as { noteableType: DiscussedType }).noteableType];
}
