import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import { readLog } from './followed-log.ts';
import type { StreamPorts, Subscription } from './server-sent-events.ts';

export interface EventPage {
  /** NDJSON: an event a line. */
  text: string;
  next: Position;
  hasCaughtUp: boolean;
}

/** Bounds of a page besides its limit: characters, events that are passed over, and milliseconds for the first event. */
const LARGEST = 8_388_608;
const MOST_PASSED_OVER = 50_000;
const LONGEST_MS = 2_000;

/**
 * Up to `limit` events after a position. A filter that few events pass gives short pages, and an empty one if none passes
 * for long.
 * @throws Rejection 403 where the right to read ends meanwhile
 */
export async function eventPage(
  { store, identity, onSent }: StreamPorts,
  { after, filter, reach, limit }: Subscription,
  longestMs = LONGEST_MS,
): Promise<EventPage> {
  let text = '';
  let next = after;
  let left = limit;
  let passedOver = 0;
  const begin = performance.now();
  for await (const { events, upTo } of readLog(store, { after, projectId: filter.projectId })) {
    if (!(await reach.holdsAt(upTo))) throw new Rejection('forbidden', {});
    const log = await identity.forBatch(events);
    for (const event of await reach.readable(await filter.select(events))) {
      if (left === 0 || text.length > LARGEST) return { text, next, hasCaughtUp: false };
      text += `${reach.frame(event, log).json}\n`;
      next = event.position;
      left -= 1;
      onSent?.([event]);
    }
    next = upTo;
    passedOver += events.length;
    const [last] = events.slice(-1);
    if (last && filter.endsBefore(last)) return { text, next, hasCaughtUp: true };
    const isShort = text !== '' && passedOver >= MOST_PASSED_OVER;
    if (left === 0 || text.length > LARGEST || isShort || performance.now() - begin > longestMs)
      return { text, next, hasCaughtUp: next >= (await store.head()) };
  }
  return { text, next, hasCaughtUp: true };
}
