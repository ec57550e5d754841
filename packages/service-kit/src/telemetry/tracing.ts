/**
 * Port: traces. The data itself carries a W3C `traceparent` (`00-<trace>-<span>-<flags>`): request headers, the
 * origin of a command, the envelope of an event. So a trace continues where the event is projected or relayed, in
 * another process and minutes later. Without tracing nothing carries a traceparent.
 */
export interface Tracer {
  start(name: string, options: SpanOptions): Span;
}

export interface SpanOptions {
  /** The part of the system that does the work: gateway, tracker, projector… */
  component: string;
  kind?: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** The traceparent of the cause; a missing or invalid one starts a new trace. */
  parent?: string;
  attributes?: Attributes;
}

export interface Span {
  /** The parent of whatever this span causes. */
  readonly traceparent: string;
  name(name: string): void;
  set(attributes: Attributes): void;
  fail(error: unknown): void;
  end(): void;
}

export type Attributes = Record<string, string | number | boolean | undefined>;

export const traceIdOf = (traceparent: string | undefined): string | undefined => traceparent?.slice(3, 35);

const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;

export function parseTraceparent(
  text: string | undefined,
): { traceId: string; spanId: string; flags: number } | null {
  const match = text === undefined || text.startsWith('ff') ? null : TRACEPARENT.exec(text);
  return match && { traceId: match[1]!, spanId: match[2]!, flags: Number.parseInt(match[3]!, 16) };
}
