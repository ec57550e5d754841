import { setTimeout as sleep } from 'node:timers/promises';
import type { EventOf } from '@forgelog/contracts/event.ts';
import {
  listCopiedFiles,
  readCopiedFiles,
} from '@forgelog/contracts/repo/storage-moves/repository-copy.operations.ts';
import {
  StorageMoveScheduled,
  type StorageMoveState,
} from '@forgelog/contracts/repo/storage-moves/storage-move.events.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import { definePolicy, type Reaction } from '@forgelog/eventing/define-policy.ts';
import type { ExpectedRevision } from '@forgelog/eventing/event-store.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { GitError } from '@forgelog/git/errors.ts';
import type { CopySource } from '@forgelog/git/repository-copy.ts';
import { unavailability } from '@forgelog/service-kit/unavailable.ts';
import type { RepoPorts } from '../ports.ts';
import { projects } from '../projects/project.collection.ts';
import { projectDecider, projectStream } from '../projects/project.decider.ts';
import { FIRST_BRANCH } from '../projects/project-creation.commands.ts';
import { refLogDecider, refLogStream } from '../repository-storage/ref-log.decider.ts';
import { deleteObjects, followObjects, type Piece } from './moved-objects.ts';
import { projectMoved, storageMoveDecider, storageMoveStream } from './storage-move.decider.ts';

type Scheduled = EventOf<typeof StorageMoveScheduled>['data'];

/** Moves at the same time: each takes a core and the disk. */
const AT_ONCE = 2;
/** A source or log that is away longer than this fails the move. */
const PATIENCE_MS = 600_000;
/** How often writes are asked to let a move hold them, or to end a push that broke off, with this pause between. */
const ASKS = 30;
const PAUSE_MS = 500;
const MOST_CONFLICTS = 5;
const MOST_MESSAGE = 500;

/** Why a move cannot be: the words are for whoever reads its record. */
class MoveFailure extends Error {
  override readonly name = 'MoveFailure';
}

/**
 * Brings repositories to this storage: docs/adr/0090-repositories-move-by-one-event.md. After a kill it begins again,
 * unless the log has the move already.
 */
