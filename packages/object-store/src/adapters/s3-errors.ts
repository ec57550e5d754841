import { ObjectGapError, ObjectStoreUnavailableError, ObjectTooLargeError } from '../object-store.ts';

interface Refusal {
  $metadata?: { httpStatusCode?: number };
  name?: string;
  code?: string;
}

const statusOf = (error: unknown) => (error as Refusal | undefined)?.$metadata?.httpStatusCode;

/** A missing bucket is no missing object. */
export const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 && (error as Refusal).name !== 'NoSuchBucket';

/** 412 where the object is there, 409 where another writer is at it. */
export const isConflict = (error: unknown): boolean => [409, 412].includes(statusOf(error) ?? 0);

export const isBeyondTheEnd = (error: unknown): boolean => statusOf(error) === 416;

const AWAY = /^(TimeoutError|NetworkingError|ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)$/;

/** Answers of the store, except those that say what the caller did, tell that it is away, full or set up wrongly. */
function toldBy(error: unknown): unknown {
  if (error instanceof ObjectGapError || error instanceof ObjectTooLargeError) return error;
  const { name = '', code = '' } = (error ?? {}) as Refusal;
  if (statusOf(error) === undefined && !AWAY.test(name) && !AWAY.test(code)) return error;
  return new ObjectStoreUnavailableError(`${name} ${(error as Error).message}`, { cause: error });
}

export async function reachable<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw toldBy(error);
  }
}

export async function* eachReachable<T>(items: AsyncIterable<T>): AsyncGenerator<T, void> {
  try {
    yield* items;
  } catch (error) {
    throw toldBy(error);
  }
}
