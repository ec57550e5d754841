import { Rejection } from '@forgelog/contracts/errors.ts';
import { StorageMovesRequested } from '@forgelog/contracts/repo/storage-moves/storage-move.events.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import type { RepoPorts } from '../ports.ts';
import { projectGroups, projects } from '../projects/project.collection.ts';
import { snippets } from '../snippets/snippets.projection.ts';
import { scheduleMove } from './storage-move.commands.ts';
import { type Moved, projectMoved } from './storage-move.decider.ts';

const PAGE = 500;

/** Schedules a move of each that is on a storage which is to be emptied. What is moving already goes on. */
export function requestedMoves(ports: RepoPorts): Policy {
  const { readStore, storages } = ports;

  async function* found(kind: Moved['kind']): AsyncGenerator<Moved> {
    const none = { projectId: null, snippetId: null, authorId: null, groupId: null };
    switch (kind) {
      case 'project': {
        const where = and(eq('gone', false), eq('repositoryStorage', storages.own));
        for await (const page of inBatches(readStore, projects, { where, select: ['id'], size: PAGE }))
          for (const { id } of page) yield projectMoved(id);
        return;
      }
      case 'snippet':
        for await (const page of inBatches(readStore, snippets, { where: and(), size: PAGE }))
          for (const { id: snippetId, projectId, authorId } of page)
            yield { ...none, kind, projectId, snippetId, authorId };
        return;
      case 'group':
        for await (const page of inBatches(readStore, projectGroups, { where: and(), size: PAGE }))
          for (const { id: groupId } of page) yield { ...none, kind, groupId };
        return;
      default:
        kind satisfies never;
    }
  }

  return definePolicy({
    name: 'requested-storage-moves',
    handles: [StorageMovesRequested],
    actsAs: 'actor',
    async react({ data: { kind, source, destination } }, { metadata, signal }) {
      if (source !== storages.own) return;
      const wanted = { source, destination: destination ?? undefined };
      for await (const moved of found(kind)) {
        signal.throwIfAborted();
        try {
          await scheduleMove(ports, moved, wanted, metadata);
        } catch (error) {
          if (!(error instanceof Rejection && error.code === 'validation_failed')) throw error;
        }
      }
    },
  });
}
