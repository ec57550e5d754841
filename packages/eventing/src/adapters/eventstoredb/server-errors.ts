import { ErrorType } from '@eventstore/db-client';
import {
  AppendTooLargeError,
  CorruptLogError,
  DuplicateEventIdError,
  EventStoreUnavailableError,
  WrongExpectedRevisionError,
} from '../../event-store.ts';

/** Classifies a failed call: did it take effect, and may a retry succeed? */
export type Failure =
  | { kind: 'wrong-revision'; actual: number | null }
  /** Nothing was stored; a retry may succeed. */
  | { kind: 'not-done'; reason: string }
  /** The call may or may not have taken effect. */
  | { kind: 'unknown-outcome'; reason: string }
  /** Nothing was stored; a retry fails in the same way. */
  | { kind: 'final'; error: Error };

const OURS = [
  AppendTooLargeError,
  CorruptLogError,
  DuplicateEventIdError,
  EventStoreUnavailableError,
  RangeError,
  TypeError,
  WrongExpectedRevisionError,
];

const GRPC = { INVALID_ARGUMENT: 3, PERMISSION_DENIED: 7, UNIMPLEMENTED: 12, UNAUTHENTICATED: 16 };

interface Raw {
  type?: string;
  code?: number;
  message: string;
  details?: string;
  _raw?: { details?: string };
  actualVersion?: bigint | string;
  maxAppendSize?: number;
  streamName?: string;
}

export function failureOf(thrown: unknown): Failure {
  if (OURS.some((type) => thrown instanceof type)) return { kind: 'final', error: thrown as Error };
  const error = thrown as Raw;
  const said = error._raw?.details || error.details || error.message || String(thrown);
  switch (error.type) {
    case ErrorType.WRONG_EXPECTED_VERSION: {
      const { actualVersion } = error;
      return {
        kind: 'wrong-revision',
        actual: typeof actualVersion === 'bigint' ? Number(actualVersion) : null,
      };
    }
    case ErrorType.NOT_LEADER:
      return { kind: 'not-done', reason: 'the node is not the leader of its cluster' };
    case ErrorType.ACCESS_DENIED:
      return denied();
    case ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED: {
      const text = `the event store takes at most ${error.maxAppendSize} bytes in one append`;
      return { kind: 'final', error: new AppendTooLargeError(text) };
    }
    case ErrorType.STREAM_DELETED: {
      const text = `stream ${error.streamName} was deleted, which this system never does`;
      return { kind: 'final', error: new CorruptLogError(text) };
    }
    case ErrorType.DEADLINE_EXCEEDED:
    case ErrorType.TIMEOUT:
      return { kind: 'unknown-outcome', reason: 'no answer in time' };
    case ErrorType.INVALID_TRANSACTION:
      return { kind: 'unknown-outcome', reason: said };
    default:
  }
  if (error.code === GRPC.UNAUTHENTICATED || error.code === GRPC.PERMISSION_DENIED) return denied();
  if (error.code === GRPC.INVALID_ARGUMENT || error.code === GRPC.UNIMPLEMENTED)
    return { kind: 'final', error: new Error(`EventStoreDB refused a call: ${said}`, { cause: thrown }) };
  return { kind: 'unknown-outcome', reason: said };
}

function denied(): Failure {
  const text =
    'EventStoreDB denied access: check the credentials in EVENTSTORE_URL and the rights of their user';
  return { kind: 'final', error: new EventStoreUnavailableError(text) };
}

export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly type = ErrorType.DEADLINE_EXCEEDED;
}
