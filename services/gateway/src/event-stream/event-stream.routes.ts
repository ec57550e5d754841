import { Readable } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  streamEvents,
  streamGroupEvents,
  streamProjectEvents,
} from '@forgelog/contracts/gateway/event-stream/event-stream.api.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { Position, RecordedEvent } from '@forgelog/eventing/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import { knownIdentity } from '@forgelog/eventing/log-identity.ts';
import type { Authorizer } from '@forgelog/service-kit/access.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { Metrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import Negotiator from 'negotiator';
import { encoded } from './content-coding.ts';
import { createContractVersions } from './contract-version.ts';
import { eventFilter, type FilterParams } from './event-filter.ts';
import { eventPage } from './event-page.ts';
import { placeReach } from './place.access.ts';
import type { Reach } from './reach.ts';
import { requestedPosition } from './requested-position.ts';
import { sealedPositions } from './sealed-position.ts';
import { type StreamPorts, serverSentEvents } from './server-sent-events.ts';
import { createSubscribers, type SubscriberLimits, type Subscribers } from './subscribers.ts';
import { wholeLog } from './whole-log.access.ts';

export interface EventStreamPorts {
  store: EventStore;
  catalogue: EventCatalogue;
  directory: Directory;
  clock: () => Date;
  log: Logger;
  metrics: Metrics;
  externalUrl: string;
  authorizer: Authorizer;
  instanceKey: () => Buffer;
  /** The subscriber as of a log position; undefined once their credential is no longer valid. */
  renewedAt(subscriber: Principal, position: Position): Promise<Principal | undefined>;
  onSent?: ((events: readonly RecordedEvent[]) => void) | undefined;
  /** Milliseconds between heartbeats on a silent stream. */
  heartbeatMs?: number;
  subscriberLimits?: Partial<SubscriberLimits>;
}

export interface EventStreams {
  routes: Implementation[];
  drain: () => void;
  positions: Subscribers['positions'];
}

interface Asked {
  params: FilterParams & Readonly<Record<string, unknown>> & StreamParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  principal: Principal;
  /** The project of the path, if it names one. */
  projectId?: number;
  /** Below the API. */
  path: string;
  reach: Reach;
}

interface StreamParams {
  contract?: string | undefined;
  after?: string | undefined;
  limit?: number | undefined;
  subscriber?: string | undefined;
}

const HEARTBEAT_MS = 15_000;
const PAGE = 1_000;
const NAME = /^[\w.-]+$/;
const [EVENTS, LINES] = ['text/event-stream', 'application/x-ndjson'];
/** Milliseconds in which a stalled reader may still read why it is dropped. */
const GRACE_MS = 5_000;
const STALLED = ': the stream ends, since nothing of it was read for too long\n\n';

/** Serves the log as server-sent events, or in pages. `drain` ends all streams. */
export function eventStreamRoutes(ports: EventStreamPorts): EventStreams {
  const { store, clock, heartbeatMs = HEARTBEAT_MS } = ports;
  const streamPorts: StreamPorts = { ...ports, identity: knownIdentity(store), clock, heartbeatMs };
  const places = { ...ports, positions: sealedPositions(ports.instanceKey) };
  const asContract = createContractVersions(ports.catalogue);
  const open = new Set<AbortController>();
  const subscribers = createSubscribers(ports.subscriberLimits);
  const dropped = ports.metrics
    .counter({
      name: 'forgelog_event_streams_dropped_total',
      help: 'Event streams that were ended because their reader took nothing for a minute.',
    })
    .of();

  async function answer(asked: Asked): Promise<Answer> {
    const { params, headers } = asked;
    const reach = asContract(params.contract, asked.reach);
    const log = await streamPorts.identity.current();
    const answered = { 'X-Log-Id': log.id, 'X-Log-Epoch': log.epoch };
    const filter = eventFilter(ports, { ...params, project_id: asked.projectId ?? params.project_id });
    const after = await requestedPosition(
      { store, log, reach, answered },
      headers['last-event-id'],
      params.after,
    );
    const isPage =
      headers.accept !== undefined && new Negotiator({ headers }).mediaType([EVENTS!, LINES!]) === LINES;
    const request = { after, filter, reach, limit: params.limit ?? (isPage ? PAGE : Infinity) };
    if (isPage) {
      const page = await eventPage(streamPorts, request);
      return body(Readable.from([page.text], { objectMode: false }), asked, {
        ...answered,
        'Content-Type': LINES!,
        ...nextPage(asked, reach.publish(page.next, log)),
        'X-Caught-Up': String(page.hasCaughtUp),
      });
    }
    return body(follow(asked, request), asked, {
      ...answered,
      'Content-Type': EVENTS!,
      // Turn off response buffering in proxies.
      'X-Accel-Buffering': 'no',
    });
  }

  function body(stream: Readable, { headers }: Asked, own: Record<string, string>): Answer {
    const { stream: sent, headers: coding } = encoded(stream, headers);
    return { kind: 'stream', stream: sent, headers: { ...own, ...coding, 'Cache-Control': 'no-cache' } };
  }

  function follow({ params, principal }: Asked, request: Parameters<typeof eventPage>[1]): Readable {
    const { subscriber: name } = params;
    if (name !== undefined && !NAME.test(name))
      throw new Rejection('invalid_parameters', {
        problems: ['subscriber is invalid: use letters, digits, `.`, `_` and `-`'],
      });
    const seat = subscribers.seat({
      ...{ userId: principal.userId, isAdministrator: principal.isAdmin },
      ...{ name, position: request.after },
    });
    const ending = new AbortController();
    open.add(ending);
    const events = serverSentEvents(streamPorts, { ...request, seat, ending });
    const stream = Readable.from(events, { objectMode: false });
    stream.once('close', () => {
      open.delete(ending);
      ending.abort();
      seat.leave();
    });
    seat.onStalled = () => {
      seat.leave();
      dropped.add();
      ports.log.warn({ userId: principal.userId, subscriber: name }, 'a stalled event stream was dropped');
      stream.push(STALLED);
      stream.push(null);
      setTimeout(() => stream.destroy(new Error('the reader stalled')), GRACE_MS).unref();
    };
    return stream;
  }

  function nextPage({ params, path }: Asked, position: string): Record<string, string> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(params))
      if (value !== undefined && name !== 'id') query.set(name, String(value));
    query.set('after', position);
    return {
      Link: `<${ports.externalUrl}/api/v4${path}?${query}>; rel="next"`,
      'X-Next-Position': position,
    };
  }

  return {
    routes: [
      implement(streamEvents, ({ params, headers, caller }) =>
        answer({
          ...{ params, headers, principal: caller, path: streamEvents.path },
          reach: wholeLog(ports, caller),
        }),
      ),
      implement(streamProjectEvents, ({ params, headers, caller, project: { project } }) =>
        answer({
          ...{ params, headers, principal: caller, projectId: project.id },
          path: `/projects/${project.id}/event_stream`,
          reach: placeReach(places, { kind: 'project', id: project.id }, caller),
        }),
      ),
      implement(streamGroupEvents, ({ params, headers, caller, group: { group } }) =>
        answer({
          ...{ params, headers, principal: caller },
          path: `/groups/${group.id}/event_stream`,
          reach: placeReach(places, { kind: 'group', id: group.id }, caller),
        }),
      ),
    ],
    drain() {
      for (const ending of open) ending.abort();
    },
    positions: subscribers.positions,
  };
}
