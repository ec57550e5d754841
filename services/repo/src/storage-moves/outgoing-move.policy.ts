import { setTimeout as sleep } from 'node:timers/promises';
import {
  StorageMoveAdvanced,
  type StorageMoveState,
} from '@forgelog/contracts/repo/storage-moves/storage-move.events.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { RepoPorts } from '../ports.ts';
import { deleteObjects } from './moved-objects.ts';
import { projectMoved, storageMoveDecider, storageMoveStream } from './storage-move.decider.ts';

/** A clone that began before the move may read on for so long. */
const READERS_MS = 1_800_000;
/** Requests of the API that began before it have this much. */
const REQUESTS_MS = 1_000;

/** Removes what moved to another storage, once its last reader has ended. Safe to repeat. */
export function outgoingMoves(ports: RepoPorts): Policy {
  const { commands, repositories, storages, log } = ports;
  return definePolicy({
    name: 'storage-moves-away',
    handles: [StorageMoveAdvanced],
    actsAs: 'system',
    laneOf: ({ data: { projectId } }) => String(projectId),
    async react({ data }, { metadata, signal }) {
      const { kind, projectId, moveId, changes } = data;
      if (kind !== 'project' || projectId === null || changes.state !== 'replicated') return;
      const stream = storageMoveStream(projectMoved(projectId));
      const { open } = (await commands.load(storageMoveDecider, stream)).state;
      if (open?.moveId !== moveId || open.source !== storages.own) return;
      await repositories.idle(projectId);
      await sleep(REQUESTS_MS, undefined, { signal });
      await Promise.race([
        repositories.unread(projectId),
        sleep(READERS_MS, undefined, { signal, ref: false }),
      ]);
      if (!(await repositories.isElsewhere(projectId))) return;
      const advance = (to: StorageMoveState, errorMessage: string | null) =>
        commands.handle(
          storageMoveDecider,
          stream,
          { ...projectMoved(projectId), ...{ type: 'AdvanceMove' as const, moveId, to, errorMessage } },
          metadata,
        );
      try {
        await repositories.remove(projectId);
        await deleteObjects(ports, projectId, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        log.error({ err: error, projectId, moveId }, 'a repository that moved could not be removed');
        await advance(
          'cleanup_failed',
          'The repository could not be removed from its source; the log has why',
        );
        return;
      }
      await advance('finished', null);
    },
  });
}
