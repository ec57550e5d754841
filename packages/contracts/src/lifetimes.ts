import {
  groupAccessRequestLifetime,
  projectAccessRequestLifetime,
} from './admin/access-requests/access-request.lifetime.ts';
import { accessTokenLifetime } from './admin/access-tokens/access-token.lifetime.ts';
import { appearanceLifetime } from './admin/appearance/appearance.lifetime.ts';
import { broadcastMessageLifetime } from './admin/broadcast-messages/broadcast-message.lifetime.ts';
import { customAttributeLifetime } from './admin/custom-attributes/custom-attribute.lifetime.ts';
import { deployKeyLifetime, deployKeyProjectLifetime } from './admin/deploy-keys/deploy-key.lifetime.ts';
import { deployTokenLifetime } from './admin/deploy-tokens/deploy-token.lifetime.ts';
import { featureLifetime } from './admin/features/feature.lifetime.ts';
import { followLifetime } from './admin/follows/follow.lifetime.ts';
import { groupGroupLinkLifetime } from './admin/group-group-links/group-group-link.lifetime.ts';
import { groupLifetime, groupMembershipLifetime } from './admin/groups/group.lifetime.ts';
import { projectMembershipLifetime } from './admin/members/project-member.lifetime.ts';
import { oauthApplicationLifetime } from './admin/oauth-applications/oauth-application.lifetime.ts';
import { oauthAuthorizationLifetime } from './admin/oauth-authorizations/oauth-authorization.lifetime.ts';
import { planLimitsLifetime } from './admin/plan-limits/plan-limits.lifetime.ts';
import { projectGroupLinkLifetime } from './admin/project-group-links/project-group-link.lifetime.ts';
import { settingsLifetime } from './admin/settings/settings.lifetime.ts';
import { userEmailLifetime } from './admin/user-emails/user-email.lifetime.ts';
import { userKeyLifetime } from './admin/user-keys/user-key.lifetime.ts';
import { userStatusLifetime } from './admin/user-statuses/user-status.lifetime.ts';
import { userLifetime } from './admin/users/user.lifetime.ts';
import { ciVariableLifetime } from './ci/ci-variables/ci-variable.lifetime.ts';
import { deploymentLifetime } from './ci/deployments/deployment.lifetime.ts';
import { environmentLifetime } from './ci/environments/environment.lifetime.ts';
import {
  featureFlagLifetime,
  featureFlagUserListLifetime,
} from './ci/feature-flags/feature-flag.lifetime.ts';
import { freezePeriodLifetime } from './ci/freeze-periods/freeze-period.lifetime.ts';
import { jobArtifactLifetime, jobLifetime } from './ci/jobs/job.lifetime.ts';
import { pipelineScheduleLifetime } from './ci/pipeline-schedules/pipeline-schedule.lifetime.ts';
import { pipelineTriggerLifetime } from './ci/pipeline-triggers/pipeline-trigger.lifetime.ts';
import { pipelineLifetime } from './ci/pipelines/pipeline.lifetime.ts';
import { projectRunnerLifetime, runnerLifetime } from './ci/runners/runner.lifetime.ts';
import type { Lifetime } from './lifetime.ts';
import { badgeLifetime } from './repo/badges/badge.lifetime.ts';
import { debianDistributionLifetime } from './repo/debian-distributions/debian-distribution.lifetime.ts';
import { packageFileLifetime, packageLifetime } from './repo/packages/package.lifetime.ts';
import { projectLifetime, projectOwnershipLifetime } from './repo/projects/project.lifetime.ts';
import { projectStarLifetime } from './repo/projects/project-star.lifetime.ts';
import { protectedBranchLifetime } from './repo/protected-branches/protected-branch.lifetime.ts';
import { protectedTagLifetime } from './repo/protected-tags/protected-tag.lifetime.ts';
import { pushRuleLifetime } from './repo/push-rules/push-rule.lifetime.ts';
import {
  releaseEvidenceLifetime,
  releaseLifetime,
  releaseLinkLifetime,
} from './repo/releases/release.lifetime.ts';
import { refLifetime } from './repo/repositories/ref.lifetime.ts';
import { snippetLifetime } from './repo/snippets/snippet.lifetime.ts';
import { storageMoveLifetime } from './repo/storage-moves/storage-move.lifetime.ts';
import { topicLifetime } from './repo/topics/topic.lifetime.ts';
import { uploadLifetime } from './repo/uploads/upload.lifetime.ts';
import { wikiAttachmentLifetime } from './repo/wikis/wiki-attachment.lifetime.ts';
import { wikiPageLifetime } from './repo/wikis/wiki-page.lifetime.ts';
import { approvalRuleLifetime } from './tracker/approval-rules/approval-rule.lifetime.ts';
import { awardLifetime } from './tracker/award-emoji/award-emoji.lifetime.ts';
import { boardLifetime } from './tracker/boards/board.lifetime.ts';
import { discussionLifetime, noteLifetime } from './tracker/discussions/discussion.lifetime.ts';
import { epicLifetime } from './tracker/epics/epic.lifetime.ts';
import {
  clientKeyLifetime,
  errorTrackingLifetime,
  trackedErrorLifetime,
} from './tracker/error-tracking/error-tracking.lifetime.ts';
import { integrationLifetime } from './tracker/integrations/integration.lifetime.ts';
import { issueLinkLifetime } from './tracker/issue-links/issue-link.lifetime.ts';
import { issueLifetime } from './tracker/issues/issue.lifetime.ts';
import { iterationCadenceLifetime, iterationLifetime } from './tracker/iterations/iteration.lifetime.ts';
import { labelLifetime } from './tracker/labels/label.lifetime.ts';
import {
  mergeRequestApprovalLifetime,
  mergeRequestAutoMergeLifetime,
  mergeRequestLifetime,
} from './tracker/merge-requests/merge-request.lifetime.ts';
import { milestoneLifetime } from './tracker/milestones/milestone.lifetime.ts';
import { notificationSettingLifetime } from './tracker/notification-settings/notification-setting.lifetime.ts';
import { subscriptionLifetime } from './tracker/subscriptions/subscription.lifetime.ts';
import { todoLifetime } from './tracker/todos/todo.lifetime.ts';
import { webHookLifetime } from './tracker/web-hooks/web-hook.lifetime.ts';

