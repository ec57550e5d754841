import { KeyedQueue } from '@forgelog/eventing/keyed-queue.ts';

const queue = new KeyedQueue();

/**
 * Serializes moves of one ref through the API. Concurrent writers see each other's result and cost one git process at a
 * time. A push may still come in between.
 */
export function serializedPerRef<T>(projectId: number, ref: string, task: () => Promise<T>): Promise<T> {
  return queue.run(`${projectId} ${ref}`, task);
}
