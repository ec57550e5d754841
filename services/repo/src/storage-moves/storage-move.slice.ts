import { defineSlice } from '@forgelog/service-kit/slice.ts';
import type { RepoPorts } from '../ports.ts';
import { incomingMoves } from './incoming-move.policy.ts';
import { outgoingMoves } from './outgoing-move.policy.ts';
import { repositoryCopyOperations } from './repository-copy.operations.ts';
import { requestedMoves } from './requested-moves.policy.ts';
import { storageMoveRoutes } from './storage-move.routes.ts';
import { storageMovesProjection } from './storage-moves.projection.ts';

export const storageMoveSlice = defineSlice<RepoPorts>({
  routes: [storageMoveRoutes],
  projections: [storageMovesProjection],
  policies: [(ports) => [requestedMoves(ports), incomingMoves(ports), outgoingMoves(ports)]],
  operations: [repositoryCopyOperations],
});
