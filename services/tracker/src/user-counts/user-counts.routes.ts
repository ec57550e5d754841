import { getUserCounts } from '@forgelog/contracts/tracker/user-counts/user-counts.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq, has } from '@forgelog/eventing/query.ts';
import type { AnyCollection } from '@forgelog/eventing/read-store.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { issuesAcross } from '../issues/issue.access.ts';
import { issues } from '../issues/issues.collection.ts';
import { mergeRequestsAcross } from '../merge-requests/merge-request.access.ts';
import { mergeRequests } from '../merge-requests/merge-requests.collection.ts';
import type { TargetKind } from '../targets/target.ts';
import { readableTodos } from '../todos/access-todos.query.ts';
import { todos } from '../todos/todos.collection.ts';

/** Beyond what anybody has to do. */
const MOST = 1_000_000;
const ANYWHERE = { archived: false, within: null };

export function userCountsRoutes(ports: ServicePorts, kinds: readonly TargetKind[]): Implementation[] {
  const { directory, readStore } = ports;
  const count = (collection: AnyCollection, ...conditions: Condition[]) =>
    readStore.count(collection, { where: and(...conditions), atMost: MOST });

  return [
    implement(getUserCounts, async ({ caller }) => {
      const [readableIssues, readableMergeRequests, targets] = await Promise.all([
        issuesAcross(ports, caller, ANYWHERE),
        mergeRequestsAcross(ports, caller, ANYWHERE),
        readableTodos(directory, caller, kinds),
      ]);
      const open = eq('state', 'opened');
      const [assignedIssues, assigned, toReview, pending] = await Promise.all([
        count(issues, readableIssues.counted, open, has('assigneeIds', caller.userId)),
        count(mergeRequests, readableMergeRequests.counted, open, has('assigneeIds', caller.userId)),
        count(mergeRequests, readableMergeRequests.counted, open, has('reviewerIds', caller.userId)),
        count(todos, eq('userId', caller.userId), eq('state', 'pending'), targets),
      ]);
      return value({
        merge_requests: assigned,
        assigned_issues: assignedIssues,
        assigned_merge_requests: assigned,
        review_requested_merge_requests: toReview,
        todos: pending,
      });
    }),
  ];
}
