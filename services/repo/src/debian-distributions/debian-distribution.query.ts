import { Rejection } from '@forgelog/contracts/errors.ts';
import { and, type Condition, eq, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { DistributionPlace } from './debian-distribution.decider.ts';
import { type DebianDistributionRow, debianDistributions } from './debian-distributions.projection.ts';

export const inPlace = ({ projectId, groupId }: DistributionPlace): Condition =>
  projectId === null ? eq('groupId', groupId) : eq('projectId', projectId);

/** The one with this codename or suite, which no two of a place share. */
export async function findDistribution(
  readStore: Pick<ReadStore, 'find'>,
  place: DistributionPlace,
  name: string,
): Promise<DebianDistributionRow | undefined> {
  const where = and(inPlace(place), or(eq('codename', name), eq('suite', name)));
  return (await readStore.find(debianDistributions, { where, limit: 1 }))[0];
}

/** @throws 404 */
export async function requireDistribution(
  ...[readStore, place, name]: Parameters<typeof findDistribution>
): Promise<DebianDistributionRow> {
  const row = await findDistribution(readStore, place, name);
  if (!row) throw new Rejection('not_found', { what: 'Debian Distribution' });
  return row;
}
