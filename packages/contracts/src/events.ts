import { accessRequestEvents } from './admin/access-requests/access-request.events.ts';
import { accessTokenEvents, PersonalAccessTokensUsed } from './admin/access-tokens/access-token.events.ts';
import { appearanceEvents } from './admin/appearance/appearance.events.ts';
import { broadcastMessageEvents } from './admin/broadcast-messages/broadcast-message.events.ts';
import { customAttributeEvents } from './admin/custom-attributes/custom-attribute.events.ts';
import { deployKeyEvents } from './admin/deploy-keys/deploy-key.events.ts';
import { deployTokenEvents } from './admin/deploy-tokens/deploy-token.events.ts';
import { featureEvents } from './admin/features/feature.events.ts';
import { followEvents } from './admin/follows/follow.events.ts';
import { groupGroupLinkEvents } from './admin/group-group-links/group-group-link.events.ts';
import { groupEvents } from './admin/groups/group.events.ts';
import { projectMemberEvents } from './admin/members/project-member.events.ts';
import { oauthApplicationEvents } from './admin/oauth-applications/oauth-application.events.ts';
import { oauthAuthorizationEvents } from './admin/oauth-authorizations/oauth-authorization.events.ts';
import { planLimitsEvents } from './admin/plan-limits/plan-limits.events.ts';
import { projectGroupLinkEvents } from './admin/project-group-links/project-group-link.events.ts';
import { settingsEvents } from './admin/settings/settings.events.ts';
import { userEmailEvents } from './admin/user-emails/user-email.events.ts';
import { userKeyEvents } from './admin/user-keys/user-key.events.ts';
import { userStatusEvents } from './admin/user-statuses/user-status.events.ts';
import { userEvents } from './admin/users/user.events.ts';
import { ciVariableEvents } from './ci/ci-variables/ci-variable.events.ts';
import { deploymentEvents } from './ci/deployments/deployment.events.ts';
import { environmentEvents } from './ci/environments/environment.events.ts';
import { FeatureFlagsClientReset, featureFlagEvents } from './ci/feature-flags/feature-flag.events.ts';
import { freezePeriodEvents } from './ci/freeze-periods/freeze-period.events.ts';
import { jobEvents } from './ci/jobs/job.events.ts';
import { pipelineScheduleEvents } from './ci/pipeline-schedules/pipeline-schedule.events.ts';
import { pipelineTriggerEvents } from './ci/pipeline-triggers/pipeline-trigger.events.ts';
import { pipelineEvents } from './ci/pipelines/pipeline.events.ts';
import { runnerEvents } from './ci/runners/runner.events.ts';
import { RunnersTokenReset } from './ci/runners/runners-token.events.ts';
import type { EventDefinition } from './event.ts';
import { accessLogEvents } from './gateway/access-log/access-log.events.ts';
import { badgeEvents } from './repo/badges/badge.events.ts';
import { debianDistributionEvents } from './repo/debian-distributions/debian-distribution.events.ts';
import { packageEvents } from './repo/packages/package.events.ts';
import { ProjectCreationAbandoned, projectEvents } from './repo/projects/project.events.ts';
import { projectStarEvents } from './repo/projects/project-star.events.ts';
import { protectedBranchEvents } from './repo/protected-branches/protected-branch.events.ts';
import { protectedTagEvents } from './repo/protected-tags/protected-tag.events.ts';
import { pushRuleEvents } from './repo/push-rules/push-rule.events.ts';
import { releaseEvents } from './repo/releases/release.events.ts';
import { repositoryEvents } from './repo/repositories/repository.events.ts';
import { snippetEvents } from './repo/snippets/snippet.events.ts';
import { StorageMovesRequested, storageMoveEvents } from './repo/storage-moves/storage-move.events.ts';
import { topicEvents } from './repo/topics/topic.events.ts';
import { uploadEvents } from './repo/uploads/upload.events.ts';
import { groupWikiPageEvents } from './repo/wikis/group-wiki-page.events.ts';
import { wikiAttachmentEvents } from './repo/wikis/wiki-attachment.events.ts';
import { wikiCommitEvents } from './repo/wikis/wiki-commit.events.ts';
import { wikiPageEvents } from './repo/wikis/wiki-page.events.ts';
import { EpochBegun } from './shared/epoch.events.ts';
import { IdsReserved } from './shared/id.events.ts';
import { recordsEndedEvents } from './shared/records-ended.events.ts';
import { NameForfeited, nameEvents } from './shared/route.events.ts';
import { approvalRuleEvents } from './tracker/approval-rules/approval-rule.events.ts';
import { awardEmojiEvents } from './tracker/award-emoji/award-emoji.events.ts';
import { boardEvents } from './tracker/boards/board.events.ts';
import { discussionEvents } from './tracker/discussions/discussion.events.ts';
import { epicEvents } from './tracker/epics/epic.events.ts';
import { clientKeyEvents } from './tracker/error-tracking/client-key.events.ts';
import { errorTrackingEvents } from './tracker/error-tracking/error-tracking.events.ts';
import { trackedErrorEvents } from './tracker/error-tracking/tracked-error.events.ts';
import { integrationEvents } from './tracker/integrations/integration.events.ts';
import { integrationMessageEvents } from './tracker/integrations/integration-message.events.ts';
import { issueLinkEvents } from './tracker/issue-links/issue-link.events.ts';
import { issueEvents } from './tracker/issues/issue.events.ts';
import { iterationEvents } from './tracker/iterations/iteration.events.ts';
import { labelEvents } from './tracker/labels/label.events.ts';
import { mergeRequestEvents } from './tracker/merge-requests/merge-request.events.ts';
import { milestoneEvents } from './tracker/milestones/milestone.events.ts';
import { notificationMailEvents } from './tracker/notification-mails/notification-mail.events.ts';
import { notificationSettingEvents } from './tracker/notification-settings/notification-setting.events.ts';
import { subscriptionEvents } from './tracker/subscriptions/subscription.events.ts';
import { todoEvents } from './tracker/todos/todo.events.ts';
import { webHookEvents } from './tracker/web-hooks/web-hook.events.ts';
import { webHookDeliveryEvents } from './tracker/web-hooks/web-hook-delivery.events.ts';

