import { asc, type Condition, type Scalar } from './query.ts';
import type { AnyCollection, DocumentOf, ReadStore } from './read-store.ts';

/** All documents that match, in the order of their keys, `size` at a time. They may change between two batches. */
export async function* inBatches<
  C extends AnyCollection,
  F extends keyof C['fields'] & string = keyof C['fields'] & string,
>(
  readStore: Pick<ReadStore, 'find'>,
  collection: C,
  { size, ...query }: { size: number; where: Condition; select?: readonly F[] },
): AsyncGenerator<Pick<DocumentOf<C>, F>[]> {
  const { key } = collection;
  for (let after: Scalar[] | undefined; ; ) {
    const batch = await readStore.find<C, F>(collection, { ...query, sort: [asc(key)], limit: size, after });
    if (batch.length > 0) yield batch;
    if (batch.length < size) return;
    after = [(batch.at(-1) as Record<string, Scalar>)[key]!];
  }
}
