import type { NewEvent } from '../../event.ts';
import {
  type AppendResult,
  CorruptLogError,
  DuplicateEventIdError,
  EventStoreUnavailableError,
  type ExpectedRevision,
  WrongExpectedRevisionError,
} from '../../event-store.ts';
import { type RawEvent, toPosition } from './log-format.ts';
import type { Answer } from './log-writer.ts';
import type { FromWriter } from './writer-thread.ts';

export interface Pending {
  stream: string;
  expected: ExpectedRevision;
  events: RawEvent[];
  /** Parsed `data` per event, to avoid re-parsing; undefined if not available. */
  data: unknown[];
  resolve(result: AppendResult): void;
  reject(error: Error): void;
}

export function refusal(path: string, { damaged, message }: Extract<FromWriter, { kind: 'refused' }>): Error {
  const text = `${path}: ${message}`;
  return damaged ? new CorruptLogError(text) : new EventStoreUnavailableError(text);
}

export function toRaw({ id, type, schemaVersion, time, data, dataJson, metadata }: NewEvent): RawEvent {
  const text = dataJson ?? JSON.stringify(data);
  return { id, type, schemaVersion, time, data: text, metadata: JSON.stringify(metadata) };
}

export function reply({ stream, expected, events, resolve, reject }: Pending, answer: Answer): void {
  switch (answer.outcome) {
    case 'stored':
    case 'repeated': {
      const further = events.length - 1;
      resolve({
        revision: answer.firstRevision + further,
        position: toPosition(answer.firstPosition + further),
        ...(answer.outcome === 'stored' && { isNew: true }),
      });
      break;
    }
    case 'wrong-revision':
      reject(new WrongExpectedRevisionError(stream, expected, answer.actual));
      break;
    case 'duplicate-id':
      reject(new DuplicateEventIdError(answer.message));
      break;
    case 'unavailable':
      reject(new EventStoreUnavailableError(answer.message));
      break;
    default:
      answer satisfies never;
  }
}
