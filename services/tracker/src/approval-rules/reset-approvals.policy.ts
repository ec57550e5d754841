import { Rejection } from '@forgelog/contracts/errors.ts';
import { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, eq, isEmpty, not } from '@forgelog/eventing/query.ts';
import { branchKey } from '../merge-requests/branch-tips.collection.ts';
import { mergeRequestDecider, mergeRequestStream } from '../merge-requests/merge-request.decider.ts';
import { isThere, mergeRequests } from '../merge-requests/merge-requests.collection.ts';
import { mergeSettingsOf } from '../merge-requests/merge-settings.projection.ts';

const BRANCHES = 'refs/heads/';
const NONE = /^0+$/;
const BATCH = 100;

/** Approvals of what a push has changed do not count from that moment on; this ends them in the log, too. */
export function resetApprovals({ commands, configuration, log, readStore }: ServicePorts): Policy[] {
  if (configuration.EDITION === 'free') return [];
  return [
    definePolicy({
      name: 'reset-approvals',
      handles: [RefUpdated],
      actsAs: 'system',
      async react({ data: { projectId, ref, newOid } }, { metadata }) {
        if (!ref.startsWith(BRANCHES) || NONE.test(newOid)) return;
        const source = branchKey(projectId, ref.slice(BRANCHES.length));
        const where = and(eq('source', source), eq('state', 'opened'), not(isEmpty('approvedByIds')));
        for await (const batch of inBatches(readStore, mergeRequests, { where, size: BATCH }))
          for (const row of batch) {
            if (!isThere(row) || !(await mergeSettingsOf(readStore, row.projectId)).resetsApprovals) continue;
            const { projectId, iid, sha } = row;
            await commands
              .handle(
                mergeRequestDecider,
                mergeRequestStream(projectId, iid),
                { type: 'ResetApprovals', projectId, iid, sha },
                metadata,
              )
              .catch((error: unknown) => {
                if (!(error instanceof Rejection) || error.status >= 500) throw error;
                log.debug({ projectId, iid, reason: error.body }, 'approvals stay');
              });
          }
      },
    }),
  ];
}
