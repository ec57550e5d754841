import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { Feed } from '@forgelog/eventing/feed.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import type { Span, Tracer } from './tracing.ts';

/** Older events are replayed history, not a part of a current trace. */
const FRESH_MS = 600_000;

export interface FollowerTracing {
  tracer?: Tracer | undefined;
  clock: () => Date;
}

/**
 * Traces projections: a span lasts from an event's arrival until its documents are visible. An attempt that is
 * retried as a whole leaves no span.
 */
export function tracedProjections(
  projections: readonly Projection[],
  tracing: FollowerTracing,
): readonly Projection[] {
  return tracing.tracer
    ? projections.map((projection) => tracedProjection(projection, tracing))
    : projections;
}

function tracedProjection(projection: Projection, tracing: FollowerTracing): Projection {
  const open = new WeakMap<RecordedEvent, Span>();
  return {
    ...projection,
    async project(event, documents) {
      const span = spanOf(tracing, event, `project ${projection.name}`, 'projector');
      if (!span) return projection.project(event, documents);
      open.set(event, span);
      try {
        await projection.project(event, documents);
      } catch (error) {
        span.fail(error);
        span.end();
        throw error;
      }
    },
    applied(events) {
      for (const event of events) open.get(event)?.end();
      projection.applied?.(events);
    },
  };
}

/** Traces policies; each attempt is a span. */
export function tracedPolicies(policies: readonly Policy[], tracing: FollowerTracing): readonly Policy[] {
  return tracing.tracer ? policies.map((policy) => tracedPolicy(policy, tracing)) : policies;
}

function tracedPolicy(policy: Policy, tracing: FollowerTracing): Policy {
  return {
    ...policy,
    async react(event, signal) {
      const span = spanOf(tracing, event, `react ${policy.name}`, 'policy');
      try {
        await policy.react(event, signal);
      } catch (error) {
        span?.fail(error);
        throw error;
      } finally {
        span?.end();
      }
    },
  };
}

export function tracedDelivery(
  feed: string,
  tracing: FollowerTracing,
): ((events: readonly RecordedEvent[]) => void) | undefined {
  if (!tracing.tracer) return undefined;
  return (events) => {
    for (const event of events) spanOf(tracing, event, `publish ${feed}`, 'feed', 'producer')?.end();
  };
}

export function tracedFeed(name: string, feed: Feed, { tracer, clock }: FollowerTracing): Feed {
  if (!tracer) return feed;
  return {
    ...feed,
    async publish(events) {
      const spans = events.flatMap(({ traceparent, time, type, position }) => {
        const metadata = { traceparent };
        return (
          spanOf(
            { tracer, clock },
            { metadata, time, type, position },
            `publish ${name}`,
            'feed',
            'producer',
          ) ?? []
        );
      });
      try {
        await feed.publish(events);
      } catch (error) {
        for (const span of spans) span.fail(error);
        throw error;
      } finally {
        for (const span of spans) span.end();
      }
    },
  };
}

/** undefined for an event without a trace, or with one of the past. */
function spanOf(
  { tracer, clock }: FollowerTracing,
  event: Pick<RecordedEvent, 'time' | 'type' | 'position'> & {
    metadata: { traceparent?: string | undefined };
  },
  name: string,
  component: string,
  kind: 'consumer' | 'producer' = 'consumer',
): Span | undefined {
  const parent = event.metadata.traceparent;
  if (!tracer || parent === undefined) return undefined;
  if (clock().getTime() - Date.parse(event.time) > FRESH_MS) return undefined;
  const attributes = { 'forgelog.event': event.type, 'forgelog.position': event.position };
  return tracer.start(name, { component, kind, parent, attributes });
}
