import { TrackerRecordsEnded } from '@forgelog/contracts/shared/records-ended.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { tellingEndedRecords } from '@forgelog/service-kit/ended-records.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import { composeService } from '@forgelog/service-kit/slice.ts';
import { activityEventSlice } from './activity-events/activity-event.slice.ts';
import { approvalRuleSlice } from './approval-rules/approval-rule.slice.ts';
import { awardSlice } from './award-emoji/award.slice.ts';
import { boardSlice } from './boards/board.slice.ts';
import { commitCommentSlice } from './commit-comments/commit-comment.slice.ts';
import { discussionSlice } from './discussions/discussion.slice.ts';
import { epicSlice } from './epics/epic.slice.ts';
import { errorTrackingSlice } from './error-tracking/error-tracking.slice.ts';
import { integrationSlice } from './integrations/integration.slice.ts';
import { issueLinkSlice } from './issue-links/issue-link.slice.ts';
import { issueSlice } from './issues/issue.slice.ts';
import { issueTarget } from './issues/issue.target.ts';
import { iterationSlice } from './iterations/iteration.slice.ts';
import { labelSlice } from './labels/label.slice.ts';
import { markdownSlice } from './markdown/markdown.slice.ts';
import { mergeRequestSlice } from './merge-requests/merge-request.slice.ts';
import { mergeRequestTarget } from './merge-requests/merge-request.target.ts';
import { milestoneSlice } from './milestones/milestone.slice.ts';
import { notificationSlice } from './notifications/notification.slice.ts';
import { resourceEventSlice } from './resource-events/resource-event.slice.ts';
import { searchSlice } from './search/search.slice.ts';
import { snippetDiscussionSlice } from './snippets/snippet-discussion.slice.ts';
import { statisticsSlice } from './statistics/statistics.slice.ts';
import { subscriptionSlice } from './subscriptions/subscription.slice.ts';
import { suggestionSlice } from './suggestions/suggestion.slice.ts';
import type { TargetKind } from './targets/target.ts';
import { timeTrackingSlice } from './time-tracking/time-tracking.slice.ts';
import { todoSlice } from './todos/todo.slice.ts';
import { userCountsSlice } from './user-counts/user-counts.slice.ts';
import { webHookSlice } from './web-hooks/web-hook.slice.ts';

/** What can be talked about: a line a kind. */
const targets: readonly TargetKind[] = [issueTarget, mergeRequestTarget];

const slices = [
  issueSlice,
  mergeRequestSlice,
  labelSlice,
  markdownSlice,
  approvalRuleSlice,
  timeTrackingSlice(targets),
  todoSlice(targets),
  userCountsSlice(targets),
  subscriptionSlice(targets),
  discussionSlice(targets),
  suggestionSlice,
  commitCommentSlice,
  awardSlice(targets),
  activityEventSlice(targets),
  resourceEventSlice(targets),
  epicSlice,
  snippetDiscussionSlice,
  iterationSlice,
  milestoneSlice,
  statisticsSlice,
  searchSlice(targets),
  errorTrackingSlice,
  integrationSlice,
  issueLinkSlice,
  boardSlice,
  webHookSlice,
  notificationSlice,
];

export const createTracker = (ports: ServicePorts): Service => ({
  ...tellingEndedRecords(composeService('tracker', ports, slices), TrackerRecordsEnded, ports),
  answersFromReadModels: true,
});
