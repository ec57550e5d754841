import type { Position, RecordedEvent } from '@forgelog/eventing/event.ts';
import type { FollowedLog } from '@forgelog/eventing/expiring-stream.ts';
import type { KnownIdentity } from '@forgelog/eventing/log-identity.ts';
import type { EventFilter } from './event-filter.ts';
import { followLog } from './followed-log.ts';
import type { Reach } from './reach.ts';
import type { Seat } from './subscribers.ts';

export interface Subscription {
  after: Position;
  filter: EventFilter;
  reach: Reach;
  /** The most events to send. */
  limit: number;
  seat: Seat;
  /** Ends the stream; one for each, because idle subscribers shall cost little memory. */
  ending: AbortController;
}

export interface StreamPorts {
  store: FollowedLog;
  identity: KnownIdentity;
  clock: () => Date;
  onSent?: ((events: readonly RecordedEvent[]) => void) | undefined;
  heartbeatMs: number;
}

/** Characters after which text is handed out, so that large events do not add up in memory. */
const CHUNK = 65_536;

const OVER = ': the stream ends at `until`\n\n';

/** Sends what passes, then follows the log until the limit, a time or a right ends. Each `id` is a position. */
export async function* serverSentEvents(
  ports: StreamPorts,
  { after, filter, reach, limit, seat, ending }: Subscription,
): AsyncGenerator<string> {
  const { store, identity, clock, onSent, heartbeatMs } = ports;
  const { signal } = ending;
  const parts = followLog(store, { after, projectId: filter.projectId, signal });
  let pending = nextOf(parts);
  let hasCaughtUp = false;
  let left = limit;
  let quietSince = performance.now();

  const idOf = async () => `id: ${reach.publish(seat.position, await identity.current())}\n`;
  async function* given(text: string): AsyncGenerator<string> {
    quietSince = performance.now();
    seat.waits();
    yield text;
    seat.goesOn();
  }
  async function* markIfCaughtUp(): AsyncGenerator<string> {
    if (hasCaughtUp || seat.position < (await store.head())) return;
    hasCaughtUp = true;
    const position = reach.publish(seat.position, await identity.current());
    yield* given(`id: ${position}\nevent: caught_up\ndata: ${JSON.stringify({ position })}\n\n`);
  }

  try {
    yield* given(': Forgelog event stream\n\n');
    yield* markIfCaughtUp();
    while (!signal.aborted) {
      if (hasCaughtUp && filter.until !== null && clock().toISOString() >= filter.until)
        return yield* given(OVER);
      const next = await within(pending, quietSince + heartbeatMs - performance.now());
      if (next?.done) return;
      // Drop the whole part in which access ends, so nothing after that event is sent.
      if (!(await reach.holdsAt(next?.value.upTo ?? seat.position)))
        return yield* given(': the stream ends, since whoever asked for it may no longer read it\n\n');
      if (next === null) {
        yield* given(`: alive\n${await idOf()}\n`);
        continue;
      }
      const { events, upTo, mayBeLast } = next.value;
      const log = await identity.forBatch(events);
      const sent = (await reach.readable(await filter.select(events))).slice(0, left);
      let text = '';
      for (const event of sent) {
        const { id, json } = reach.frame(event, log);
        text += `id: ${id}\nevent: ${event.type}\ndata: ${json}\n\n`;
        if (text.length < CHUNK) continue;
        yield* given(text);
        text = '';
      }
      if (text !== '') yield* given(text);
      onSent?.(sent);
      left -= sent.length;
      seat.position = left === 0 ? sent.at(-1)!.position : upTo;
      if (left === 0) return;
      if (events.length > 0 && filter.endsBefore(events.at(-1)!)) return yield* given(OVER);
      if (mayBeLast) yield* markIfCaughtUp();
      pending = nextOf(parts);
    }
  } finally {
    seat.leave();
    // The wait for the next event ends first, or the end of the stream would wait for it.
    ending.abort();
    await parts.return(undefined);
  }
}

/** A log that fails while nobody waits for it must not end the process; whoever waits then learns it. */
function nextOf<T>(parts: AsyncGenerator<T>): Promise<IteratorResult<T>> {
  const next = parts.next();
  next.catch(() => {});
  return next;
}

/** Resolves to null on time-out. */
async function within<T>(pending: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), null);
  });
  try {
    return await Promise.race([pending, late]);
  } finally {
    clearTimeout(timer);
  }
}
