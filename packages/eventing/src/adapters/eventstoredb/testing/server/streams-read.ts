import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { handleServerStreamingCall } from '@grpc/grpc-js';
import { type EventFilter, eventFilter } from './event-filter.ts';
import type { Log, Logged } from './log.ts';
import { numberOf } from './log-place.ts';
import { eventResponse, fromIdentifier, notFoundResponse } from './messages.ts';
import { openResponseWriter } from './response-writer.ts';
import { rpcErrors } from './rpc-errors.ts';
import { subscribe } from './subscription.ts';
import { admit, answerTo, beforeAnswer, type Wire } from './wire.ts';

type Options = streams.ReadReq.Options;

const PAGE = 500;
const BACKWARDS = 1;

/** `Read`: reads a stream or the log, in either direction, once or as a subscription. */
export function read(wire: Wire): handleServerStreamingCall<streams.ReadReq, streams.ReadResp> {
  return (call) => {
    void (async () => {
      const options = call.request.getOptions();
      if (!options) throw rpcErrors.invalid('a read without options');
      const fault = await admit(wire, options.hasSubscription() ? 'subscribe' : 'read', call);
      if (options.hasSubscription()) {
        const position = options.getAll()?.getPosition();
        wire.faults.subscribedAfter.push(position ? BigInt(position.getCommitPosition()) : null);
      }
      const writer = openResponseWriter(wire, call, fault);
      const filter = options.getFilter();
      const passed = filter ? eventFilter(filter) : null;
      if (options.hasSubscription()) return subscribe(wire.log, options, passed, writer);
      const structured = options.getUuidOption()?.hasStructured() ?? false;
      const identifier = options.getStream()?.getStreamIdentifier();
      const stream = fromIdentifier(identifier);
      if (options.hasStream() && wire.log.revision(stream) === null) {
        await writer.send(notFoundResponse(stream));
      } else {
        const events = options.hasStream()
          ? streamEvents(wire.log, stream, options)
          : allEvents(wire.log, options, passed);
        for await (const event of events) if (!(await writer.send(eventResponse(event, structured)))) return;
      }
      await beforeAnswer(wire, fault, call);
    })().then(
      () => call.end(),
      (error: unknown) => {
        const answer = answerTo(error);
        if (answer) call.emit('error', answer);
      },
    );
  };
}

async function* streamEvents(log: Log, stream: string, options: Options): AsyncGenerator<Logged> {
  const place = options.getStream() as streams.ReadReq.Options.StreamOptions;
  const backwards = options.getReadDirection() === BACKWARDS;
  const last = log.revision(stream) ?? -1;
  let left = Number(options.getCount());
  let at = place.hasRevision() ? Number(place.getRevision()) : place.hasStart() ? 0 : last;
  if (!place.hasRevision() && !place.hasStart() && !backwards) return;
  if (backwards) at = Math.min(at, last);
  while (left > 0 && at >= 0 && at <= last) {
    const size = Math.min(PAGE, left, backwards ? at + 1 : last - at + 1);
    const events = await log.readStream(stream, backwards ? at - size + 1 : at, size);
    yield* backwards ? events.toReversed() : events;
    left -= size;
    at += backwards ? -size : size;
  }
}

/** Reads forwards from a position, inclusive; backwards from before it. */
async function* allEvents(log: Log, options: Options, filter: EventFilter | null): AsyncGenerator<Logged> {
  const place = options.getAll() as streams.ReadReq.Options.AllOptions;
  const backwards = options.getReadDirection() === BACKWARDS;
  const at = numberOf(log, place);
  let left = Number(options.getCount());
  if (backwards) {
    for (let end = at - 1; end > 0 && left > 0; end -= PAGE) {
      const from = Math.max(1, end - PAGE + 1);
      const events = await log.readAll(from, end - from + 1);
      for (const event of events.toReversed()) {
        if (filter && !filter.passes(event)) continue;
        yield event;
        if (--left === 0) return;
      }
    }
    return;
  }
  for (let from = at; left > 0; from += PAGE) {
    const events = await log.readAll(from, PAGE);
    for (const event of events) {
      if (filter && !filter.passes(event)) continue;
      yield event;
      if (--left === 0) return;
    }
    if (events.length < PAGE) return;
  }
}
