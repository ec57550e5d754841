import { setTimeout as sleep } from 'node:timers/promises';
import { NO_STREAM } from '@eventstore/db-client';
import { withDeadline } from '../../deadline.ts';
import type { NewEvent, RecordedEvent } from '../../event.ts';
import {
  type AppendResult,
  CorruptLogError,
  DuplicateEventIdError,
  type ExpectedRevision,
  WrongExpectedRevisionError,
} from '../../event-store.ts';
import { type Connection, pauses, unavailable } from './connection.ts';
import { toServer } from './event-envelope.ts';
import { toPosition } from './log-position.ts';
import { lastRevision, readStream } from './reading.ts';
import { failureOf, NoAnswerError } from './server-errors.ts';

/** What the client's own deadline may be late. */
const GRACE_MS = 250;

interface Append {
  stream: string;
  expected: ExpectedRevision;
  events: readonly NewEvent[];
}

/**
 * Appends, and finds out what became of an append that got no answer: the stream itself says whether it holds these
 * very events at their place. Where it does not yet, appending them again is safe, because at most one of two appends
 * that expect the same revision can be stored.
 */
export async function append(connection: Connection, request: Append): Promise<AppendResult> {
  const { events } = request;
  if (events.length === 0) throw new RangeError('an append of no events');
  if (new Set(events.map(({ id }) => id)).size < events.length)
    throw new DuplicateEventIdError('an event id twice in one append');
  const giveUpAt = performance.now() + connection.patienceMs;
  for (const pause of pauses()) {
    try {
      return await appendOnce(connection, request);
    } catch (error) {
      const failure = failureOf(error);
      switch (failure.kind) {
        case 'final':
          throw failure.error;
        case 'wrong-revision':
          return await repeatedOrRefused(connection, request, failure.actual);
        case 'unknown-outcome': {
          const settled = await settle(connection, request);
          if (settled) return settled;
          break;
        }
        case 'not-done':
          break;
        default:
          failure satisfies never;
      }
      if (performance.now() + pause > giveUpAt) throw unavailable(error);
    }
    await sleep(pause);
  }
  throw new Error('pauses never end');
}

/**
 * One attempt. Of several events, and for a repeated append, servers of different versions name different positions,
 * or none: where the last event lies is then read.
 */
async function appendOnce(connection: Connection, request: Append): Promise<AppendResult> {
  const { stream, expected, events } = request;
  const answer = connection.client.appendToStream(stream, events.map(toServer), {
    expectedRevision: expected === 'no-stream' ? NO_STREAM : BigInt(expected),
    requiresLeader: true,
    deadline: connection.deadlineMs,
  });
  // The client's own deadline begins when it is connected; until then this one counts.
  const { nextExpectedRevision, position } = await withDeadline(
    answer,
    connection.deadlineMs + GRACE_MS,
    () => new NoAnswerError(`no answer within ${connection.deadlineMs} ms`),
  );
  const revision = Number(nextExpectedRevision);
  if (events.length === 1 && position) return { revision, position: toPosition(position) };
  const [last] = await readStream(connection, stream, revision, 1);
  if (last?.id !== events.at(-1)?.id)
    throw new CorruptLogError(`stream ${stream} does not show at ${revision} what was stored there`);
  return { revision, position: (last as RecordedEvent).position };
}

/** Reads what the stream holds at the place of the append. */
async function find(
  connection: Connection,
  { stream, expected, events }: Append,
): Promise<{ found: AppendResult | null; taken: boolean }> {
  const first = expected === 'no-stream' ? 0 : expected + 1;
  const held = await readStream(connection, stream, first, events.length);
  const last = held.at(-1);
  const same = held.length === events.length && held.every(({ id }, index) => id === events[index]?.id);
  const found = same && last ? { revision: last.revision, position: last.position } : null;
  return { found, taken: held.length > 0 };
}

/**
 * What became of an append without an answer; null where it is not stored, or not yet.
 * @throws WrongExpectedRevisionError where others took its place, so that it never will be
 */
async function settle(connection: Connection, request: Append): Promise<AppendResult | null> {
  const { found, taken } = await find(connection, request);
  if (!found && taken) return refuse(request, await lastRevision(connection, request.stream));
  return found;
}

/** A refused append may be the repetition of one that was stored. @throws WrongExpectedRevisionError */
async function repeatedOrRefused(
  connection: Connection,
  request: Append,
  actual: number | null,
): Promise<AppendResult> {
  const { expected, events } = request;
  const last = (expected === 'no-stream' ? -1 : expected) + events.length;
  const { found } = actual !== null && actual >= last ? await find(connection, request) : { found: null };
  return found ?? refuse(request, actual);
}

function refuse({ stream, expected }: Append, actual: number | null): never {
  throw new WrongExpectedRevisionError(stream, expected, actual);
}
