import {
  COPY_BOUNDS,
  HOLD_MS,
  listCopiedFiles,
  readCopiedFiles,
} from '@forgelog/contracts/repo/storage-moves/repository-copy.operations.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { RepoPorts } from '../ports.ts';
import { objectsOfProject, piecesOf } from './moved-objects.ts';
import { projectMoved, storageMoveDecider, storageMoveStream } from './storage-move.decider.ts';

/**
 * What the source of a move answers to its destination. That an administrator had it moved, and that it has not moved yet,
 * says the log: nobody else gets a byte.
 */
export function repositoryCopyOperations(ports: RepoPorts): OperationImplementation[] {
  const { commands, repositories, storages } = ports;

  async function isLeaving({ projectId, moveId }: { projectId: number; moveId: number }): Promise<boolean> {
    const { state } = await commands.load(storageMoveDecider, storageMoveStream(projectMoved(projectId)));
    const isOpen = state.open?.moveId === moveId && state.open.state === 'started';
    return isOpen && state.open?.source === storages.own && !(await repositories.isElsewhere(projectId));
  }

  return [
    implementOperation(listCopiedFiles, async ({ request }) => {
      const { projectId, holds } = request;
      if (!(await isLeaving(request))) return { refused: 'no move' as const };
      if (!holds) repositories.letWrite(projectId);
      else if (!(await repositories.holdWrites(projectId, HOLD_MS))) return { refused: 'busy' as const };
      const files = await repositories.of(projectId).copiedFiles(COPY_BOUNDS.files);
      const objects = await objectsOfProject(ports, projectId);
      if (files === 'large' || files.length + objects.length > COPY_BOUNDS.files)
        return { refused: 'large' as const };
      const ofRepository = files.map((file) => ({ from: 'repository' as const, ...file }));
      return { files: [...ofRepository, ...objects] };
    }),

    implementOperation(readCopiedFiles, async ({ request }) => {
      if (!(await isLeaving(request))) return { refused: 'no move' as const };
      const read = await piecesOf(ports, request.projectId, request.pieces);
      return { pieces: read.map((bytes) => bytes?.toString('base64') ?? null) };
    }),
  ];
}