/** Every event type: one line per slice. */
export const events: readonly EventDefinition[] = [
  IdsReserved,
  EpochBegun,
  ...nameEvents,
  NameForfeited,
  ...recordsEndedEvents,
  // gateway
  ...accessLogEvents,
  // admin
  ...userEvents,
  ...userStatusEvents,
  ...followEvents,
  ...accessTokenEvents,
  PersonalAccessTokensUsed,
  ...accessRequestEvents,
  ...customAttributeEvents,
  ...deployKeyEvents,
  ...deployTokenEvents,
  ...oauthApplicationEvents,
  ...oauthAuthorizationEvents,
  ...userEmailEvents,
  ...userKeyEvents,
  ...groupEvents,
  ...projectMemberEvents,
  ...groupGroupLinkEvents,
  ...broadcastMessageEvents,
  ...featureEvents,
  ...planLimitsEvents,
  ...settingsEvents,
  ...appearanceEvents,
  ...projectGroupLinkEvents,
  // repo
  ...projectEvents,
  ProjectCreationAbandoned,
  ...projectStarEvents,
  ...badgeEvents,
  ...snippetEvents,
  ...wikiPageEvents,
  ...groupWikiPageEvents,
  ...wikiCommitEvents,
  ...wikiAttachmentEvents,
  ...debianDistributionEvents,
  ...repositoryEvents,
  ...topicEvents,
  ...storageMoveEvents,
  StorageMovesRequested,
  ...uploadEvents,
  ...packageEvents,
  ...protectedBranchEvents,
  ...releaseEvents,
  ...protectedTagEvents,
  ...pushRuleEvents,
  // tracker
  ...discussionEvents,
  ...awardEmojiEvents,
  ...issueEvents,
  ...labelEvents,
  ...epicEvents,
  ...iterationEvents,
  ...milestoneEvents,
  ...errorTrackingEvents,
  ...clientKeyEvents,
  ...trackedErrorEvents,
  ...issueLinkEvents,
  ...boardEvents,
  ...integrationEvents,
  ...integrationMessageEvents,
  ...webHookEvents,
  ...webHookDeliveryEvents,
  ...mergeRequestEvents,
  ...approvalRuleEvents,
  ...todoEvents,
  ...subscriptionEvents,
  ...notificationSettingEvents,
  ...notificationMailEvents,
  // ci
  ...environmentEvents,
  ...deploymentEvents,
  ...featureFlagEvents,
  FeatureFlagsClientReset,
  ...freezePeriodEvents,
  ...ciVariableEvents,
  ...runnerEvents,
  RunnersTokenReset,
  ...pipelineEvents,
  ...jobEvents,
  ...pipelineTriggerEvents,
  ...pipelineScheduleEvents,
];
