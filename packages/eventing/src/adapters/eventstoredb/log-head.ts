import { coalesced } from '../../coalesced.ts';
import { withDeadline } from '../../deadline.ts';
import { BEGINNING, type Position } from '../../event.ts';
import { type Connection, persist, unavailable } from './connection.ts';
import { isInLog } from './event-envelope.ts';
import { toPosition } from './log-position.ts';
import { readBackwards } from './reading.ts';
import { NoAnswerError } from './server-errors.ts';

/** Reads the leader, because other nodes may lag. Concurrent callers share the next read, which starts after them. */
export function createLogHead(connection: Connection): () => Promise<Position> {
  /** The newest event seen, and the last one of the log up to there. */
  let known: { upTo: Position; head: Position } = { upTo: BEGINNING, head: BEGINNING };

  /** Walks back over events beside the log to one of the log, or to what was seen before. */
  async function search(maxCount?: number): Promise<Position | null> {
    let newest: Position | undefined;
    for await (const event of readBackwards(connection, maxCount)) {
      const position = toPosition(event.position);
      newest ??= position;
      const ours = isInLog(event.streamId);
      if (!ours && position > known.upTo) continue;
      known = { upTo: newest, head: ours ? position : known.head };
      return known.head;
    }
    if (maxCount !== undefined && newest !== undefined) return null;
    if (newest !== undefined) known = { upTo: newest, head: BEGINNING };
    return known.head;
  }

  async function ask(): Promise<Position> {
    return persist(connection, async () => (await search(1)) ?? ((await search()) as Position));
  }

  return coalesced(() => withDeadline(ask(), LONGEST_MS, neverSettled));
}

/** All callers share this read: if it never settled despite the per-attempt deadlines, the service would hang. */
const LONGEST_MS = 30_000;

const neverSettled = () =>
  unavailable(new NoAnswerError(`a read of the log's end did not settle within ${LONGEST_MS} ms`));
