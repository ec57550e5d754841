import { Rejection } from '@forgelog/contracts/errors.ts';
import { containedHeads, deleteMergedBranch } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import {
  MergeRequestMerged,
  MergeRequestMergeStarted,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import { initiatorOf } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { issueDecider, issueStream } from '../issues/issue.decider.ts';
import { NO_WISHES } from '../labels/given-labels.rules.ts';
import { branchKey } from './branch-tips.collection.ts';
import { closedIssues } from './closed-issues.ts';
import { mergeCommandsFor } from './merge.commands.ts';
import { mergeRequestDecider, mergeRequestStream } from './merge-request.decider.ts';
import { isThere, mergeRequests } from './merge-requests.collection.ts';
import { mergeSettingsOf } from './merge-settings.projection.ts';

const BRANCHES = 'refs/heads/';
const NONE = /^0+$/;
/** As many heads as one question takes. */
const BATCH = 100;

/** What follows from merges, and carries them on where their process was killed. */
export function mergePolicies(ports: ServicePorts): Policy[] {
  const { commands, directory, operations, readStore, log } = ports;
  const { carryOn } = mergeCommandsFor(ports);
  const closedBy = closedIssues(ports);

  const carriedOn = definePolicy({
    name: 'begun-merges',
    handles: [MergeRequestMergeStarted],
    actsAs: 'actor',
    // A storage that is away holds up its own projects alone.
    laneOf: ({ data }) => `${data.projectId}`,
    async react({ data: { projectId, iid, mergeId, userId } }, { metadata }) {
      await carryOn({ projectId, iid, mergeId }, await actingUser(directory, userId), metadata);
    },
  });

  const sourceBranches = definePolicy({
    name: 'merged-source-branches',
    handles: [MergeRequestMerged],
    actsAs: 'actor',
    laneOf: ({ data }) => `${data.projectId}`,
    async react({ id: operationId, data }, { metadata }) {
      const { projectId: targetId, iid, mergeId, mergedById, sha } = data;
      if (mergeId === null || mergedById === null) return;
      const { state } = await commands.load(mergeRequestDecider, mergeRequestStream(targetId, iid));
      if (state.status !== 'merged' || !state.merge?.removeSourceBranch) return;
      const principal = await actingUser(directory, mergedById);
      if (!principal) return;
      const { sourceProjectId: projectId, sourceBranch: branch } = state;
      const answer = await operations.call(
        deleteMergedBranch,
        { projectId, branch, sha },
        { principal, operationId, metadata },
      );
      if ('refused' in answer) log.debug({ projectId, iid, reason: answer.refused }, 'a source branch stays');
    },
  });

  /** A merge into the default branch closes the issues that it names, by whoever merged it. */
  const closing = definePolicy({
    name: 'closing-merges',
    handles: [MergeRequestMerged],
    actsAs: 'actor',
    async react({ data: { projectId: targetId, iid, mergedById } }, { metadata }) {
      const row = await readStore.get(mergeRequests, placeOf(targetId, iid)!);
      const project = await directory.project(targetId);
      if (!isThere(row) || row.targetBranch !== project?.defaultBranch) return;
      if (!(await mergeSettingsOf(readStore, targetId)).closesIssues) return;
      const principal = mergedById === null ? undefined : await actingUser(directory, mergedById);
      if (!principal) return;
      for (const { issue, grant } of await closedBy(row, principal)) {
        if (grant.project.readOnly !== null) continue;
        const actor = { userId: principal.userId, level: grant.level };
        const { projectId, iid } = issue;
        const none = { changes: {}, labels: NO_WISHES, updatedAt: null };
        await commands
          .handle(
            issueDecider,
            issueStream(projectId, iid),
            { type: 'UpdateIssue', projectId, iid, actor, ...none, stateEvent: 'close' },
            metadata,
          )
          .catch((error: unknown) => {
            if (!(error instanceof Rejection) || error.status >= 500) throw error;
            log.debug({ projectId, iid, reason: error.body }, 'an issue stays open');
          });
      }
    },
  });

  /** A push of its commits into the target merges a request. */
  const pushedMerges = definePolicy({
    name: 'pushed-merges',
    handles: [RefUpdated],
    actsAs: 'system',
    laneOf: ({ data }) => `${data.projectId}`,
    async react(event, { metadata }) {
      const { projectId, ref, oldOid, newOid, merge } = event.data;
      if (!ref.startsWith(BRANCHES) || NONE.test(oldOid) || NONE.test(newOid)) return;
      const where = and(
        eq('target', branchKey(projectId, ref.slice(BRANCHES.length))),
        eq('state', 'opened'),
      );
      for await (const batch of inBatches(readStore, mergeRequests, { where, size: BATCH })) {
        const heads = [...new Set(batch.map(({ sha }) => sha!))];
        const among = async (tip: string, asked: string[]) =>
          asked.length === 0
            ? []
            : (await operations.call(containedHeads, { projectId, tip, heads: asked }, { principal: null }))
                .contained;
        // What was in the target before brings nothing into it. Asked in this order, repo remembers the one for the other.
        const before = new Set(await among(oldOid, heads));
        const merged = await among(
          newOid,
          heads.filter((sha) => !before.has(sha)),
        );
        for (const { iid, sha, createdAt } of batch) {
          // A merge ends its own request, with the commits that it made.
          const isOwn = iid === null || iid === merge?.iid;
          if (isOwn || !merged.includes(sha!) || createdAt! > event.time) continue;
          const { actorId: mergedById } = initiatorOf(event.metadata);
          const commits = { sha: sha!, mergeCommitSha: null, squashCommitSha: null };
          await commands
            .handle(
              mergeRequestDecider,
              mergeRequestStream(projectId, iid),
              { type: 'FinishMerge', projectId, iid, mergeId: null, mergedById, ...commits },
              metadata,
            )
            .catch((error: unknown) => {
              if (!(error instanceof Rejection) || error.status >= 500) throw error;
              log.debug({ projectId, iid, reason: error.body }, 'a pushed merge request is no longer open');
            });
        }
      }
    },
  });

  return [carriedOn, sourceBranches, closing, pushedMerges];
}
