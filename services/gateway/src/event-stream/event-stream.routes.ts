import { Readable } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { streamEvents } from '@forgelog/contracts/gateway/instance/instance.api.ts';
import { toCloudEvent } from '@forgelog/eventing/cloud-event.ts';
import { BEGINNING, type Position, type RecordedEvent } from '@forgelog/eventing/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';

export interface EventStreamPorts {
  store: EventStore;
  catalogue: EventCatalogue;
  /** Whether a subscriber is still let in, by all that the log says up to a position. */
  mayGoOn(subscriber: Principal, position: Position): Promise<boolean>;
  /** Told what a subscriber was sent. */
  onSent?: ((events: readonly RecordedEvent[]) => void) | undefined;
  /** How often an idle stream says that it lives, in milliseconds. */
  heartbeatMs?: number;
}

const HEARTBEAT_MS = 15_000;
/** Positions are opaque, but no store's are longer or of other characters. */
const POSITION = /^[\w:-]{0,64}$/;

/** A subscriber, and the last event that was handed to it. */
interface OpenStream {
  position: Position;
}

export interface EventStreams {
  routes: Implementation[];
  /** Ends all streams. */
  drain: () => void;
  /** How far each subscriber came. */
  positions: () => Position[];
}

/**
 * The log as server-sent events: each event's `id` is its position, so a client that reconnects with
 * `Last-Event-ID` goes on where it was, without gap or repeat. `drain` ends all streams.
 */
export function eventStreamRoutes(ports: EventStreamPorts): EventStreams {
  const draining = new AbortController();
  const open = new Set<OpenStream>();
  const routes = [
    implement(streamEvents, async ({ params, headers, principal, signal }) => {
      const after = headers['last-event-id'] ?? params.after ?? BEGINNING;
      if (typeof after !== 'string' || !POSITION.test(after)) {
        throw new Rejection('invalid_parameters', { problems: ['after is invalid'] });
      }
      const stream = Readable.from(
        serverSentEvents(ports, principal!, after, AbortSignal.any([signal, draining.signal]), open),
      );
      return {
        kind: 'stream',
        stream,
        headers: {
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-cache',
          // Proxies that collect answers before they pass them on would defeat the purpose.
          'X-Accel-Buffering': 'no',
        },
      };
    }),
  ];
  return {
    routes,
    drain: () => draining.abort(),
    positions: () => [...open].map(({ position }) => position),
  };
}

async function* serverSentEvents(
  { store, catalogue, mayGoOn, onSent, heartbeatMs = HEARTBEAT_MS }: EventStreamPorts,
  subscriber: Principal,
  after: Position,
  signal: AbortSignal,
  open: Set<OpenStream>,
): AsyncGenerator<string> {
  const stream: OpenStream = { position: after };
  open.add(stream);
  const batches = store.subscribe({ after, maxBatch: 100, signal })[Symbol.asyncIterator]();
  let pending = batches.next();
  try {
    yield ': Forgelog event stream\n\n';
    while (!signal.aborted) {
      const batch = await orHeartbeat(pending, heartbeatMs);
      if (batch?.done) return;
      // Of a batch in which the subscriber's rights end nothing is sent, so nothing that came after their end.
      if (!(await mayGoOn(subscriber, batch?.value.at(-1)?.position ?? BEGINNING))) {
        yield ': the stream ends, since whoever asked for it may no longer read it\n\n';
        return;
      }
      if (batch === null) {
        yield ': alive\n\n';
        continue;
      }
      yield batch.value
        .map(
          (event) =>
            `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(toCloudEvent(event, catalogue))}\n\n`,
        )
        .join('');
      onSent?.(batch.value);
      stream.position = batch.value.at(-1)!.position;
      pending = batches.next();
    }
  } finally {
    open.delete(stream);
    await batches.return?.();
  }
}

/** null when nothing came in time. */
async function orHeartbeat<T>(pending: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const beat = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([pending, beat]);
  } finally {
    clearTimeout(timer);
  }
}
