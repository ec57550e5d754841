import { UserDeleted } from '../../admin/users/user.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { IssueDeleted } from '../issues/issue.events.ts';
import { MergeRequestDeleted } from '../merge-requests/merge-request.events.ts';
import { SubscriptionChanged, SubscriptionChosen } from './subscription.events.ts';

/** A user who ends a subscription has chosen, too: the record stays. */
export const subscriptionLifetime = defineLifetime({
  kind: 'Subscription',
  id: ['userId', 'targetType', 'targetId'],
  begins: [begins(SubscriptionChosen)],
  changes: changedBy(SubscriptionChanged),
  ends: [
    endsWith(IssueDeleted, { targetId: 'issueId' }, { ofRecord: { targetType: 'Issue' } }),
    endsWith(
      MergeRequestDeleted,
      { targetId: 'mergeRequestId' },
      { ofRecord: { targetType: 'MergeRequest' } },
    ),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(UserDeleted, ['userId']),
  ],
});
