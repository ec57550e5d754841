import { and, asc, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { type JobRow, jobs } from './jobs.collection.ts';

/** Statuses of jobs that hold their resource group. */
const HOLDS = ['pending', 'preparing', 'running'];

/** The job that holds a resource group: of several, the one to which the log gave it first. */
export async function resourceHolder(
  readStore: ReadStore,
  projectId: number,
  group: string,
): Promise<JobRow | undefined> {
  const where = and(eq('projectId', projectId), eq('resourceGroup', group), oneOf('status', HOLDS));
  const [first] = await readStore.find(jobs, { where, sort: [asc('grantedAt'), asc('id')], limit: 1 });
  return first;
}

/**
 * Whether a pending job may start. A replica that was paused while it granted a group may have granted it once more. The
 * read models have all of the log up to the grant, so that any earlier one is found.
 */
export async function holdsItsResource(
  readStore: ReadStore,
  { id, projectId, resourceGroup }: Pick<JobRow, 'id' | 'projectId' | 'resourceGroup'>,
): Promise<boolean> {
  if (resourceGroup === null) return true;
  const holder = await resourceHolder(readStore, projectId, resourceGroup);
  return holder === undefined || holder.id === id;
}
