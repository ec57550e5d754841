import { accessRequestEndpoints } from './admin/access-requests/access-request.api.ts';
import { accessTokenEndpoints } from './admin/access-tokens/access-token.api.ts';
import { impersonationTokenEndpoints } from './admin/access-tokens/impersonation-token.api.ts';
import { appearanceEndpoints } from './admin/appearance/appearance.api.ts';
import { auditEventEndpoints } from './admin/audit-events/audit-event.api.ts';
import { avatarEndpoints } from './admin/avatars/avatar.api.ts';
import { billableMemberEndpoints } from './admin/billable-members/billable-member.api.ts';
import { broadcastMessageEndpoints } from './admin/broadcast-messages/broadcast-message.api.ts';
import { customAttributeEndpoints } from './admin/custom-attributes/custom-attribute.api.ts';
import { deployKeyEndpoints } from './admin/deploy-keys/deploy-key.api.ts';
import { deployTokenEndpoints } from './admin/deploy-tokens/deploy-token.api.ts';
import { featureEndpoints } from './admin/features/feature.api.ts';
import { followEndpoints } from './admin/follows/follow.api.ts';
import { groupGroupLinkEndpoints } from './admin/group-group-links/group-group-link.api.ts';
import { groupEndpoints } from './admin/groups/group.api.ts';
import { listProjectGroups } from './admin/groups/project-group.api.ts';
import { groupMemberEndpoints } from './admin/members/group-member.api.ts';
import { invitationEndpoints } from './admin/members/invitation.api.ts';
import { projectMemberEndpoints } from './admin/members/project-member.api.ts';
import { listProjectUsers } from './admin/members/project-user.api.ts';
import { userMembershipEndpoints } from './admin/members/user-membership.api.ts';
import { namespaceEndpoints } from './admin/namespaces/namespace.api.ts';
import { oauthApplicationEndpoints } from './admin/oauth-applications/oauth-application.api.ts';
import { planLimitsEndpoints } from './admin/plan-limits/plan-limits.api.ts';
import { projectGroupLinkEndpoints } from './admin/project-group-links/project-group-link.api.ts';
import { resourceAccessTokenEndpoints } from './admin/resource-access-tokens/resource-access-token.api.ts';
import { settingsEndpoints } from './admin/settings/settings.api.ts';
import { userEmailEndpoints } from './admin/user-emails/user-email.api.ts';
import { userKeyEndpoints } from './admin/user-keys/user-key.api.ts';
import { userStatusEndpoints } from './admin/user-statuses/user-status.api.ts';
import { userEndpoints } from './admin/users/user.api.ts';
import { userActivityEndpoints } from './admin/users/user-activity.api.ts';
import { artifactEndpoints } from './ci/artifacts/artifact.api.ts';
import { runnerArtifactEndpoints } from './ci/artifacts/runner-artifact.api.ts';
import { badgeImageEndpoints } from './ci/badges/badge.api.ts';
import { ciVariableEndpoints } from './ci/ci-variables/ci-variable.api.ts';
import { commitStatusEndpoints } from './ci/commit-statuses/commit-status.api.ts';
import { deploymentEndpoints } from './ci/deployments/deployment.api.ts';
import { environmentEndpoints } from './ci/environments/environment.api.ts';
import { projectFeatureFlagEndpoints } from './ci/feature-flags/feature-flag.api.ts';
import { featureFlagUserListEndpoints } from './ci/feature-flags/feature-flag-user-list.api.ts';
import { unleashEndpoints } from './ci/feature-flags/unleash.api.ts';
import { freezePeriodEndpoints } from './ci/freeze-periods/freeze-period.api.ts';
import { jobLogEndpoints } from './ci/job-logs/job-log.api.ts';
import { jobEndpoints } from './ci/jobs/job.api.ts';
import { lintEndpoints } from './ci/lint/lint.api.ts';
import { pipelineScheduleEndpoints } from './ci/pipeline-schedules/pipeline-schedule.api.ts';
import { pipelineTriggerEndpoints } from './ci/pipeline-triggers/pipeline-trigger.api.ts';
import { mergeRequestPipelineEndpoints } from './ci/pipelines/merge-request-pipeline.api.ts';
import { pipelineEndpoints } from './ci/pipelines/pipeline.api.ts';
import { pipelineCreationEndpoints } from './ci/pipelines/pipeline-creation.api.ts';
import { jobRequestEndpoints } from './ci/runners/job-request.api.ts';
import { runnerEndpoints } from './ci/runners/runner.api.ts';
import { runnerAgentEndpoints } from './ci/runners/runner-agent.api.ts';
import { testReportEndpoints } from './ci/test-reports/test-report.api.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { accessLogEndpoints } from './gateway/access-log/access-log.api.ts';
import { eventContractEndpoints } from './gateway/event-contract/event-contract.api.ts';
import { eventStreamEndpoints } from './gateway/event-stream/event-stream.api.ts';
import { fetchStatisticsEndpoints } from './gateway/fetch-statistics/fetch-statistics.api.ts';
import { instanceEndpoints } from './gateway/instance/instance.api.ts';
import { projectAvatarEndpoints } from './repo/avatars/project-avatar.api.ts';
import { badgeEndpoints } from './repo/badges/badge.api.ts';
import { branchEndpoints } from './repo/branches/branch.api.ts';
import { commitEndpoints } from './repo/commits/commit.api.ts';
import { debianDistributionEndpoints } from './repo/debian-distributions/debian-distribution.api.ts';
import { debianPackageEndpoints } from './repo/debian-packages/debian-package.api.ts';
import { dependencyEndpoints } from './repo/dependencies/dependency.api.ts';
import { fileEndpoints } from './repo/files/file.api.ts';
import { housekeepingEndpoints } from './repo/housekeeping/housekeeping.api.ts';
import { languageEndpoints } from './repo/languages/language.api.ts';
import { genericPackageEndpoints } from './repo/packages/generic-package.api.ts';
import { packageEndpoints } from './repo/packages/package.api.ts';
import { projectEndpoints } from './repo/projects/project.api.ts';
import { projectApprovalEndpoints } from './repo/projects/project-approvals.api.ts';
import { projectForkEndpoints } from './repo/projects/project-fork.api.ts';
import { listProjectStarrers } from './repo/projects/project-starrer.api.ts';
import { protectedBranchEndpoints } from './repo/protected-branches/protected-branch.api.ts';
import { protectedTagEndpoints } from './repo/protected-tags/protected-tag.api.ts';
import { pushRuleEndpoints } from './repo/push-rules/push-rule.api.ts';
import { releaseEndpoints } from './repo/releases/release.api.ts';
import { releaseAssetEndpoints } from './repo/releases/release-asset.api.ts';
import { releaseLinkEndpoints } from './repo/releases/release-link.api.ts';
import { repositoryEndpoints } from './repo/repositories/repository.api.ts';
import { snippetEndpoints } from './repo/snippets/snippet.api.ts';
import { storageMoveEndpoints } from './repo/storage-moves/storage-move.api.ts';
import { submoduleEndpoints } from './repo/submodules/submodule.api.ts';
import { tagEndpoints } from './repo/tags/tag.api.ts';
import { templateEndpoints } from './repo/templates/template.api.ts';
import { topicEndpoints } from './repo/topics/topic.api.ts';
import { uploadEndpoints } from './repo/uploads/upload.api.ts';
import { wikiAttachmentEndpoints } from './repo/wikis/wiki-attachment.api.ts';
import { wikiEndpoints } from './repo/wikis/wiki-page.api.ts';
import { activityEventEndpoints } from './tracker/activity-events/activity-event.api.ts';
import { approvalRuleEndpoints } from './tracker/approval-rules/approval-rule.api.ts';
import { issueAwards, mergeRequestAwards } from './tracker/award-emoji/award-emoji.api.ts';
import { boardEndpoints } from './tracker/boards/board.api.ts';
import { commitCommentEndpoints } from './tracker/commit-comments/commit-comment.api.ts';
import { commitDiscussions } from './tracker/commit-comments/commit-discussion.api.ts';
import { issueDiscussions, mergeRequestDiscussions } from './tracker/discussions/discussion.api.ts';
import { issueNotes, mergeRequestNotes } from './tracker/discussions/note.api.ts';
import { epicEndpoints } from './tracker/epics/epic.api.ts';
import { epicChildEndpoints } from './tracker/epics/epic-child.api.ts';
import { epicDiscussionEndpoints } from './tracker/epics/epic-discussion.api.ts';
import { epicIssueEndpoints } from './tracker/epics/epic-issue.api.ts';
import { clientKeyEndpoints } from './tracker/error-tracking/client-key.api.ts';
import { collectorEndpoints } from './tracker/error-tracking/collector.api.ts';
import { errorTrackingEndpoints } from './tracker/error-tracking/error-tracking.api.ts';
import { trackedErrorEndpoints } from './tracker/error-tracking/tracked-error.api.ts';
import { integrationEndpoints } from './tracker/integrations/integration.api.ts';
import { issueLinkEndpoints } from './tracker/issue-links/issue-link.api.ts';
import { issueEndpoints } from './tracker/issues/issue.api.ts';
import { iterationEndpoints } from './tracker/iterations/iteration.api.ts';
import { iterationCadenceEndpoints } from './tracker/iterations/iteration-cadence.api.ts';
import { labelEndpoints } from './tracker/labels/label.api.ts';
import { markdownEndpoints } from './tracker/markdown/markdown.api.ts';
import { approvalEndpoints } from './tracker/merge-requests/approval.api.ts';
import { listMergeRequestsOfCommit } from './tracker/merge-requests/commit-merge-request.api.ts';
import { mergeEndpoints } from './tracker/merge-requests/merge.api.ts';
import { mergeRequestRecordEndpoints } from './tracker/merge-requests/merge-request.api.ts';
import { mergeRequestContentEndpoints } from './tracker/merge-requests/merge-request-content.api.ts';
import { mergeRequestListEndpoints } from './tracker/merge-requests/merge-request-list.api.ts';
import { relatedIssueEndpoints } from './tracker/merge-requests/related-issue.api.ts';
import { milestoneEndpoints } from './tracker/milestones/milestone.api.ts';
import { milestoneContentEndpoints } from './tracker/milestones/milestone-content.api.ts';
import { unsubscriptionEndpoints } from './tracker/notification-mails/unsubscription.api.ts';
import { notificationSettingEndpoints } from './tracker/notification-settings/notification-setting.api.ts';
import {
  issueResourceEvents,
  mergeRequestResourceEvents,
} from './tracker/resource-events/resource-event.api.ts';
import { searchEndpoints } from './tracker/search/search.api.ts';
import { snippetDiscussionEndpoints } from './tracker/snippets/snippet-discussion.api.ts';
import { statisticsEndpoints } from './tracker/statistics/statistics.api.ts';
import { issueSubscriptions, mergeRequestSubscriptions } from './tracker/subscriptions/subscription.api.ts';
import { suggestionEndpoints } from './tracker/suggestions/suggestion.api.ts';
import { issueTimeTracking, mergeRequestTimeTracking } from './tracker/time-tracking/time-tracking.api.ts';
import { todoEndpoints } from './tracker/todos/todo.api.ts';
import { userCountsEndpoints } from './tracker/user-counts/user-counts.api.ts';
import { webHookEndpoints } from './tracker/web-hooks/web-hook.api.ts';

