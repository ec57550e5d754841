import type { ObjectStore } from './object-store.ts';

/** Deletes all objects whose key begins so. @throws the signal's reason */
export async function deleteBelow(
  objects: Pick<ObjectStore, 'list' | 'delete'>,
  prefix: string,
  signal: AbortSignal,
): Promise<void> {
  for await (const { key } of objects.list(prefix)) {
    signal.throwIfAborted();
    await objects.delete(key);
  }
}
