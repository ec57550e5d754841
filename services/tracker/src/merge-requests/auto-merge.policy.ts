import { PipelineStatusChanged } from '@forgelog/contracts/ci/pipelines/pipeline.events.ts';
import { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import {
  DiscussionResolved,
  NoteDeleted,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import {
  MergeRequestApproved,
  MergeRequestAutoMergeSet,
  MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { definePolicy, type Reaction } from '@forgelog/eventing/define-policy.ts';
import { causedBy } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, type Condition, eq, isEmpty, not } from '@forgelog/eventing/query.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { noteableOf } from '../targets/target-ref.ts';
import type { AutoMerge, CancelReason } from './auto-merge.rules.ts';
import { branchKey } from './branch-tips.collection.ts';
import { mergeMessagesOf } from './merge-messages.ts';
import {
  type MergeRequestCommand,
  mergeRequestDecider,
  mergeRequestStream,
} from './merge-request.decider.ts';
import { isThere, type MergeRequest, mergeRequests } from './merge-requests.collection.ts';
import { mergeSettingsOf } from './merge-settings.projection.ts';
import { mergeabilityFor } from './mergeability.ts';
import { isPassed, shownMergeRequests } from './shown-merge-requests.ts';

const BRANCHES = 'refs/heads/';

/** What cannot be merged without another push or decision ends the waiting; the rest is waited for. */
const ENDS: Readonly<Record<string, CancelReason>> = {
  conflict: 'conflict',
  need_rebase: 'rebase needed',
  broken_status: 'branch gone',
};

/** Begins the merge of a request that waits for its pipeline, or ends the waiting. The merge itself is carried on as any. */
export function autoMergePolicies(ports: ServicePorts): Policy[] {
  const { commands, directory, readStore } = ports;
  const shown = shownMergeRequests(ports, mergeabilityFor(ports));

  const handle = ({ projectId, iid }: MergeRequest, command: MergeRequestCommand, by: Reaction['metadata']) =>
    commands.handle(mergeRequestDecider, mergeRequestStream(projectId, iid), command, by);

  /** Null where it goes on waiting. */
  async function verdictOn(row: MergeRequest, auto: AutoMerge): Promise<CancelReason | 'merge' | null> {
    if (row.sha !== auto.sha) return 'source moved';
    const principal = await actingUser(directory, auto.userId);
    if (!principal) return 'forbidden';
    const [found] = await shown.shown([row], principal);
    const { detailedStatus } = found!;
    if (detailedStatus in ENDS) return ENDS[detailedStatus]!;
    if (!(await shown.detailOf(row, principal)).mayMerge) return 'forbidden';
    if (detailedStatus !== 'mergeable') return null;
    const pipeline = await shown.headPipelineOf(row, principal);
    return pipeline && isPassed(pipeline, await mergeSettingsOf(readStore, row.projectId)) ? 'merge' : null;
  }

  async function settle(row: MergeRequest, { metadata }: Reaction): Promise<void> {
    const { projectId, iid } = row;
    const stream = mergeRequestStream(projectId, iid);
    const { state } = await commands.load(mergeRequestDecider, stream);
    const auto = state.status === 'opened' ? state.autoMerge : null;
    const verdict = auto && (await verdictOn(row, auto));
    if (!auto || verdict === null) return;
    const { mergeId } = auto;
    if (verdict !== 'merge') {
      await handle(row, { type: 'CancelAutoMerge', projectId, iid, mergeId, reason: verdict }, metadata);
      return;
    }
    // Who set it is the one who merges it, and not the runner that ended the pipeline.
    const events = await commands.eventsOf(mergeRequestDecider, stream, mergeId);
    const cause = events?.find(({ type }) => type === MergeRequestAutoMergeSet.type);
    const merger = (await actingUser(directory, auto.userId))!;
    const messages = await mergeMessagesOf(ports, row, merger, auto);
    const command = { type: 'StartAutoMerge', projectId, iid, mergeId, ...messages } as const;
    await handle(row, command, cause ? causedBy(cause) : metadata);
  }

  async function settleAll(where: Condition, reaction: Reaction): Promise<void> {
    const waiting = and(where, not(isEmpty('autoMergeProjectId')));
    for await (const batch of inBatches(readStore, mergeRequests, { where: waiting, size: 100 }))
      for (const row of batch) {
        if (reaction.signal.aborted) return;
        if (isThere(row)) await settle(row, reaction);
      }
  }

  const one = (projectId: number, iid: number) => eq('place', placeOf(projectId, iid)!);

  return [
    definePolicy({
      name: 'auto-merges',
      handles: [PipelineStatusChanged, MergeRequestAutoMergeSet, RefUpdated],
      actsAs: 'actor',
      laneOf: ({ data }) => `${data.projectId}`,
      async react({ type, data }, reaction) {
        switch (type) {
          case 'PipelineStatusChanged':
            if (data.changes.status !== 'success' && data.changes.status !== 'skipped') return;
            return settleAll(eq('autoMergeProjectId', data.projectId), reaction);
          case 'RefUpdated': {
            const { projectId, ref } = data;
            if (!ref.startsWith(BRANCHES)) return;
            const branch = branchKey(projectId, ref.slice(BRANCHES.length));
            for (const side of ['source', 'target'] as const)
              await settleAll(and(eq(side, branch), eq('state', 'opened')), reaction);
            return;
          }
          default:
            return settleAll(one(data.projectId, data.iid), reaction);
        }
      },
    }),
    definePolicy({
      name: 'unblocked-auto-merges',
      handles: [MergeRequestApproved, MergeRequestUpdated, DiscussionResolved, NoteDeleted],
      actsAs: 'actor',
      laneOf: ({ data }) => `${data.projectId}`,
      async react({ data }, reaction) {
        if (!('noteableIid' in data)) return settleAll(one(data.projectId, data.iid), reaction);
        const on = noteableOf(data);
        if (on.type === 'MergeRequest') await settleAll(one(on.projectId, on.iid), reaction);
      },
    }),
  ];
}
