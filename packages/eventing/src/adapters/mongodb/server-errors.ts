import { MongoAPIError, MongoBulkWriteError, MongoError, MongoServerError } from 'mongodb';
import { withDeadline } from '../../deadline.ts';
import { ReadStoreUnavailableError } from '../../read-store.ts';

/** Errors the driver classifies as usage errors but which mean that no server is reachable. */
const NO_SERVER = new Set([
  'MongoNotConnectedError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
]);

/** Codes of a server that failed internally, is stopping, is not the primary, or has no majority. */
const PASSES = new Set([
  1, 6, 7, 8, 50, 64, 89, 91, 100, 112, 133, 134, 189, 202, 262, 9001, 10107, 11600, 11602, 13388, 13435,
  13436,
]);

function passes(error: unknown): error is Error {
  // The driver passes on the error of a socket that breaks while it is written to.
  if (error instanceof Error && 'syscall' in error) return true;
  if (!(error instanceof MongoError)) return false;
  if (error.hasErrorLabel('RetryableWriteError') || NO_SERVER.has(error.name)) return true;
  if (error instanceof MongoBulkWriteError) {
    const failed = [error.writeErrors].flat();
    if (failed.length > 0) return failed.every(({ code }) => PASSES.has(code));
    // After a lost connection the error has a message but no code.
    return error.code === undefined || PASSES.has(Number(error.code));
  }
  if (error instanceof MongoServerError) return PASSES.has(Number(error.code));
  // Network, pool, time-out and protocol errors are transient; only wrong use of the client is not.
  return !(error instanceof MongoAPIError);
}

/** @throws ReadStoreUnavailableError if no server is reachable; other errors pass through */
export async function reaching<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (!passes(error)) throw error;
    throw unavailable(error.message, error);
  }
}

export const reachingWithin = <T>(ms: number, operation: () => Promise<T>): Promise<T> =>
  withDeadline(reaching(operation), ms, () => unavailable(`no answer within ${ms} ms`));

const unavailable = (reason: string, cause?: unknown): ReadStoreUnavailableError =>
  new ReadStoreUnavailableError(`MongoDB cannot be used now: ${reason}`, { cause });