export function incomingMoves(ports: RepoPorts): Policy {
  const { commands, repositories, readStore, storages, operations, mergeRequestRefs, log } = ports;

  /** The refs of the log once all pushes have ended, and the revision at which they are. */
  async function settledRefs(projectId: number) {
    for (let asks = 1; ; asks++) {
      const [logged, project] = await Promise.all([
        commands.load(refLogDecider, refLogStream(projectId)),
        commands.load(projectDecider, projectStream(projectId)),
      ]);
      if (project.state.status !== 'present') throw new MoveFailure('The project was deleted');
      const { forkedFromProjectId: origin, forkedAtRevision, defaultBranch } = project.state;
      const refs = logged.state.refs.toMap();
      const isBegun = [...refs.keys()].some((ref) => ref.startsWith('refs/heads/'));
      const isFork = origin !== null && forkedAtRevision !== null;
      const isSettled =
        logged.state.open.size === 0 &&
        (defaultBranch !== null || !isBegun) &&
        (!isFork || logged.state.isForked);
      const at: ExpectedRevision = logged.revision ?? 'no-stream';
      if (isSettled) return { refs, at, branch: defaultBranch ?? FIRST_BRANCH };
      if (asks === ASKS) throw new MoveFailure('A push, or the fork that it began as, has not ended');
      await sleep(PAUSE_MS);
    }
  }

  /** Where the repository is, by the log alone: read models may be behind. */
  async function whereIs(projectId: number): Promise<string | undefined> {
    const [{ state: refs }, { state: project }] = await Promise.all([
      commands.load(refLogDecider, refLogStream(projectId)),
      commands.load(projectDecider, projectStream(projectId)),
    ]);
    return project.status === 'present' ? (refs.moved?.storage ?? project.storage) : undefined;
  }

  /** Removes what an attempt left here, unless the repository is here. */
  async function takeBack(projectId: number, signal: AbortSignal): Promise<void> {
    if ((await whereIs(projectId)) === storages.own) return;
    await repositories.remove(projectId);
    await deleteObjects(ports, projectId, signal);
  }

  /** Returns the revision of the refs that were copied. */
  async function copy({ projectId, moveId }: { projectId: number; moveId: number }, signal: AbortSignal) {
    let at: ExpectedRevision = 'no-stream';

    async function read(pieces: Piece[]): Promise<(Buffer | null)[]> {
      const answer = await operations.call(
        readCopiedFiles,
        { projectId, moveId, pieces },
        { principal: null },
      );
      if ('refused' in answer) throw new MoveFailure('The source does not know the move');
      return answer.pieces.map((piece) => (piece === null ? null : Buffer.from(piece, 'base64')));
    }

    async function listed(holds: boolean) {
      for (let asks = 1; ; asks++) {
        signal.throwIfAborted();
        const answer = await operations.call(
          listCopiedFiles,
          { projectId, moveId, holds },
          { principal: null },
        );
        if ('files' in answer) return answer.files;
        if (answer.refused === 'large') throw new MoveFailure('The repository has too many files');
        if (answer.refused === 'no move') throw new MoveFailure('The source does not know the move');
        if (asks === ASKS) throw new MoveFailure('Writes to the repository do not end');
        await sleep(PAUSE_MS);
      }
    }

    const source: CopySource = {
      async list(held) {
        const files = await listed(held);
        const objects = files.filter(({ from }) => from === 'objects');
        await followObjects(ports, projectId, objects, async (piece) => (await read([piece]))[0]!);
        return files.filter(({ from }) => from === 'repository');
      },
      read: (pieces) => read(pieces.map((piece) => ({ from: 'repository', ...piece }))),
      async refs() {
        const settled = await settledRefs(projectId);
        at = settled.at;
        return settled;
      },
    };
    await repositories.of(projectId).copyFrom(source, signal);
    return at;
  }

  async function bring(data: Scheduled & { projectId: number }, { metadata, signal }: Reaction) {
    const { projectId, moveId, source, destination } = data;
    const command = { type: 'MoveRepository' as const, projectId, moveId, source, destination };
    for (let conflicts = 0; ; conflicts++) {
      const { state } = await commands.load(refLogDecider, refLogStream(projectId));
      if (state.moved?.moveId === moveId) return;
      const place = await whereIs(projectId);
      if (place !== source) throw new MoveFailure(`The repository is not on ${source}`);
      // Of an attempt that was killed.
      await takeBack(projectId, signal);
      const at = await copy({ projectId, moveId }, signal);
      try {
        await commands.handle(refLogDecider, refLogStream(projectId), command, metadata, { at });
        return;
      } catch (error) {
        // A ref moved, since writes were not held any more.
        if (!(error instanceof ConflictError) || conflicts === MOST_CONFLICTS) throw error;
      }
    }
  }

  return definePolicy({
    name: 'storage-moves-here',
    handles: [StorageMoveScheduled],
    actsAs: 'system',
    laneOf: ({ data: { projectId } }) => String((projectId ?? 0) % AT_ONCE),
    async react(event, reaction) {
      const { data } = event;
      const { kind, projectId, moveId, destination } = data;
      if (kind !== 'project' || projectId === null || destination !== storages.own) return;
      await repositories.idle(projectId);
      const stream = storageMoveStream(projectMoved(projectId));
      const { open } = (await commands.load(storageMoveDecider, stream)).state;
      if (open?.moveId !== moveId || open.state === 'replicated') return;
      const advance = (to: StorageMoveState, errorMessage: string | null = null) => {
        const command = { type: 'AdvanceMove' as const, moveId, to, errorMessage };
        const { metadata } = reaction;
        return commands.handle(
          storageMoveDecider,
          stream,
          { ...projectMoved(projectId), ...command },
          metadata,
        );
      };
      try {
        await advance('started');
        await bring({ ...data, projectId }, reaction);
      } catch (error) {
        if (reaction.signal.aborted) throw error;
        // What the append did is known to the log alone: while it is away, nothing is undone.
        const { moved } = (await commands.load(refLogDecider, refLogStream(projectId))).state;
        if (moved?.moveId !== moveId) {
          const isPassing = unavailability(error) !== undefined || isUnavailable(error);
          if (isPassing && ports.clock().getTime() - Date.parse(event.time) < PATIENCE_MS) throw error;
          log.warn({ err: error, projectId, moveId }, 'a repository was not moved');
          await takeBack(projectId, reaction.signal);
          await advance('failed', wordsOf(error));
          return;
        }
      }
      if (await repositories.isDeleted(projectId)) return takeBack(projectId, reaction.signal);
      const project = await readStore.get(projects, projectId);
      // The policy that deletes what was in a deleted group may have looked before it came here.
      if (project?.gone) {
        const command = { type: 'DeleteProject' as const, projectId };
        await commands.handle(projectDecider, projectStream(projectId), command, reaction.metadata);
        return;
      }
      mergeRequestRefs.forget(projectId);
      await advance('replicated');
    },
  });
}

const isUnavailable = (error: unknown) => (error as { code?: unknown }).code === 'unavailable';

/** No paths of this machine: errors of git have none, and others say nothing. */
function wordsOf(error: unknown): string {
  if (!(error instanceof MoveFailure) && !(error instanceof GitError))
    return 'The copy broke off; the log has why';
  return error.message.slice(0, MOST_MESSAGE);
}
