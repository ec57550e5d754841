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

/** Milliseconds by which the client's own deadline may be late. */
const GRACE_MS = 250;

interface Append {
  stream: string;
  expected: ExpectedRevision;
  events: readonly NewEvent[];
}

/** Retrying a timed-out append is safe: of two appends that expect one revision, the server stores at most one. */
export async function append(connection: Connection, request: Append): Promise<AppendResult> {
  const { events } = request;
  if (events.length === 0) throw new RangeError('an append needs at least one event');
  if (new Set(events.map(({ id }) => id)).size < events.length)
    throw new DuplicateEventIdError('the append repeats an event id');
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
  throw new Error('unreachable: the pauses between retries never end');
}

/** For several events, and for repeats, server versions differ in the position they return; read it instead. */
async function appendOnce(connection: Connection, request: Append): Promise<AppendResult> {
  const { stream, expected, events } = request;
  const answer = connection.client.appendToStream(stream, events.map(toServer), {
    expectedRevision: expected === 'no-stream' ? NO_STREAM : BigInt(expected),
    requiresLeader: true,
    deadline: connection.deadlineMs,
  });
  // The client's own deadline starts only once it is connected; this one covers the time before.
  const { nextExpectedRevision, position } = await withDeadline(
    answer,
    connection.deadlineMs + GRACE_MS,
    () => new NoAnswerError(`no answer within ${connection.deadlineMs} ms`),
  );
  const revision = Number(nextExpectedRevision);
  if (events.length === 1 && position) return { revision, position: toPosition(position) };
  const [last] = await readStream(connection, stream, revision, 1);
  if (last?.id !== events.at(-1)?.id)
    throw new CorruptLogError(`stream ${stream} does not hold the appended event at revision ${revision}`);
  return { revision, position: (last as RecordedEvent).position };
}

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

/** The result of a timed-out append, null if it is not stored yet. @throws WrongExpectedRevisionError */
async function settle(connection: Connection, request: Append): Promise<AppendResult | null> {
  const { found, taken } = await find(connection, request);
  if (!found && taken) return refuse(request, await lastRevision(connection, request.stream));
  return found;
}

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
