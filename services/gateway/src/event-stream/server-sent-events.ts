import type { Position, RecordedEvent } from '@forgelog/eventing/event.ts';
import type { FollowedLog } from '@forgelog/eventing/expiring-stream.ts';
import type { KnownIdentity } from '@forgelog/eventing/log-identity.ts';
import type { EventFilter } from './event-filter.ts';
import { followLog } from './followed-log.ts';
import type { Reach } from './reach.ts';
import type { Seat } from './subscribers.ts';
import { waitingFor } from './waiting-for.ts';

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

/** Milliseconds in which more would have come, if there was more. */
const MARK_MS = 200;
const OVER = ': the stream ends at `until`\n\n';

/**
 * Sends what passes, then follows the log until the limit, a time or a right ends. Each `id` is a position.
 * @param write resolves when the reader has room for more
 */
export async function serverSentEvents(
  ports: StreamPorts,
  { after, filter, reach, limit, seat, ending }: Subscription,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const { store, identity, clock, onSent, heartbeatMs } = ports;
  const { signal } = ending;
  const parts = followLog(store, { after, projectId: filter.projectId, signal });
  let nextWithin = waitingFor(parts.next());
  let hasCaughtUp = false;
  let left = limit;
  let quietSince = performance.now();

  const published = async () => reach.publish(seat.position, await identity.current());
  async function send(text: string): Promise<void> {
    quietSince = performance.now();
    await write(text);
  }
  async function markIfCaughtUp(): Promise<void> {
    if (hasCaughtUp || seat.position < (await store.head())) return;
    hasCaughtUp = true;
    const position = await published();
    await send(`id: ${position}\nevent: caught_up\ndata: ${JSON.stringify({ position })}\n\n`);
  }

  const sendAlive = async () => send(`: alive\nid: ${await published()}\n\n`);

  try {
    await send(': Forgelog event stream\n\n');
    await markIfCaughtUp();
    while (!signal.aborted) {
      if (hasCaughtUp && filter.until !== null && clock().toISOString() >= filter.until)
        return await send(OVER);
      const untilHeartbeat = quietSince + heartbeatMs - performance.now();
      const untilOver = filter.until === null ? Infinity : Date.parse(filter.until) - clock().getTime();
      const next = await nextWithin(Math.min(untilHeartbeat, hasCaughtUp ? untilOver : MARK_MS));
      if (next?.done) return;
      // Drop the whole part in which access ends, so nothing after that event is sent.
      if (!(await reach.holdsAt(next?.value.upTo ?? seat.position)))
        return await send(': the stream ends, since whoever asked for it may no longer read it\n\n');
      if (next === null) {
        // A full part may have been the last one.
        await markIfCaughtUp();
        if (performance.now() - quietSince >= heartbeatMs) await sendAlive();
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
        await send(text);
        text = '';
      }
      if (text !== '') await send(text);
      if (signal.aborted) return;
      onSent?.(sent);
      left -= sent.length;
      seat.position = left === 0 ? sent.at(-1)!.position : upTo;
      if (left === 0) return;
      if (events.length > 0 && filter.endsBefore(events.at(-1)!)) return await send(OVER);
      if (mayBeLast) await markIfCaughtUp();
      // A reader whose filter passes over much shall not start from the beginning after a break.
      if (performance.now() - quietSince >= heartbeatMs) await sendAlive();
      nextWithin = waitingFor(parts.next());
    }
  } finally {
    seat.leave();
    // The wait for the next event ends first, or the end of the stream would wait for it.
    ending.abort();
    await parts.return(undefined);
  }
}
