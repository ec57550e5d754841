import type { NewEvent, Position, RecordedEvent } from './event.ts';

/**
 * Port: the event log. Calls are asynchronous and positions opaque, so that a network store fits. The contract that all
 * adapters share is `testing/event-store.contract.ts`. Any call may throw EventStoreUnavailableError.
 */
export interface EventStore {
  /**
   * Appends `events` to `stream` atomically and resolves once they are on disk. Idempotent: appending the same ids at
   * the same place again returns the first result, for retries after an unknown outcome. Callers make ids unique. A
   * store always rejects a repeated id within an append, and elsewhere in the log only if it can tell.
   * @throws WrongExpectedRevisionError, DuplicateEventIdError, AppendTooLargeError
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>;

  /** In order, from `fromRevision` (default 0); [] for a stream that does not exist. */
  readStream(stream: string, options?: { fromRevision?: number; limit?: number }): Promise<RecordedEvent[]>;

  readAll(options: { after: Position; limit: number }): Promise<RecordedEvent[]>;

  /** Events up to `upTo` whose data names the project in `projectId`. Left out by stores without an index of them. */
  readProject?(options: {
    projectId: number;
    after: Position;
    upTo: Position;
    limit: number;
  }): Promise<RecordedEvent[]>;

  /**
   * Yields the log in order, without gap or repeat: existing events, then new ones, until `signal` aborts. Batches are
   * never empty, and may split an append. After an error, a new subscription after the last batch continues.
   */
  subscribe(options: {
    after: Position;
    maxBatch?: number;
    signal: AbortSignal;
  }): AsyncIterable<RecordedEvent[]>;

  /** The last visible position, at least as new as the call. Synchronous if only this process appends. */
  head(): Position | Promise<Position>;

  /** Whether a text has the form of this store's positions; an event need not be there. False for BEGINNING. */
  isPosition(text: string): boolean;

  /** Waits for appends in flight, then releases files and threads. Idempotent. */
  close(): Promise<void>;
}

/** The revision of the stream's last event, or 'no-stream'. There is no 'any': it cannot be retried safely. */
export type ExpectedRevision = number | 'no-stream';

export interface AppendResult {
  revision: number;
  position: Position;
  /** The store knows that this call appended them. Left out where an earlier call may have. */
  isNew?: true;
}

export class WrongExpectedRevisionError extends Error {
  override readonly name = 'WrongExpectedRevisionError';
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly actual: number | null;

  constructor(stream: string, expected: ExpectedRevision, actual: number | null) {
    super(`stream ${stream} is at ${actual ?? 'no-stream'}, not at ${expected}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The log holds this event id elsewhere. Ids are never reused, so this is a bug of the caller. */
export class DuplicateEventIdError extends Error {
  override readonly name = 'DuplicateEventIdError';
}

/** Nothing is stored, and a retry fails too. */
export class AppendTooLargeError extends Error {
  override readonly name = 'AppendTooLargeError';
}

/** The log on disk is damaged. It is never repaired silently: the operator restores it. */
export class CorruptLogError extends Error {
  override readonly name = 'CorruptLogError';
}

/** The store cannot answer now. Nothing is acknowledged; a retry with the same event ids is safe. */
export class EventStoreUnavailableError extends Error {
  override readonly name = 'EventStoreUnavailableError';
}
