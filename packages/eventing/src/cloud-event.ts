import type { RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';

/** An event as it leaves the system: CloudEvents 1.0 in JSON. Extension names are lower-case, as the format asks. */
export interface CloudEvent {
  specversion: '1.0';
  id: string;
  /** `/forgelog/<service>`. */
  source: string;
  type: string;
  /** The stream. */
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  /** Extensions: place in the log, place in the stream, version of the data. */
  position: string;
  revision: number;
  schemaversion: number;
  /** Who, through what and from where; absent where the system did it by itself. */
  actorid?: number;
  onbehalfby?: number;
  credentialkind?: string;
  credentialid?: number;
  clientaddress?: string;
  requestid?: string;
  causationid?: string;
  /** CloudEvents' own extension for distributed tracing. */
  traceparent?: string;
  data: unknown;
}

/** Data goes out at its current version and without what its contract withholds. */
export function toCloudEvent(recorded: RecordedEvent, catalogue: EventCatalogue): CloudEvent {
  const event = catalogue.read(recorded);
  const { service, withheld } = catalogue.get(event.type);
  const { metadata } = event;
  return {
    specversion: '1.0',
    id: event.id,
    source: `/forgelog/${service}`,
    type: event.type,
    subject: event.stream,
    time: event.time,
    datacontenttype: 'application/json',
    position: event.position,
    revision: event.revision,
    schemaversion: event.schemaVersion,
    actorid: metadata.actorId ?? undefined,
    onbehalfby: metadata.onBehalfBy ?? undefined,
    credentialkind: metadata.credential?.kind,
    credentialid: metadata.credential?.id ?? undefined,
    clientaddress: metadata.clientAddress ?? undefined,
    requestid: metadata.requestId ?? undefined,
    causationid: metadata.causationId ?? undefined,
    traceparent: metadata.traceparent,
    data: withheld.length === 0 ? event.data : without(event.data as Record<string, unknown>, withheld),
  };
}

function without(data: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const kept = Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)));
  if (typeof kept.changes === 'object' && kept.changes !== null) {
    kept.changes = without(kept.changes as Record<string, unknown>, names);
  }
  return kept;
}
