import { Readable } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { FollowedLog } from '@forgelog/eventing/expiring-stream.ts';
import type { KnownIdentity } from '@forgelog/eventing/log-identity.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import Negotiator from 'negotiator';
import { encoded } from './content-coding.ts';
import { createContractVersions } from './contract-version.ts';
import { eventFilter, type FilterParams, type FilterPorts } from './event-filter.ts';
import { eventPage } from './event-page.ts';
import type { Reach } from './reach.ts';
import { requestedPosition } from './requested-position.ts';
import { type StreamPorts, serverSentEvents } from './server-sent-events.ts';
import { createSubscribers, type SubscriberLimits, type Subscribers } from './subscribers.ts';

export interface StreamAnswerPorts extends FilterPorts {
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
/** Milliseconds in which a stalled reader may still read why it is dropped. */
const GRACE_MS = 5_000;
const STALLED = ': the stream ends, since nothing of it was read for too long\n\n';

/** Answers with a log as server-sent events, or in pages. */
export function createStreamAnswers(ports: StreamAnswerPorts): StreamAnswers {
  const { store, clock, heartbeatMs = HEARTBEAT_MS } = ports;
  const streamPorts: StreamPorts = { ...ports, clock, heartbeatMs };
  const asContract = createContractVersions(ports.catalogue);
  const open = new Set<AbortController>();
  const subscribers = createSubscribers(ports.subscriberLimits);

  async function answer(asked: AskedStream): Promise<Answer> {
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

  function body(stream: Readable, { headers }: AskedStream, own: Record<string, string>): Answer {
    const { stream: sent, headers: coding } = encoded(stream, headers);
    return { kind: 'stream', stream: sent, headers: { ...own, ...coding, 'Cache-Control': 'no-cache' } };
  }

  function follow({ params, principal }: AskedStream, request: Parameters<typeof eventPage>[1]): Readable {
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
      ports.dropped.add();
      ports.log.warn({ userId: principal.userId, subscriber: name }, 'a stalled event stream was dropped');
      stream.push(STALLED);
      stream.push(null);
      setTimeout(() => stream.destroy(new Error('the reader stalled')), GRACE_MS).unref();
    };
    return stream;
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
      for (const ending of open) ending.abort();
    },
    positions: subscribers.positions,
  };
}
