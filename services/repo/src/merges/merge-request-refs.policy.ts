import { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import {
  MergeRequestCreated,
  MergeRequestDeleted,
  MergeRequestReopened,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { RepoPorts } from '../ports.ts';

/** Sets the refs of merge requests, so that each of their commits stays: git reads set only the newest. */
export const mergeRequestRefsPolicy = ({
  mergeRequestRefs,
  repositories,
}: Pick<RepoPorts, 'mergeRequestRefs' | 'repositories'>): Policy =>
  definePolicy({
    name: 'refs-of-merge-requests',
    handles: [MergeRequestCreated, MergeRequestReopened, MergeRequestDeleted, RefUpdated],
    actsAs: 'system',
    async react(event) {
      const { projectId } = event.data;
      await repositories.idle(projectId);
      switch (event.type) {
        case 'MergeRequestDeleted':
          return mergeRequestRefs.remove(projectId, event.data.iid);
        case 'RefUpdated':
          return mergeRequestRefs.follow(projectId, event.data.ref);
        default:
          return mergeRequestRefs.open(projectId, event.data.iid);
      }
    },
  });
