import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { RefConflictError, RefMovedError } from '@forgelog/git/errors.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { RepoPorts } from '../ports.ts';

/**
 * Moves one ref, or several of one kind atomically.
 * @param refusals the texts for a lost race, and for a name that conflicts with another ref
 * @throws 400
 */
export async function moveRef(
  { repositories }: Pick<RepoPorts, 'repositories'>,
  projectId: number,
  updates: RefUpdate | readonly RefUpdate[],
  metadata: EventMetadata,
  refusals: { moved: string; inTheWay: string },
): Promise<void> {
  try {
    await repositories.moveRefs(projectId, [updates].flat(), metadata, 'api');
  } catch (error) {
    if (error instanceof RefMovedError) throw new Rejection('refused', { message: refusals.moved });
    if (error instanceof RefConflictError) throw new Rejection('refused', { message: refusals.inTheWay });
    throw error;
  }
}

/** A rule of the project refused a move: `Repositories.onMoving`. */
export const isAgainstRules = (error: unknown): error is Rejection & { body: { message: string } } =>
  error instanceof Rejection && error.code === 'refused';
