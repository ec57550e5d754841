import type { Directory } from '@forgelog/directory/directory.ts';
import { asc, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { MOST_ITERATIONS } from './iteration.decider.ts';
import type { ShownIteration } from './iteration.view.ts';
import { type IterationRow, iterations } from './iterations.projection.ts';

type Ports = { readStore: Pick<ReadStore, 'find'>; directory: Pick<Directory, 'namespace'> };

/** Rows with where their pages are, and with their numbers within their cadences. */
export async function shownIterations(
  { readStore, directory }: Ports,
  rows: readonly IterationRow[],
): Promise<ShownIteration[]> {
  if (rows.length === 0) return [];
  const cadenceIds = [...new Set(rows.map(({ cadenceId }) => cadenceId))];
  const siblings = await readStore.find(iterations, {
    where: oneOf('cadenceId', cadenceIds),
    sort: [asc('startDate')],
    limit: cadenceIds.length * MOST_ITERATIONS,
    select: ['id', 'cadenceId'],
  });
  const sequences = new Map<number, number>();
  for (const ofOne of Map.groupBy(siblings, ({ cadenceId }) => cadenceId).values())
    for (const [at, { id }] of ofOne.entries()) sequences.set(id, at + 1);
  return Promise.all(
    rows.map(async (row) => {
      const path = (await directory.namespace(row.groupId))?.fullPath ?? '';
      return { ...row, page: `groups/${path}/-/iterations/${row.id}`, sequence: sequences.get(row.id) ?? 1 };
    }),
  );
}
