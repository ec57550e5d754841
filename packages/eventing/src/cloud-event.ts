import { publishedData } from '@forgelog/contracts/event.ts';
import type { RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import type { LogIdentity } from './log-identity.ts';

/** CloudEvents 1.0 in JSON. The format requires lower-case extension names. */
export interface CloudEvent {
  specversion: '1.0';
  id: string;
  source: string;
  type: string;
  subject: string;
  time: string;
  datacontenttype: 'application/json';
  dataschema: string;
  /** Extensions: published position, epoch of the log, stream revision and schema version. */
  position: string;
  epoch: string;
  revision: number;
  schemaversion: number;
  /** The actor, credential and origin; absent for what the system does by itself. */
  actorid?: number;
  onbehalfby?: number;
  credentialkind?: string;
  credentialid?: number;
  clientaddress?: string;
  useragent?: string;
  requestid?: string;
  causationid?: string;
  traceparent?: string;
  data: unknown;
}

export function toCloudEvent(
  recorded: RecordedEvent,
  catalogue: EventCatalogue,
  identity: LogIdentity,
): CloudEvent {
  const event = catalogue.read(recorded);
  const definition = catalogue.get(event.type);
  const { metadata } = event;
  return {
    specversion: '1.0',
    id: event.id,
    source: `/forgelog/${identity.id}/${definition.service}`,
    type: event.type,
    subject: catalogue.subjectOf(event),
    time: event.time,
    datacontenttype: 'application/json',
    dataschema: catalogue.schemaAddress(event.type),
    position: identity.publish(event.position),
    epoch: identity.epochOf(event.position),
    revision: event.revision,
    schemaversion: event.schemaVersion,
    actorid: metadata.actorId ?? undefined,
    onbehalfby: metadata.onBehalfBy ?? undefined,
    credentialkind: metadata.credential?.kind,
    credentialid: metadata.credential?.id ?? undefined,
    clientaddress: metadata.clientAddress ?? undefined,
    useragent: metadata.userAgent,
    requestid: metadata.requestId ?? undefined,
    causationid: metadata.causationId ?? undefined,
    traceparent: metadata.traceparent,
    data: publishedData(definition, event.data),
  };
}
