import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { milestonesFor } from './milestone.query.ts';
import { milestones } from './milestones.projection.ts';

/**
 * The milestone that a parameter names: null for none, undefined to leave it as it is. @throws 400 for one that neither
 * the project nor a group above has
 */
export async function givenMilestone(
  { readStore, directory }: Pick<ServicePorts, 'readStore' | 'directory'>,
  projectId: number,
  given: number | null | undefined,
): Promise<number | null | undefined> {
  if (given === undefined) return undefined;
  if (given === null || given === 0) return null;
  const where = and(await milestonesFor(directory, { projectId, groupId: null }), eq('id', given));
  if ((await readStore.count(milestones, { where, atMost: 1 })) === 0)
    throw new Rejection('validation_failed', { fields: { milestone_id: ['is invalid'] } });
  return given;
}
