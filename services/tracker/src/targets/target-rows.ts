import { oneOf } from '@forgelog/eventing/query.ts';
import type { AnyCollection, ReadStore } from '@forgelog/eventing/read-store.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { type TargetRef, targetKey } from './target-ref.ts';

/** The keys of the rows of these targets, each once. */
export const rowKeys = (refs: readonly TargetRef[]): number[] => [
  ...new Set(refs.map(({ projectId, iid }) => placeOf(projectId, iid)!)),
];

/** Titles by key, from rows by place that have `id` and `title`. A deletion leaves a row without both. */
export async function titlesIn(
  targets: AnyCollection,
  type: TargetRef['type'],
  { readStore, refs }: { readStore: Pick<ReadStore, 'find'>; refs: readonly TargetRef[] },
): Promise<ReadonlyMap<string, string>> {
  const places = rowKeys(refs);
  const rows = (await readStore.find(targets, {
    where: oneOf('place', places),
    limit: Math.max(1, places.length),
    select: ['id', 'title'],
  })) as { id: number | null; title: string }[];
  return new Map(rows.flatMap(({ id, title }) => (id === null ? [] : [[targetKey({ type, id }), title]])));
}