/** Every kind of record that events begin and end: a line a kind. */
export const lifetimes: readonly Lifetime[] = [
  userLifetime,
  userStatusLifetime,
  followLifetime,
  groupLifetime,
  groupMembershipLifetime,
  projectLifetime,
  projectOwnershipLifetime,
  projectMembershipLifetime,
  groupGroupLinkLifetime,
  broadcastMessageLifetime,
  featureLifetime,
  planLimitsLifetime,
  settingsLifetime,
  appearanceLifetime,
  projectGroupLinkLifetime,
  accessTokenLifetime,
  projectAccessRequestLifetime,
  groupAccessRequestLifetime,
  customAttributeLifetime,
  deployKeyLifetime,
  deployKeyProjectLifetime,
  deployTokenLifetime,
  oauthApplicationLifetime,
  oauthAuthorizationLifetime,
  userEmailLifetime,
  userKeyLifetime,
  projectStarLifetime,
  badgeLifetime,
  snippetLifetime,
  wikiPageLifetime,
  wikiAttachmentLifetime,
  debianDistributionLifetime,
  refLifetime,
  topicLifetime,
  storageMoveLifetime,
  uploadLifetime,
  packageLifetime,
  packageFileLifetime,
  protectedBranchLifetime,
  releaseLifetime,
  releaseLinkLifetime,
  releaseEvidenceLifetime,
  protectedTagLifetime,
  pushRuleLifetime,
  issueLifetime,
  labelLifetime,
  epicLifetime,
  iterationCadenceLifetime,
  iterationLifetime,
  milestoneLifetime,
  errorTrackingLifetime,
  clientKeyLifetime,
  trackedErrorLifetime,
  issueLinkLifetime,
  boardLifetime,
  integrationLifetime,
  webHookLifetime,
  mergeRequestLifetime,
  mergeRequestApprovalLifetime,
  approvalRuleLifetime,
  mergeRequestAutoMergeLifetime,
  discussionLifetime,
  noteLifetime,
  awardLifetime,
  todoLifetime,
  subscriptionLifetime,
  notificationSettingLifetime,
  environmentLifetime,
  deploymentLifetime,
  featureFlagLifetime,
  featureFlagUserListLifetime,
  freezePeriodLifetime,
  ciVariableLifetime,
  runnerLifetime,
  projectRunnerLifetime,
  pipelineLifetime,
  jobLifetime,
  jobArtifactLifetime,
  pipelineTriggerLifetime,
  pipelineScheduleLifetime,
];
