import {
  MergeRequestCreated,
  MergeRequestReopened,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { findMergeRequest } from '@forgelog/contracts/tracker/merge-requests/merge-request.operations.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { hasOwnPipelines } from './merge-request-pipeline.ts';
import { type AttemptPorts, pipelineAttempts } from './pipeline-attempts.ts';

/** An older one makes no pipeline: a policy that starts for the first time reads the whole log. */
const MOST_AGE_MS = 24 * 60 * 60_000;

/** Creates the pipeline of a merge request that was opened; pushes to its branch are told by another event. */
export function openedMergeRequests(ports: AttemptPorts & Pick<ServicePorts, 'operations'>): Policy[] {
  const { clock, directory, operations } = ports;
  const attempt = pipelineAttempts(ports);
  return [
    definePolicy({
      name: 'opened-merge-requests',
      handles: [MergeRequestCreated, MergeRequestReopened],
      actsAs: 'system',
      async react({ id, time, data: { projectId, iid, sourceSha: sha }, metadata }, reaction) {
        if (metadata.actorId === null || clock().getTime() - Date.parse(time) > MOST_AGE_MS) return;
        const { actorId, credential, onBehalfBy } = metadata;
        const user = await actingUser(directory, actorId, { ...(credential && { credential }), onBehalfBy });
        if (!user) return;
        const found = await operations.call(findMergeRequest, { projectId, iid }, { principal: user });
        if ('refused' in found || !found.isOpen || !hasOwnPipelines(found.mergeRequest)) return;
        const mergeRequest = { ...found.mergeRequest, sha };
        const ref = `refs/heads/${mergeRequest.sourceBranch}`;
        await attempt(reaction, { projectId, ref }, async () => ({
          ...{ projectId, ref, sha, user, source: 'merge_request_event', invalid: 'recorded', causeId: id },
          ...{ mergeRequest, heedsMessage: true, metadata: reaction.metadata },
        }));
      },
    }),
  ];
}
