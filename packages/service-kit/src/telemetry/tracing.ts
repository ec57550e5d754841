/**
 * Port: traces. What carries a trace is a W3C `traceparent` (`00-<trace>-<span>-<flags>`) in the data itself: in a
 * request's header, in the origin of a command, in the envelope of an event. So a trace goes on in whoever projects or
 * relays the event, in another process and minutes later, and nothing has to be patched for it. Where tracing is off
 * there is no tracer, and nothing carries a traceparent.
 */
export interface Tracer {
  start(name: string, options: SpanOptions): Span;
}

export interface SpanOptions {
  /** Which part of the system does it: gateway, tracker, projector… */
  component: string;
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** traceparent of what this is part of; a trace of its own without one, or with one that is none. */
  parent?: string;
  attributes?: Attributes;
}

export interface Span {
  /** To hand on to what this span causes. */
  readonly traceparent: string;
  name(name: string): void;
  set(attributes: Attributes): void;
  fail(error: unknown): void;
  end(): void;
}

export type Attributes = Record<string, string | number | boolean | undefined>;

/** The trace's id, for log lines. */
export const traceIdOf = (traceparent: string | undefined): string | undefined => traceparent?.slice(3, 35);

const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/** null for what is no traceparent. */
export function parseTraceparent(
  text: string | undefined,
): { traceId: string; spanId: string; flags: number } | null {
  const match = text === undefined || text.startsWith('ff') ? null : TRACEPARENT.exec(text);
  return match && { traceId: match[1]!, spanId: match[2]!, flags: Number.parseInt(match[3]!, 16) };
}
