import { randomUUID } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { AnswerOf } from '@forgelog/contracts/operation.ts';
import { mergeIntoBranch } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { unavailability, unavailable } from '@forgelog/service-kit/unavailable.ts';
import type { AutoMerge } from './auto-merge.rules.ts';
import {
  isMerging,
  type MergedCommits,
  type MergeRequestCommand,
  type MergeStart,
  mergeRequestDecider,
  mergeRequestStream,
} from './merge-request.decider.ts';
import { mergeRequests } from './merge-requests.collection.ts';

type Refused = Extract<AnswerOf<typeof mergeIntoBranch>, { refused: string }>['refused'];

/** How a merge ended. */
export type Outcome = { merged: true } | { merged: false; reason: Refused };

interface Merging {
  projectId: number;
  iid: number;
  mergeId: string;
}

const MESSAGES: Readonly<Record<Exclude<Refused, 'rule'>, string>> = {
  'no project': 'The caller may not read the repository of the target project',
  conflict: 'The source branch conflicts with the target branch',
  'no source': 'The source branch does not exist',
  'no target': 'The target branch does not exist',
  'other storage': 'The two projects are on different storages',
  forbidden: 'The caller may not merge into the target branch',
  'source moved': 'The source branch has changed',
  'already merged': 'The target branch contains the source branch',
  'rebase needed': 'The source branch must be rebased onto the target branch',
};

/**
 * A merge has three appends, each of which happens once however often it is tried: its start locks the request, the move
 * of the target branch is the merge, its end unlocks the request. Whoever starts it carries it on, and so does the policy
 * where that process is killed: both with the same ids.
 */
function mergeCommands(ports: Pick<ServicePorts, 'commands' | 'operations' | 'readStore'>) {
  const { commands, operations, readStore } = ports;
  const underWay = new Map<string, Promise<Outcome | undefined>>();

  const handle = ({ projectId, iid }: Merging, command: MergeRequestCommand, metadata: EventMetadata) =>
    commands.handle(mergeRequestDecider, mergeRequestStream(projectId, iid), command, metadata);

  /** What git has of this merge already. */
  async function mergedBefore({ projectId, iid }: Merging, sha: string): Promise<MergedCommits | undefined> {
    const row = await readStore.get(mergeRequests, placeOf(projectId, iid)!);
    if (row?.mergedSha !== sha) return undefined;
    return { sha, mergeCommitSha: row.mergeCommitSha, squashCommitSha: row.squashCommitSha };
  }

  async function carryOnOnce(
    merging: Merging,
    principal: Principal | undefined,
    metadata: EventMetadata,
  ): Promise<Outcome | undefined> {
    const { projectId, iid, mergeId } = merging;
    const { state } = await commands.load(mergeRequestDecider, mergeRequestStream(projectId, iid));
    if (state.status === 'absent' || state.status === 'deleted' || !isMerging(state, mergeId))
      return undefined;
    const { userId, sha, squash, mergeMessage, squashMessage } = state.merge!;
    const { sourceProjectId, sourceBranch, targetBranch, authorId: squashAuthorId } = state;
    const finish = async (commits: MergedCommits): Promise<Outcome> => {
      const end = { type: 'FinishMerge', projectId, iid, mergeId, mergedById: userId, ...commits } as const;
      await handle(merging, end, metadata);
      return { merged: true };
    };
    // Whoever began it may be gone meanwhile.
    const before = await mergedBefore(merging, sha);
    if (before) return finish(before);
    const answer: AnswerOf<typeof mergeIntoBranch> = principal
      ? await operations.call(
          mergeIntoBranch,
          {
            ...{ projectId, iid, sourceProjectId, sourceBranch, targetBranch, sha, squash },
            ...{ mergeMessage, squashMessage, squashAuthorId },
          },
          { principal, operationId: mergeId, metadata },
        )
      : { refused: 'forbidden' };
    if (!('refused' in answer)) {
      const { mergeCommitSha, squashCommitSha } = answer;
      return finish({ sha, mergeCommitSha, squashCommitSha });
    }
    const { refused: reason } = answer;
    // A push was faster.
    if (reason === 'already merged') return finish({ sha, mergeCommitSha: null, squashCommitSha: null });
    const message = answer.refused === 'rule' ? answer.message : MESSAGES[answer.refused];
    await handle(merging, { type: 'FailMerge', projectId, iid, mergeId, reason, message }, metadata);
    return { merged: false, reason };
  }

  /** @returns undefined where it has ended before. @throws unavailable, where it is carried on later */
  function carryOn(
    merging: Merging,
    principal: Principal | undefined,
    metadata: EventMetadata,
  ): Promise<Outcome | undefined> {
    const known = underWay.get(merging.mergeId);
    if (known) return known;
    const running = carryOnOnce(merging, principal, metadata).finally(() => underWay.delete(merging.mergeId));
    underWay.set(merging.mergeId, running);
    return running;
  }

  return {
    carryOn,

    /** @throws 405 where it cannot be set */
    async setAutoMerge(
      {
        projectId,
        iid,
        ...wanted
      }: Omit<AutoMerge, 'mergeId' | 'userId'> & Pick<Merging, 'projectId' | 'iid'>,
      { userId }: Principal,
      metadata: EventMetadata,
    ): Promise<void> {
      const mergeId = randomUUID();
      const command = { type: 'SetAutoMerge', projectId, iid, mergeId, userId, ...wanted } as const;
      const stream = mergeRequestStream(projectId, iid);
      // By this id the cause of the merge is found again.
      await commands.handle(mergeRequestDecider, stream, command, metadata, { operationId: mergeId });
    },

    /** @throws 405 where it is not open, 406 where nothing waits */
    async cancelAutoMerge(
      { projectId, iid }: Pick<Merging, 'projectId' | 'iid'>,
      metadata: EventMetadata,
    ): Promise<void> {
      const command = { type: 'CancelAutoMerge', projectId, iid, mergeId: null, reason: 'asked' } as const;
      await commands.handle(mergeRequestDecider, mergeRequestStream(projectId, iid), command, metadata);
    },

    /** @throws 405 where it cannot be begun; 503 without Retry-After where its end is not known yet */
    async merge(
      start: MergeStart,
      principal: Principal,
      metadata: EventMetadata,
    ): Promise<Outcome | undefined> {
      const merging = { projectId: start.projectId, iid: start.iid, mergeId: randomUUID() };
      const command = { ...start, ...merging, type: 'StartMerge', userId: principal.userId } as const;
      await handle(merging, command, metadata);
      try {
        return await carryOn(merging, principal, metadata);
      } catch (error) {
        if (error instanceof Rejection ? error.status !== 503 : !unavailability(error)) throw error;
        throw unavailable('the merge has begun, and goes on when all services can be reached', null);
      }
    },
  };
}

type MergeCommands = ReturnType<typeof mergeCommands>;

const byPorts = new WeakMap<object, MergeCommands>();

/** One for routes and policies, so that neither does what the other one is at. */
export function mergeCommandsFor(ports: ServicePorts): MergeCommands {
  const known = byPorts.get(ports) ?? mergeCommands(ports);
  byPorts.set(ports, known);
  return known;
}
