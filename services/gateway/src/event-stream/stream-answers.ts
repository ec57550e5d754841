import { pipeline, Readable, type Writable } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { EventDefinition } from '@forgelog/contracts/event.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import type { FollowedLog } from '@forgelog/eventing/expiring-stream.ts';
import type { KnownIdentity } from '@forgelog/eventing/log-identity.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import Negotiator from 'negotiator';
import { type Compressor, contentCoding } from './content-coding.ts';
import { createContractVersions } from './contract-version.ts';
import { eventFilter, type FilterParams, type FilterPorts, typesCarried } from './event-filter.ts';
import { eventPage } from './event-page.ts';
import { createLogEnd } from './log-end.ts';
import type { Reach } from './reach.ts';
import { ReaderOutput } from './reader.ts';
import { requestedPosition } from './requested-position.ts';
import { ServerSentEvents, type StreamPorts, type Subscription } from './server-sent-events.ts';
import { createSubscribers, type SubscriberLimits, type Subscribers } from './subscribers.ts';

export interface StreamAnswerPorts extends Pick<FilterPorts, 'directory'> {
  catalogue: EventCatalogue;
  /** Whether events of this type are in the stream. */
  carries: (definition: EventDefinition) => boolean;
  store: FollowedLog;
  identity: KnownIdentity;
  clock: () => Date;
  log: Logger;
  externalUrl: string;
  /** Counts streams that were ended because their reader took nothing. */
  dropped: { add(): void };
  onSent?: ((events: readonly RecordedEvent[]) => void) | undefined;
  /** Milliseconds between heartbeats on a silent stream. */
  heartbeatMs?: number | undefined;
  subscriberLimits?: Partial<SubscriberLimits> | undefined;
}

export interface StreamAnswers {
  /** @throws Rejection 400, 409 or 410 for a parameter or position, 429 where too many streams are open */
  answer(asked: AskedStream): Promise<Answer>;
  /** Ends all streams. */
  drain: () => void;
  positions: Subscribers['positions'];
}

export interface AskedStream {
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
/** Milliseconds by which the heartbeat of a silent stream, or its end by time, may be late. */
const LATEST_MS = 100;

function subscriberName(name: string | undefined): string | undefined {
  if (name === undefined || NAME.test(name)) return name;
  throw new Rejection('invalid_parameters', {
    problems: ['subscriber is invalid: use letters, digits, `.`, `_` and `-`'],
  });
}

function compressed(body: Readable, compressor: Compressor | undefined): Readable {
  return compressor ? pipeline(body, compressor(), () => {}) : body;
}

/** Answers with a log as server-sent events, or in pages. */
export function createStreamAnswers(ports: StreamAnswerPorts): StreamAnswers {
  const { store, clock, heartbeatMs = HEARTBEAT_MS } = ports;
  const streamPorts: StreamPorts = { ...ports, clock, heartbeatMs };
  const filterPorts = { directory: ports.directory, carried: typesCarried(ports.catalogue, ports.carries) };
  const asContract = createContractVersions(ports.catalogue);
  const logEnd = createLogEnd(store, Math.min(LATEST_MS, heartbeatMs / 10));
  const subscribers = createSubscribers(ports.subscriberLimits, ({ userId, name }) => {
    ports.dropped.add();
    ports.log.warn({ userId, subscriber: name }, 'a stalled event stream was dropped');
  });

  async function answer(asked: AskedStream): Promise<Answer> {
    const { params, headers } = asked;
    const reach = asContract(params.contract, asked.reach);
    const log = await streamPorts.identity.current();
    const answered = { 'X-Log-Id': log.id, 'X-Log-Epoch': log.epoch };
    const filter = eventFilter(filterPorts, { ...params, project_id: asked.projectId ?? params.project_id });
    const after = await requestedPosition(
      { store, log, reach, answered },
      headers['last-event-id'],
      params.after,
    );
    const isPage =
      headers.accept !== undefined && new Negotiator({ headers }).mediaType([EVENTS!, LINES!]) === LINES;
    const request = { after, filter, reach, limit: params.limit ?? (isPage ? PAGE : Infinity) };
    const { compressor, told } = contentCoding(headers);
    const all = { ...answered, ...told, 'Cache-Control': 'no-cache' };
    if (isPage) {
      const page = await eventPage(streamPorts, request);
      return {
        kind: 'stream',
        stream: compressed(Readable.from([page.text], { objectMode: false }), compressor),
        headers: {
          ...all,
          'Content-Type': LINES!,
          ...nextPage(asked, reach.publish(page.next, log)),
          'X-Caught-Up': String(page.hasCaughtUp),
        },
      };
    }
    const name = subscriberName(params.subscriber);
    return {
      kind: 'open',
      // The last one turns off response buffering in proxies.
      headers: { ...all, 'Content-Type': EVENTS!, 'X-Accel-Buffering': 'no' },
      begin: () => follow(asked.principal, name, request, compressor),
    };
  }

  /** @throws Rejection 429 where too many streams are open */
  function follow(
    { userId, isAdmin: isAdministrator }: Principal,
    name: string | undefined,
    subscription: Subscription,
    compressor: Compressor | undefined,
  ): (out: Writable) => Promise<void> {
    const seat = subscribers.seat({ userId, isAdministrator, name, position: subscription.after });
    return async (response) => {
      const through = compressor?.();
      // The end of a broken stream is told by its connection.
      if (through) pipeline(through, response, () => {});
      const output = new ReaderOutput(response, through ?? response, seat);
      const stream = new ServerSentEvents(streamPorts, logEnd, subscription, seat, output);
      seat.stream = stream;
      if (response.destroyed) stream.end();
      else response.on('close', () => stream.end());
      stream.begin();
    };
  }

  function nextPage({ params, path }: AskedStream, position: string): Record<string, string> {
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
    answer,
    drain() {
      subscribers.endAll();
      logEnd.close();
    },
    positions: subscribers.positions,
  };
}
