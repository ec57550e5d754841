import { and, eq, not } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { projects } from './project.collection.ts';

/**
 * Whether another project of the namespace has this name. Names are claimed (ADR 5), but projects older than claims are
 * only in the read model.
 */
export async function isProjectNameTaken(
  readStore: ReadStore,
  namespaceId: number,
  { id, name }: { id?: number; name: string },
): Promise<boolean> {
  const same = and(eq('namespaceId', namespaceId), eq('nameLower', name.toLowerCase()), eq('name', name));
  const where = id === undefined ? same : and(same, not(eq('id', id)));
  return (await readStore.count(projects, { where, atMost: 1 })) > 0;
}
