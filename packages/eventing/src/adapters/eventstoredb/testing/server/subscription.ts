import { randomUUID } from 'node:crypto';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventFilter } from './event-filter.ts';
import type { Log, Logged } from './log.ts';
import { numberOf } from './log-place.ts';
import {
  caughtUpResponse,
  checkpointResponse,
  confirmationResponse,
  eventResponse,
  fromIdentifier,
} from './messages.ts';
import type { ResponseWriter } from './response-writer.ts';

const PAGE = 32;

/**
 * A catch-up subscription: sends its confirmation, existing events, a caught-up message, then new events. The start
 * position is exclusive. A filtered one sends checkpoints.
 */
export async function subscribe(
  log: Log,
  options: streams.ReadReq.Options,
  filter: EventFilter | null,
  writer: ResponseWriter,
): Promise<void> {
  const structured = options.getUuidOption()?.hasStructured() ?? false;
  const passes = interest(log, options, filter);
  let considered = 0;
  let number = startOf(log, options);

  async function deliver(events: readonly Logged[]): Promise<boolean> {
    for (const event of events) {
      number++;
      if (passes(event) && !(await writer.send(eventResponse(event, structured)))) return false;
      if (!filter || ++considered < filter.checkpointInterval) continue;
      considered = 0;
      if (!(await writer.send(checkpointResponse(event.position)))) return false;
    }
    return true;
  }

  if (!(await writer.send(confirmationResponse(randomUUID())))) return;
  for (;;) {
    const events = await log.readAll(number + 1, PAGE);
    if (events.length === 0) break;
    if (!(await deliver(events))) return;
  }
  if (!(await writer.send(caughtUpResponse()))) return;
  for await (const events of log.follow(number, writer.signal)) if (!(await deliver(events))) return;
}

/** The number of the last event the client has seen. */
function startOf(log: Log, options: streams.ReadReq.Options): number {
  const all = options.getAll();
  const stream = options.getStream();
  if (stream) return stream.hasEnd() ? log.length() : 0;
  if (!all || all.hasStart()) return 0;
  return Math.min(numberOf(log, all), log.length());
}

function interest(
  log: Log,
  options: streams.ReadReq.Options,
  filter: EventFilter | null,
): (event: Logged) => boolean {
  const place = options.getStream();
  if (!place) return (event) => filter?.passes(event) ?? true;
  const stream = fromIdentifier(place.getStreamIdentifier());
  const seen = place.hasRevision()
    ? Number(place.getRevision())
    : place.hasStart()
      ? -1
      : (log.revision(stream) ?? -1);
  return (event) => event.stream === stream && event.revision > seen;
}
