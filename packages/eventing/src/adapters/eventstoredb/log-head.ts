import { coalesced } from '../../coalesced.ts';
import { withDeadline } from '../../deadline.ts';
import { BEGINNING, type Position } from '../../event.ts';
import { type Connection, persist, unavailable } from './connection.ts';
import { isSystemStream } from './event-envelope.ts';
import { toPosition } from './log-position.ts';
import { readBackwards } from './reading.ts';
import { NoAnswerError } from './server-errors.ts';

/**
 * Where the log ends, for readers to whom the server's own events do not exist. Asks the leader, because any other
 * node may be behind; callers that come while it is asked share the next question, which is asked after they came.
 */
export function createLogHead(connection: Connection): () => Promise<Position> {
  /** The newest event that was looked at, and the last one of ours up to there. */
  let known: { upTo: Position; head: Position } = { upTo: BEGINNING, head: BEGINNING };

  /** Goes back over the server's own events until one of ours, or what was looked at before. */
  async function search(maxCount?: number): Promise<Position | null> {
    let newest: Position | undefined;
    for await (const event of readBackwards(connection, maxCount)) {
      const position = toPosition(event.position);
      newest ??= position;
      const ours = !isSystemStream(event.streamId);
      if (!ours && position > known.upTo) continue;
      known = { upTo: newest, head: ours ? position : known.head };
      return known.head;
    }
    if (maxCount !== undefined && newest !== undefined) return null;
    if (newest !== undefined) known = { upTo: newest, head: BEGINNING };
    return known.head;
  }

  async function ask(): Promise<Position> {
    // Nearly always the last event is one of ours, or was looked at before.
    return persist(connection, async () => (await search(1)) ?? ((await search()) as Position));
  }

  return coalesced(() => withDeadline(ask(), LONGEST_MS, neverSettled));
}

/**
 * All callers share the pending read. Each try has a deadline, and tries end with patience; if the read never settled
 * nevertheless, the whole service would wait for it, so it times out and the next caller starts a new one.
 */
const LONGEST_MS = 30_000;

const neverSettled = () =>
  unavailable(new NoAnswerError(`a read of the log's end did not settle within ${LONGEST_MS} ms`));