/** A chapter of the reference. */
export interface Resource {
  name: string;
  description: string;
  endpoints: readonly AnyEndpoint[];
}

/** Every endpoint by resource: one line per slice. */
export const resources: readonly Resource[] = [
  resource('Projects', 'A repository with what belongs to it.', [...projectEndpoints, listProjectStarrers]),
  resource('Feature flags', 'Parts of the server that administrators switch.', featureEndpoints),
  resource('Broadcast messages', 'What administrators tell all people.', broadcastMessageEndpoints),
  resource(
    'Custom attributes',
    'What administrators attach to users, groups and projects, to find them by.',
    customAttributeEndpoints,
  ),
  resource('Appearance', 'How pages and mails of the instance look.', appearanceEndpoints),
  resource('Application settings', 'What administrators set for the instance.', settingsEndpoints),
  resource('Application statistics', 'How much the instance has.', statisticsEndpoints),
  resource('Plan limits', 'How large files of packages may be.', planLimitsEndpoints),
  resource('Housekeeping', 'Where repositories are, and their packing.', housekeepingEndpoints),
  resource('Namespaces', 'Users and groups as places of projects.', namespaceEndpoints),
  resource('Forks', 'Projects that begin with what another has.', projectForkEndpoints),
  resource('Project members', 'Who has which role in a project.', [
    ...projectMemberEndpoints,
    ...invitationEndpoints,
    listProjectUsers,
    listProjectGroups,
  ]),
  resource(
    'Group shares',
    'Groups whose members have access to a group and all below.',
    groupGroupLinkEndpoints,
  ),
  resource('Project shares', 'Groups whose members have access to a project.', projectGroupLinkEndpoints),
  resource('Badges', 'Images with a link that projects and groups show of themselves.', badgeEndpoints),
  resource('Templates', 'Texts that projects begin with: licences and files of tools.', templateEndpoints),
  resource('Topics', 'Words that projects carry, with what they mean.', topicEndpoints),
  resource(
    'Debian distributions',
    'What Debian packages of projects and groups are published as.',
    debianDistributionEndpoints,
  ),
  resource(
    'Debian packages',
    'Files of Debian packages, and the indexes that apt reads.',
    debianPackageEndpoints,
  ),
  resource('Repositories', 'Trees, blobs, archives, comparisons and the changelog.', repositoryEndpoints),
  resource('Files', 'One file of a repository: reading it, and changing it by a commit.', fileEndpoints),
  resource('Branches', 'Branches of a repository.', branchEndpoints),
  resource(
    'Protected branches',
    'Who may push to branches and merge into them, by name or wildcard.',
    protectedBranchEndpoints,
  ),
  resource('Tags', 'Tags of a repository.', tagEndpoints),
  resource('Releases', 'Tags with what was delivered: notes, links and evidence.', [
    ...releaseEndpoints,
    ...releaseLinkEndpoints,
    ...releaseAssetEndpoints,
  ]),
  resource('Protected tags', 'Who may create tags, by name or wildcard.', protectedTagEndpoints),
  resource('Push rules', 'What may be pushed to a project.', pushRuleEndpoints),
  resource('Commits', 'History of a repository, and commits of several changes at once.', commitEndpoints),
  resource('Commit comments', 'Comments on a commit and its lines, alone or in threads.', [
    ...commitCommentEndpoints,
    ...Object.values(commitDiscussions),
  ]),
  resource('Dependencies', 'Packages that the lockfiles of a project name.', dependencyEndpoints),
  resource('Languages', 'What a repository is written in.', languageEndpoints),
  resource('Uploads', 'Files that texts of a project refer to.', uploadEndpoints),
  resource('Packages', 'Files that a project publishes for other programs, by names and versions.', [
    ...packageEndpoints,
    ...genericPackageEndpoints,
  ]),
  resource('Avatars', 'Images of users, groups and projects.', [
    ...avatarEndpoints,
    ...projectAvatarEndpoints,
  ]),
  resource('Submodules', 'Other repositories at places in the files of this one.', submoduleEndpoints),
  resource('Error tracking', 'Errors of programs, which report them to their project.', [
    ...errorTrackingEndpoints,
    ...clientKeyEndpoints,
    ...collectorEndpoints,
    ...trackedErrorEndpoints,
  ]),
  resource('Integrations', 'Other programs that a project works with.', integrationEndpoints),
  resource('Notifications', 'What people are told of by mail.', [
    ...notificationSettingEndpoints,
    ...unsubscriptionEndpoints,
  ]),
  resource('Hooks', 'Addresses that are told of what happens.', webHookEndpoints),
  resource('Wikis', 'Pages that a project or a group writes about itself, and the files that they show.', [
    ...wikiEndpoints,
    ...wikiAttachmentEndpoints,
  ]),
  resource('Snippets', 'Files of people and of projects, to show around, and what is said of them.', [
    ...snippetEndpoints,
    ...storageMoveEndpoints,
    ...snippetDiscussionEndpoints,
  ]),
  resource('Epics', 'Aims of a group that are larger than an issue, and what is said of them.', [
    ...epicEndpoints,
    ...epicIssueEndpoints,
    ...epicChildEndpoints,
    ...epicDiscussionEndpoints,
  ]),
  resource('Iterations', 'Spans of days in which the people of a group do some of their issues (premium).', [
    ...iterationEndpoints,
    ...iterationCadenceEndpoints,
  ]),
  resource('Milestones', 'What projects and groups want to reach, and until when.', [
    ...milestoneEndpoints,
    ...milestoneContentEndpoints,
  ]),
  resource('Search', 'Finding things by their words: everywhere, in a group, in a project.', searchEndpoints),
  resource('Boards', 'Views of the issues of projects and groups, in lists by their labels.', boardEndpoints),
  resource('Issues', 'What is to be done in a project.', [...issueEndpoints, ...issueLinkEndpoints]),
  resource(
    'Resource events',
    'When states, labels, milestones and weights of issues and merge requests changed, and by whom.',
    [issueResourceEvents, mergeRequestResourceEvents].flatMap((kinds) =>
      Object.values(kinds).flatMap((endpoints) => Object.values(endpoints)),
    ),
  ),
  resource('Issue discussions', 'Comments on an issue, alone or in threads.', [
    ...Object.values(issueDiscussions),
    ...Object.values(issueNotes),
  ]),
  resource(
    'Labels',
    'What issues and merge requests of a project or a group are marked with.',
    labelEndpoints,
  ),
  resource('Markdown', 'Texts as HTML, with links to what they name.', markdownEndpoints),
  resource('Merge requests', 'Branches that are to be merged, and who approves of it.', [
    ...mergeRequestRecordEndpoints,
    ...mergeRequestListEndpoints,
    ...approvalEndpoints,
    ...mergeEndpoints,
    ...mergeRequestContentEndpoints,
    ...relatedIssueEndpoints,
    listMergeRequestsOfCommit,
  ]),
  resource('Approval rules', 'Who must approve merge requests before they are merged.', [
    ...projectApprovalEndpoints,
    ...approvalRuleEndpoints,
  ]),
  resource('Merge request discussions', 'Comments on a merge request, alone or in threads.', [
    ...Object.values(mergeRequestDiscussions),
    ...Object.values(mergeRequestNotes),
    ...suggestionEndpoints,
  ]),
  resource(
    'Award emoji',
    'Reactions to issues, merge requests and notes.',
    [issueAwards, mergeRequestAwards].flatMap(({ onTarget, onNotes }) => [
      ...Object.values(onTarget),
      ...Object.values(onNotes),
    ]),
  ),
  resource('Time tracking', 'Estimates of issues and merge requests, and the time spent on them.', [
    ...Object.values(issueTimeTracking),
    ...Object.values(mergeRequestTimeTracking),
  ]),
  resource('Subscriptions', 'Of which issues and merge requests the caller is told.', [
    ...Object.values(issueSubscriptions),
    ...Object.values(mergeRequestSubscriptions),
  ]),
  resource('To-do items', 'What waits for the caller.', [...todoEndpoints, ...userCountsEndpoints]),
  resource('Activity events', 'Who did what in projects.', activityEventEndpoints),
  resource('CI lint', 'Whether a configuration of pipelines is right.', lintEndpoints),
  resource('Environments', 'Where a project is deployed.', environmentEndpoints),
  resource('Deployments', 'Commits that were deployed to environments.', deploymentEndpoints),
  resource('Project feature flags', 'Parts of a program that its project switches.', [
    ...projectFeatureFlagEndpoints,
    ...featureFlagUserListEndpoints,
  ]),
  resource('Unleash', 'How programs ask for the feature flags of their project.', unleashEndpoints),
  resource('Freeze periods', 'When a project is not deployed.', freezePeriodEndpoints),
  resource(
    'CI variables',
    'What jobs get from their project, its groups and the instance.',
    ciVariableEndpoints,
  ),
  resource('Job logs', 'What jobs print while they run.', jobLogEndpoints),
  resource('Job artifacts', 'Files that jobs leave, for people and for other jobs.', [
    ...artifactEndpoints,
    ...runnerArtifactEndpoints,
  ]),
  resource('Test reports', 'Test cases that jobs report.', testReportEndpoints),
  resource('Badge images', 'Images that show how a branch or tag is doing.', badgeImageEndpoints),
  resource('Runners', 'Who executes jobs: for the instance, for groups and for projects.', runnerEndpoints),
  resource('Runner agents', 'What the program calls that executes jobs.', [
    ...runnerAgentEndpoints,
    ...jobRequestEndpoints,
  ]),
  resource('Pipeline triggers', 'Tokens that start pipelines.', pipelineTriggerEndpoints),
  resource('Pipeline schedules', 'Pipelines that run by the clock.', pipelineScheduleEndpoints),
  resource('Pipelines', 'Runs of the jobs that a commit configures.', [
    ...pipelineCreationEndpoints,
    ...mergeRequestPipelineEndpoints,
    ...pipelineEndpoints,
  ]),
  resource('Jobs', 'Parts of pipelines: what one runner executes.', jobEndpoints),
  resource('Commit statuses', 'What jobs and other systems say about a commit.', commitStatusEndpoints),
  resource('Groups', 'Groups of projects and of other groups.', groupEndpoints),
  resource('Group members', 'Who has which role in a group.', groupMemberEndpoints),
  resource(
    'Access requests',
    'Users who ask to become members of a project or group.',
    accessRequestEndpoints,
  ),
  resource('Billable members', 'Who takes a seat in a top-level group.', billableMemberEndpoints),
  resource('Users', 'Accounts, and the caller.', [
    ...userEndpoints,
    ...userMembershipEndpoints,
    ...userActivityEndpoints,
    ...userStatusEndpoints,
    ...followEndpoints,
  ]),
  resource('Personal access tokens', 'What programs sign in with.', [
    ...accessTokenEndpoints,
    ...impersonationTokenEndpoints,
  ]),
  resource(
    'Project and group access tokens',
    'Tokens of bots that are members of one project or group.',
    resourceAccessTokenEndpoints,
  ),
  resource(
    'Deploy tokens',
    'Tokens by which machines get what one project or group has, and nothing else.',
    deployTokenEndpoints,
  ),
  resource(
    'Applications',
    'Programs that people let act for them by OAuth 2, whose own addresses are outside this API.',
    oauthApplicationEndpoints,
  ),
  resource(
    'Deploy keys',
    'Public keys of machines, in the projects that have them enabled.',
    deployKeyEndpoints,
  ),
  resource(
    'Keys of users',
    'Public keys of OpenSSH and OpenPGP, by which signatures are known.',
    userKeyEndpoints,
  ),
  resource(
    'Addresses of users',
    'E-mail addresses beside that of the account, which are one user’s each.',
    userEmailEndpoints,
  ),
  resource('Audit events', 'Who changed what, for those who answer for it.', auditEventEndpoints),
  resource(
    'Event stream',
    'Everything that happens, in order, for programs that follow.',
    eventStreamEndpoints,
  ),
  resource('Statistics of projects', 'How often git fetched them.', fetchStatisticsEndpoints),
  resource('Access log', 'Who signed in, and who was refused.', accessLogEndpoints),
  resource('Instance', 'The server itself: its version and its documents.', instanceEndpoints),
  resource('Event schemas', 'The form of the events, for programs that read them.', eventContractEndpoints),
];

export const endpoints: readonly AnyEndpoint[] = resources.flatMap((each) => each.endpoints);

function resource(name: string, description: string, own: readonly AnyEndpoint[]): Resource {
  return { name, description, endpoints: own };
}
