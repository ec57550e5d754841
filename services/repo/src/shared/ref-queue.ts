import { KeyedQueue } from '@forgelog/eventing/keyed-queue.ts';

const queue = new KeyedQueue();

/**
 * Runs what moves a ref through the API, one after the other for each ref: each sees what the one before has
 * done, and a crowd of writers to one ref costs one git process at a time. A push in between is still possible.
 */
export function serializedPerRef<T>(projectId: number, ref: string, task: () => Promise<T>): Promise<T> {
  return queue.run(`${projectId} ${ref}`, task);
}
