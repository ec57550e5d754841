import { Rejection } from '@forgelog/contracts/errors.ts';
import { CorruptLogError, EventStoreUnavailableError } from '@forgelog/eventing/event-store.ts';
import { ProjectionLagError, UnseenAppendError } from '@forgelog/eventing/position-waiters.ts';
import { ReadStoreUnavailableError } from '@forgelog/eventing/read-store.ts';
import { ObjectStoreUnavailableError } from '@forgelog/object-store/object-store.ts';
import { SealedTextError } from './sealed.ts';

/** Disk errors of the operating system, in words for the caller. */
const DISK: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EFBIG: 'the disk is full',
  EROFS: 'the disk cannot be written now',
  EIO: 'the disk cannot be used now',
};

/** Nothing was appended, because the disk of the log is full. */
export class DiskFullError extends EventStoreUnavailableError {
  constructor(options?: ErrorOptions) {
    super('the disk is full', options);
  }
}

const RETRY_S = 5;

/**
 * 503. `retryAfter` is in seconds, null where a retry could repeat the effect.
 * @param cause what the log tells beside the reason
 */
export function unavailable(reason: string, retryAfter: number | null, cause?: unknown): Rejection {
  const headers: Record<string, string> = retryAfter === null ? {} : { 'Retry-After': String(retryAfter) };
  return Object.assign(new Rejection('unavailable', { reason }, headers) as Rejection, { cause });
}

/**
 * The refusal for a temporary failure that is neither the caller's fault nor a defect; undefined for any other error.
 * @param begun whether a write had begun: its outcome is unknown, so the caller is not told to retry
 */
export function unavailability(error: unknown, { begun = false } = {}): Rejection | undefined {
  if (error instanceof UnseenAppendError)
    return unavailable('the change was made, but cannot be shown yet', null);
  if (error instanceof SealedTextError)
    return unavailable(`${error.place} cannot be read: the administrator must check the instance key`, null);
  const reason = reasonOf(error);
  if (reason === undefined) return undefined;
  return begun
    ? unavailable(`${reason}; whether the change was made is not known`, null)
    : unavailable(reason, RETRY_S);
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof DiskFullError) return DISK.ENOSPC;
  if (error instanceof EventStoreUnavailableError) return 'the event log cannot be written now';
  if (error instanceof CorruptLogError) return 'the event log is damaged';
  if (error instanceof ProjectionLagError) return 'the read models are behind the event log';
  if (error instanceof ReadStoreUnavailableError) return 'the read models cannot be used now';
  if (error instanceof ObjectStoreUnavailableError) return 'the object store cannot be used now';
  return diskReason(error);
}

/** SQLite's primary result codes, as those of the operating system. */
const OF_SQLITE: Readonly<Record<number, string>> = { 8: 'EROFS', 10: 'EIO', 13: 'ENOSPC' };

/** What is wrong with the disk, in words; undefined for an error of another kind. */
export function diskReason(error: unknown): string | undefined {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (code === 'ERR_SQLITE_ERROR') return DISK[OF_SQLITE[Number(errcode) % 256] ?? ''];
  return typeof code === 'string' ? DISK[code] : undefined;
}
