import type { FactTable, Part, RecordTable, View } from './table.ts';
import { accessRequests } from './tables/access-requests.ts';
import { accessTokens } from './tables/access-tokens.ts';
import { approvalRules } from './tables/approval-rules.ts';
import { awards } from './tables/awards.ts';
import { badges } from './tables/badges.ts';
import { boards } from './tables/boards.ts';
import { broadcastMessages } from './tables/broadcast-messages.ts';
import { ciVariables } from './tables/ci-variables.ts';
import { customAttributes } from './tables/custom-attributes.ts';
import { debianDistributions } from './tables/debian-distributions.ts';
import { deployKeys } from './tables/deploy-keys.ts';
import { deployTokens } from './tables/deploy-tokens.ts';
import { deployments } from './tables/deployments.ts';
import { discussions } from './tables/discussions.ts';
import { environments } from './tables/environments.ts';
import { epics } from './tables/epics.ts';
import { errorTracking } from './tables/error-tracking.ts';
import { events } from './tables/events.ts';
import { featureFlags } from './tables/feature-flags.ts';
import { follows } from './tables/follows.ts';
import { freezePeriods } from './tables/freeze-periods.ts';
import { groupMemberships } from './tables/group-memberships.ts';
import { groupShares } from './tables/group-shares.ts';
import { groups } from './tables/groups.ts';
import { instance } from './tables/instance.ts';
import { integrations } from './tables/integrations.ts';
import { issueLinks } from './tables/issue-links.ts';
import { issues } from './tables/issues.ts';
import { iterations } from './tables/iterations.ts';
import { labels } from './tables/labels.ts';
import { mergeRequests } from './tables/merge-requests.ts';
import { milestones } from './tables/milestones.ts';
import { notificationSettings } from './tables/notification-settings.ts';
import { oauth } from './tables/oauth.ts';
import { packages } from './tables/packages.ts';
import { pipelineSchedules } from './tables/pipeline-schedules.ts';
import { pipelineTriggers } from './tables/pipeline-triggers.ts';
import { jobs, pipelines } from './tables/pipelines.ts';
import { projectMemberships } from './tables/project-memberships.ts';
import { projectShares } from './tables/project-shares.ts';
import { projects } from './tables/projects.ts';
import { protectedBranches } from './tables/protected-branches.ts';
import { protectedTags } from './tables/protected-tags.ts';
import { pushRules } from './tables/push-rules.ts';
import { refs } from './tables/refs.ts';
import { releases } from './tables/releases.ts';
import { rights } from './tables/rights.ts';
import { runners } from './tables/runners.ts';
import { snippets } from './tables/snippets.ts';
import { stars } from './tables/stars.ts';
import { storageMoves } from './tables/storage-moves.ts';
import { subscriptions } from './tables/subscriptions.ts';
import { timeBookings } from './tables/time-bookings.ts';
import { todos } from './tables/todos.ts';
import { topics } from './tables/topics.ts';
import { uploads } from './tables/uploads.ts';
import { userEmails } from './tables/user-emails.ts';
import { userKeys } from './tables/user-keys.ts';
import { userStatuses } from './tables/user-statuses.ts';
import { users } from './tables/users.ts';
import { webHooks } from './tables/web-hooks.ts';
import { wikiPages } from './tables/wiki-pages.ts';

/** All that a replica holds: a line a part. */
export const parts: readonly Part[] = [
  events,
  users,
  userStatuses,
  follows,
  instance,
  accessTokens,
  deployKeys,
  deployTokens,
  oauth,
  userEmails,
  userKeys,
  groups,
  groupMemberships,
  groupShares,
  projects,
  projectMemberships,
  projectShares,
  rights,
  stars,
  topics,
  broadcastMessages,
  customAttributes,
  accessRequests,
  badges,
  debianDistributions,
  refs,
  storageMoves,
  uploads,
  packages,
  protectedBranches,
  releases,
  protectedTags,
  pushRules,
  integrations,
  webHooks,
  errorTracking,
  issues,
  issueLinks,
  labels,
  epics,
  snippets,
  wikiPages,
  iterations,
  milestones,
  boards,
  mergeRequests,
  approvalRules,
  timeBookings,
  discussions,
  awards,
  todos,
  subscriptions,
  notificationSettings,
  environments,
  deployments,
  featureFlags,
  freezePeriods,
  ciVariables,
  runners,
  pipelines,
  jobs,
  pipelineTriggers,
  pipelineSchedules,
];

export const recordTables: readonly RecordTable[] = parts.flatMap(({ records = [] }) => records);
export const factTables: readonly FactTable[] = parts.flatMap(({ facts = [] }) => facts);
export const views: readonly View[] = parts.flatMap((part) => part.views ?? []);
export const eventVersions: Readonly<Record<string, number>> = Object.assign(
  {},
  ...parts.map((part) => part.events),
);
