import { and, asc, type Condition, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { projectAttributes } from './project-attributes.projection.ts';

const MOST_PROJECTS = 100_000;
const MOST_OF_ONE = 1000;

/** The condition on ids of projects with all these attributes; each narrows what the ones before have left. */
export async function havingAttributes(
  wanted: Readonly<Record<string, string>>,
  readStore: ReadStore,
): Promise<Condition> {
  let ids: number[] | undefined;
  for (const [key, value] of Object.entries(wanted)) {
    const left = ids === undefined ? [] : [oneOf('projectId', ids)];
    const where = and(eq('key', key), eq('value', value), ...left);
    const found = await readStore.find(projectAttributes, {
      ...{ where, limit: MOST_PROJECTS, select: ['projectId'] as const },
    });
    ids = found.map(({ projectId }) => projectId);
  }
  return ids === undefined ? and() : oneOf('id', ids);
}

/** Attributes of a project, by name. */
export const attributesOf = (
  projectId: number,
  readStore: ReadStore,
): Promise<{ key: string; value: string }[]> =>
  readStore.find(projectAttributes, {
    where: eq('projectId', projectId),
    sort: [asc('key')],
    limit: MOST_OF_ONE,
    select: ['key', 'value'],
  });
