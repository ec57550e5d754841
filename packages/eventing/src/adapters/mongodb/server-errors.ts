import { MongoAPIError, MongoBulkWriteError, MongoError, MongoServerError } from 'mongodb';
import { withDeadline } from '../../deadline.ts';
import { ReadStoreUnavailableError } from '../../read-store.ts';

/** Of the errors that the client calls its caller's, those that say that no server is there, by name. */
const NO_SERVER = new Set([
  'MongoNotConnectedError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
]);

/** Codes of a server that failed within, is stopping, is not the primary, or has no majority. */
const PASSES = new Set([
  1, 6, 7, 8, 50, 64, 89, 91, 100, 112, 133, 134, 189, 202, 262, 9001, 10107, 11600, 11602, 13388, 13435,
  13436,
]);

function passes(error: unknown): error is Error {
  if (!(error instanceof MongoError)) return false;
  if (error.hasErrorLabel('RetryableWriteError') || NO_SERVER.has(error.name)) return true;
  if (error instanceof MongoBulkWriteError) {
    const failed = [error.writeErrors].flat();
    if (failed.length > 0) return failed.every(({ code }) => PASSES.has(code));
    // Of a lost connection it keeps the words alone.
    return error.code === undefined || PASSES.has(Number(error.code));
  }
  if (error instanceof MongoServerError) return PASSES.has(Number(error.code));
  // Networks, pools, timeouts, answers that make no sense: whatever is not the use of the client itself.
  return !(error instanceof MongoAPIError);
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
export const reachingWithin = <T>(ms: number, operation: () => Promise<T>): Promise<T> =>
  withDeadline(reaching(operation), ms, () => unavailable(`no answer within ${ms} ms`));

const unavailable = (reason: string, cause?: unknown): ReadStoreUnavailableError =>
  new ReadStoreUnavailableError(`MongoDB cannot be used now: ${reason}`, { cause });
