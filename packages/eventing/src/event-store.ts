import type { NewEvent, Position, RecordedEvent } from './event.ts';

/**
 * Port: the event log. Every signature is asynchronous and every position opaque, so that a network store can
 * stand behind it. Adapters: `adapters/memory`, `adapters/sqlite`, `adapters/eventstoredb`. Their common contract is
 * `testing/event-store.contract.ts`. A store that cannot be reached, or does not answer in time, shows in every call
 * as EventStoreUnavailableError.
 */
export interface EventStore {
  /**
   * Appends `events` to `stream` as one unit and resolves when they are on disk.
   * @throws WrongExpectedRevisionError when the stream is not where the caller thinks it is; nothing is stored.
   * Appending events whose ids the stream already holds, in the same order and at the same place, answers what
   * the first append answered (a retry after an unknown outcome).
   * Ids are unique because their makers see to it: a store refuses the same id twice in one append, and one that the
   * log holds elsewhere only where it can tell. @throws DuplicateEventIdError, AppendTooLargeError
   */
  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>;

  /** The events of one stream in order, from `fromRevision` (default 0) on; [] for a stream that never was. */
  readStream(stream: string, options?: { fromRevision?: number; limit?: number }): Promise<RecordedEvent[]>;

  /** At most `limit` events of the whole log after `after`, in log order. */
  readAll(options: { after: Position; limit: number }): Promise<RecordedEvent[]>;

  /**
   * The whole log in batches, in order, without gap or repeat: first what is there, then what comes, until
   * `signal` aborts (the iteration then simply ends). A batch is never empty; the events of one append may come in
   * several. Where it throws, a new subscription after the last batch goes on.
   */
  subscribe(options: {
    after: Position;
    maxBatch?: number;
    signal: AbortSignal;
  }): AsyncIterable<RecordedEvent[]>;

  /**
   * The position of the last event that readers will see, BEGINNING for an empty log; never older than the call. At
   * once where this process is the only one that appends.
   */
  head(): Position | Promise<Position>;

  /** Ends appends in flight, then releases files and threads. Idempotent. */
  close(): Promise<void>;
}

/** A revision (the stream's last event must have it) or 'no-stream'. There is no 'any': it cannot be retried safely. */
export type ExpectedRevision = number | 'no-stream';

export interface AppendResult {
  /** Revision of the last appended event. */
  revision: number;
  /** Position of the last appended event. Those of the others are known to who reads them. */
  position: Position;
}

export class WrongExpectedRevisionError extends Error {
  override readonly name = 'WrongExpectedRevisionError';
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** Where the stream really is, null when it does not exist. */
  readonly actual: number | null;

  constructor(stream: string, expected: ExpectedRevision, actual: number | null) {
    super(`stream ${stream} is at ${actual ?? 'no-stream'}, not at ${expected}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** An event id that the log already holds elsewhere: ids are never reused, so this is a defect of the caller. */
export class DuplicateEventIdError extends Error {
  override readonly name = 'DuplicateEventIdError';
}

/** More in one append than the store takes. Nothing is stored, and repeating it is of no use. */
export class AppendTooLargeError extends Error {
  override readonly name = 'AppendTooLargeError';
}

/** The log on disk is damaged. It is never repaired silently: the operator restores it. */
export class CorruptLogError extends Error {
  override readonly name = 'CorruptLogError';
}

/**
 * The store cannot answer now (disk full, failed sync, closing, no connection, no leader, access denied). Nothing of
 * an append is acknowledged; repeating it with the same event ids is safe, and stores it once.
 */
export class EventStoreUnavailableError extends Error {
  override readonly name = 'EventStoreUnavailableError';
}
