import type { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { writing } from '../discussions/note.params.ts';
import { singleIssueView } from '../issues/issue.api.ts';
import { issueTarget } from '../issues/issue.target.ts';
import { mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import { singleMergeRequestView } from '../merge-requests/merge-request.views.ts';
import type { TargetContract } from '../targets/target.ts';

/** @param spec where the endpoints are specified @param response the target by itself, which says `subscribed` */
function subscriptionEndpoints(target: TargetContract, spec: string, response: z.ZodType) {
  const { id, name, path, params } = target;
  const shared = { ...writing(target), method: 'POST', spec, params, status: 201, response } as const;
  return {
    subscribe: defineEndpoint({
      ...shared,
      id: `${id}-subscribe`,
      path: `${path}/subscribe`,
      summary: `Be told of what happens to ${name}; 304 where the caller is already`,
      otherStatuses: [304],
    }),
    unsubscribe: defineEndpoint({
      ...shared,
      id: `${id}-unsubscribe`,
      path: `${path}/unsubscribe`,
      summary: `Be told no more of what happens to ${name}; 304 where the caller is not`,
      otherStatuses: [304],
    }),
  };
}

export type SubscriptionEndpoints = ReturnType<typeof subscriptionEndpoints>;
export const issueSubscriptions = subscriptionEndpoints(issueTarget, 'companions 2.7', singleIssueView);
export const mergeRequestSubscriptions = subscriptionEndpoints(
  mergeRequestTarget,
  'companions 2.8',
  singleMergeRequestView,
);
