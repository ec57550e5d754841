import { coalesced } from '../../coalesced.ts';
import { withDeadline } from '../../deadline.ts';
import { BEGINNING, type Position } from '../../event.ts';
import { EventStoreUnavailableError } from '../../event-store.ts';
import { type Connection, persist, unavailable } from './connection.ts';
import { isInLog } from './event-envelope.ts';
import { toPosition } from './log-position.ts';
import { newestEvent } from './newest-event.ts';
import { readBackwards } from './reading.ts';
import { NoAnswerError } from './server-errors.ts';

/** Reads the leader, because other nodes may lag. Concurrent callers share the next read, which starts after them. */
export function createLogHead(connection: Connection): () => Promise<Position> {
  /** The newest event seen, and the last one of the log up to there. */
  let known: { upTo: Position; head: Position } = { upTo: BEGINNING, head: BEGINNING };

  let cheapAfter = 0;

  function seen(stream: string, position: Position, newest: Position): Position | null {
    const ours = isInLog(stream);
    if (!ours && position > known.upTo) return null;
    known = { upTo: newest, head: ours ? position : known.head };
    return known.head;
  }

  /** Null where the newest event is beside the log, or where the question was not answered with one event. */
  async function askCheaply(): Promise<Position | null> {
    if (performance.now() < cheapAfter) return search(1);
    try {
      const { stream, position } = await newestEvent(connection);
      return seen(stream, toPosition(position), toPosition(position));
    } catch (error) {
      if (error instanceof NoAnswerError || error instanceof EventStoreUnavailableError) throw error;
      cheapAfter = performance.now() + CHEAP_PAUSE_MS;
      return null;
    }
  }

  /** Walks back over events beside the log to one of the log, or to what was seen before. */
  async function search(maxCount?: number): Promise<Position | null> {
    let newest: Position | undefined;
    for await (const event of readBackwards(connection, maxCount)) {
      const position = toPosition(event.position);
      newest ??= position;
      const head = seen(event.streamId, position, newest);
      if (head !== null) return head;
    }
    if (maxCount !== undefined && newest !== undefined) return null;
    if (newest !== undefined) known = { upTo: newest, head: BEGINNING };
    return known.head;
  }

  async function ask(): Promise<Position> {
    return persist(connection, async () => (await askCheaply()) ?? ((await search()) as Position));
  }

  return coalesced(() => withDeadline(ask(), LONGEST_MS, neverSettled));
}

/** A server that does not answer the cheap question gets it so often. */
const CHEAP_PAUSE_MS = 1_000;
/** All callers share this read: if it never settled despite the per-attempt deadlines, the service would hang. */
const LONGEST_MS = 30_000;

const neverSettled = () =>
  unavailable(new NoAnswerError(`a read of the log's end did not settle within ${LONGEST_MS} ms`));
