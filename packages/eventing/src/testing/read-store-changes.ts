import { normalise } from '../document.ts';
import type { AnyCollection, Change, ReadStore } from '../read-store.ts';

export const put = (
  collection: AnyCollection,
  document: Record<string, unknown>,
  position = '1',
): Change => ({
  kind: 'put',
  collection,
  key: document[collection.key] as string | number,
  document: normalise(collection, document),
  position,
});
export const remove = (collection: AnyCollection, key: string | number, position: string): Change => ({
  kind: 'delete',
  collection,
  key,
  position,
});
export const writeAll = (store: ReadStore, changes: Change[]) =>
  store.write({ changes, checkpoints: new Map() });
