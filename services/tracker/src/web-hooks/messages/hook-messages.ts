import {
  GroupCreated,
  GroupDeleted,
  GroupMemberAdded,
  GroupMemberChanged,
  GroupMemberRemoved,
  GroupUpdated,
} from '@forgelog/contracts/admin/groups/group.events.ts';
import { projectMemberEvents } from '@forgelog/contracts/admin/members/project-member.events.ts';
import { userKeyEvents } from '@forgelog/contracts/admin/user-keys/user-key.events.ts';
import { UserCreated, UserDeleted, UserUpdated } from '@forgelog/contracts/admin/users/user.events.ts';
import { deploymentEvents } from '@forgelog/contracts/ci/deployments/deployment.events.ts';
import { FeatureFlagUpdated } from '@forgelog/contracts/ci/feature-flags/feature-flag.events.ts';
import {
  JobCanceled,
  JobCreated,
  JobFailed,
  JobMadeManual,
  JobQueued,
  JobReopened,
  JobReset,
  JobReturned,
  JobScheduled,
  JobSkipped,
  JobStarted,
  JobSucceeded,
  JobWaitsForResource,
} from '@forgelog/contracts/ci/jobs/job.events.ts';
import { PipelineStatusChanged } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import type { EventDefinition } from '@forgelog/contracts/event.ts';
import {
  ProjectArchived,
  ProjectCreated,
  ProjectDeleted,
  ProjectTransferred,
  ProjectUnarchived,
  ProjectUpdated,
} from '@forgelog/contracts/repo/projects/project.events.ts';
import { ReleaseCreated, ReleaseUpdated } from '@forgelog/contracts/repo/releases/release.events.ts';
import { PushReceived, RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { wikiPageEvents } from '@forgelog/contracts/repo/wikis/wiki-page.events.ts';
import {
  DiscussionStarted,
  NoteAdded,
  NoteEdited,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import {
  IssueClosed,
  IssueOpened,
  IssueReopened,
  IssueTimeEstimateSet,
  IssueTimeSpentAdded,
  IssueTimeSpentReset,
  IssueUpdated,
} from '@forgelog/contracts/tracker/issues/issue.events.ts';
import {
  MergeRequestApprovalRevoked,
  MergeRequestApproved,
  MergeRequestClosed,
  MergeRequestCreated,
  MergeRequestMerged,
  MergeRequestReopened,
  MergeRequestTimeEstimateSet,
  MergeRequestTimeSpentAdded,
  MergeRequestTimeSpentReset,
  MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import type { Trigger } from '@forgelog/contracts/tracker/web-hooks/web-hook-triggers.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { createLru } from '@forgelog/eventing/lru.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import { deploymentMessage } from './deployment-message.ts';
import { featureFlagMessage } from './feature-flag-message.ts';
import { groupMessages } from './group-message.ts';
import { createHookFacts, type HookFacts } from './hook-facts.ts';
import { issueMessage } from './issue-message.ts';
import { jobMessage } from './job-message.ts';
import { groupMemberMessages, projectMemberMessage } from './member-message.ts';
import { mergeRequestMessage, openFrom, pushedMergeRequestMessages } from './merge-request-message.ts';
import { noteMessage } from './note-message.ts';
import { pipelineMessage } from './pipeline-message.ts';
import { projectMessage } from './project-message.ts';
import { pushMessages, repositoryUpdateMessage } from './push-message.ts';
import { releaseMessage } from './release-message.ts';
import { userKeyMessage, userMessage } from './user-message.ts';
import { wikiPageMessage } from './wiki-page-message.ts';

interface Kind {
  events: readonly EventDefinition[];
  triggers: readonly Trigger[];
  // biome-ignore lint/suspicious/noExplicitAny: stands for the payload of any event.
  tell(ports: ServicePorts, facts: HookFacts, event: RecordedEvent<any, any>): Promise<HookMessage[]>;
}

const KINDS: readonly Kind[] = [
  {
    events: [PushReceived],
    triggers: ['push_events', 'tag_push_events', 'repository_update_events'],
    tell: async (...asked) => [
      ...(await pushMessages(...asked)),
      ...(await repositoryUpdateMessage(...asked)),
    ],
  },
  {
    events: [
      ...[IssueOpened, IssueUpdated, IssueClosed, IssueReopened],
      ...[IssueTimeEstimateSet, IssueTimeSpentAdded, IssueTimeSpentReset],
    ],
    triggers: ['issues_events', 'confidential_issues_events'],
    tell: issueMessage,
  },
  {
    events: [DiscussionStarted, NoteAdded, NoteEdited],
    triggers: ['note_events', 'confidential_note_events'],
    tell: noteMessage,
  },
  {
    events: [
      ...[MergeRequestCreated, MergeRequestUpdated, MergeRequestClosed, MergeRequestReopened],
      ...[MergeRequestMerged, MergeRequestApproved, MergeRequestApprovalRevoked],
      ...[MergeRequestTimeEstimateSet, MergeRequestTimeSpentAdded, MergeRequestTimeSpentReset],
    ],
    triggers: ['merge_requests_events'],
    tell: mergeRequestMessage,
  },
  { events: [RefUpdated], triggers: ['merge_requests_events'], tell: pushedMergeRequestMessages },
  {
    events: [
      ...[JobCreated, JobReset, JobWaitsForResource, JobQueued, JobScheduled, JobMadeManual, JobSkipped],
      ...[JobStarted, JobSucceeded, JobFailed, JobReturned, JobReopened, JobCanceled],
    ],
    triggers: ['job_events'],
    tell: jobMessage,
  },
  { events: [PipelineStatusChanged], triggers: ['pipeline_events'], tell: pipelineMessage },
  { events: deploymentEvents, triggers: ['deployment_events'], tell: deploymentMessage },
  { events: [ReleaseCreated, ReleaseUpdated], triggers: ['releases_events'], tell: releaseMessage },
  { events: [FeatureFlagUpdated], triggers: ['feature_flag_events'], tell: featureFlagMessage },
  { events: wikiPageEvents, triggers: ['wiki_page_events'], tell: wikiPageMessage },
  {
    events: [GroupCreated, GroupUpdated, GroupDeleted],
    triggers: ['subgroup_events', 'system_events'],
    tell: groupMessages,
  },
  {
    events: [GroupMemberAdded, GroupMemberChanged, GroupMemberRemoved],
    triggers: ['member_events', 'system_events'],
    tell: groupMemberMessages,
  },
  { events: projectMemberEvents, triggers: ['system_events'], tell: projectMemberMessage },
  {
    events: [
      ...[ProjectCreated, ProjectUpdated, ProjectArchived, ProjectUnarchived],
      ...[ProjectTransferred, ProjectDeleted],
    ],
    triggers: ['system_events'],
    tell: projectMessage,
  },
  { events: [UserCreated, UserUpdated, UserDeleted], triggers: ['system_events'], tell: userMessage },
  { events: userKeyEvents, triggers: ['system_events'], tell: userKeyMessage },
];

/** Events that hooks are told of. */
export const TOLD_EVENTS: readonly EventDefinition[] = KINDS.flatMap(({ events }) => events);
const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  KINDS.flatMap((kind) => kind.events.map(({ type }) => [type, kind] as const)),
);
export const TOLD_TYPES: ReadonlySet<string> = new Set(KIND_OF.keys());

/** The triggers of which an event may be. */
export const triggersOf = (type: string): readonly Trigger[] => KIND_OF.get(type)?.triggers ?? [];

const RENDERED = 200;

export function createHookMessages(ports: ServicePorts) {
  const facts = createHookFacts(ports);
  // Many hooks are told of one event.
  const rendered = createLru<string, Promise<readonly HookMessage[]>>(RENDERED);

  return {
    /** What there is to tell of an event now; nothing where what it is about is gone. */
    of(event: RecordedEvent): Promise<readonly HookMessage[]> {
      let messages = rendered.get(event.id);
      if (!messages) {
        messages = KIND_OF.get(event.type)!.tell(ports, facts, event as RecordedEvent<string, never>);
        rendered.set(event.id, messages);
        // What failed is tried again.
        messages.catch(() => rendered.delete(event.id));
      }
      return messages;
    },

    /** Places other than its own that an event is about: where a branch is merged to, and where a group was. */
    async otherPlacesOf(event: RecordedEvent): Promise<{ projectId?: number; groupId?: number }[]> {
      if (event.type === GroupDeleted.type) {
        const { parentId } = event.data as { parentId: number | null };
        return parentId === null ? [] : [{ groupId: parentId }];
      }
      if (event.type !== RefUpdated.type) return [];
      const data = event.data as { projectId: number; ref: string };
      const targets = (await openFrom(ports, data)).map(({ projectId }) => projectId);
      return [...new Set(targets)].filter((id) => id !== data.projectId).map((projectId) => ({ projectId }));
    },
  };
}
