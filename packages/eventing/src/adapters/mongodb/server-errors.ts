import { MongoBulkWriteError, MongoError, MongoServerError } from 'mongodb';
import { ReadStoreUnavailableError } from '../../read-store.ts';

/** Errors of the client that say that no server answered, by name: they have no common class of their own. */
const NO_ANSWER = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoStalePrimaryError',
  'MongoOperationTimeoutError',
  'MongoUnexpectedServerResponseError',
]);

/** Codes of a server that is stopping, is not the primary, or has no majority. */
const PASSES = new Set([
  6, 7, 50, 64, 89, 91, 100, 112, 133, 134, 189, 202, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436,
]);

function passes(error: unknown): error is Error {
  if (!(error instanceof MongoError)) return false;
  if (NO_ANSWER.has(error.name) || error.hasErrorLabel('RetryableWriteError')) return true;
  if (error instanceof MongoBulkWriteError) {
    const failed = [error.writeErrors].flat();
    return failed.length > 0 ? failed.every(({ code }) => PASSES.has(code)) : PASSES.has(Number(error.code));
  }
  return error instanceof MongoServerError && PASSES.has(Number(error.code));
}

/** Does it. @throws ReadStoreUnavailableError where no server answers or takes it now; anything else as it is */
export async function reaching<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (!passes(error)) throw error;
    throw unavailable(error.message, error);
  }
}

/** The same, for what somebody waits for: @throws ReadStoreUnavailableError too where it takes longer than this. */
export async function reachingWithin<T>(ms: number, operation: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([reaching(operation), late]);
  } finally {
    clearTimeout(timer);
  }
}

const unavailable = (reason: string, cause?: unknown): ReadStoreUnavailableError =>
  new ReadStoreUnavailableError(`MongoDB cannot be used now: ${reason}`, { cause });
