import { Readable } from 'node:stream';
import { isPublished } from '@forgelog/contracts/event.ts';
import { streamEvents } from '@forgelog/contracts/gateway/instance/instance.api.ts';
import { toCloudEvent } from '@forgelog/eventing/cloud-event.ts';
import { BEGINNING, type Position, type RecordedEvent } from '@forgelog/eventing/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import { type KnownIdentity, knownIdentity } from '@forgelog/eventing/log-identity.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { requestedPosition } from './requested-position.ts';

export interface EventStreamPorts {
  store: EventStore;
  catalogue: EventCatalogue;
  /** Whether a subscriber still has access as of a log position. */
  mayContinue(subscriber: Principal, position: Position): Promise<boolean>;
  onSent?: ((events: readonly RecordedEvent[]) => void) | undefined;
  /** Milliseconds between comments on an idle stream. */
  heartbeatMs?: number;
}

const HEARTBEAT_MS = 15_000;

/** `position` is that of the last event sent. */
interface OpenStream {
  position: Position;
}

export interface EventStreams {
  routes: Implementation[];
  drain: () => void;
  positions: () => Position[];
}

/**
 * Serves the log as server-sent events. Each `id` is a log position, so `Last-Event-ID` resumes without a gap. `drain`
 * ends all streams.
 */
export function eventStreamRoutes(ports: EventStreamPorts): EventStreams {
  const identity = knownIdentity(ports.store);
  const draining = new AbortController();
  const open = new Set<OpenStream>();
  const routes = [
    implement(streamEvents, async ({ params, headers, principal, signal }) => {
      const log = await identity.current();
      const answered = { 'X-Log-Id': log.id, 'X-Log-Epoch': log.epoch };
      const after = await requestedPosition(
        { store: ports.store, log, answered },
        headers['last-event-id'],
        params.after,
      );
      const stream = Readable.from(
        serverSentEvents(
          ports,
          identity,
          principal!,
          after,
          AbortSignal.any([signal, draining.signal]),
          open,
        ),
      );
      return {
        kind: 'stream',
        stream,
        headers: {
          ...answered,
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-cache',
          // Turn off response buffering in proxies.
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
  { store, catalogue, mayContinue, onSent, heartbeatMs = HEARTBEAT_MS }: EventStreamPorts,
  identity: KnownIdentity,
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
      // Drop the whole batch in which access ends, so nothing after that event is sent.
      if (!(await mayContinue(subscriber, batch?.value.at(-1)?.position ?? BEGINNING))) {
        yield ': the stream ends, since whoever asked for it may no longer read it\n\n';
        return;
      }
      if (batch === null) {
        yield ': alive\n\n';
        continue;
      }
      const log = await identity.forBatch(batch.value);
      yield batch.value
        .filter(({ type }) => isPublished(catalogue.get(type)))
        .map((event) => {
          const sent = toCloudEvent(event, catalogue, log);
          return `id: ${sent.position}\nevent: ${sent.type}\ndata: ${JSON.stringify(sent)}\n\n`;
        })
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

/** Resolves to null on time-out. */
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
