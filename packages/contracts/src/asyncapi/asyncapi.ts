import type { Endpoint } from '../endpoint.ts';
import {
  ACCESS_LOG,
  type EventDefinition,
  type EventExample,
  isInLog,
  isPublished,
  publishedData,
  topicOf,
} from '../event.ts';
import { streamAccessEvents } from '../gateway/access-log/access-log.api.ts';
import { streamEvents } from '../gateway/event-stream/event-stream.api.ts';
import { lifetimes } from '../lifetimes.ts';
import type { JsonSchema } from '../params.ts';
import { PERSONAL, personalData } from '../personal-data.ts';
import { NOT_SERVED } from '../shared/not-served.ts';
import { eventSchemas } from './event-schema.ts';
import { LIFETIME_RULES, lifetimeExtensions } from './lifetime-extensions.ts';
import { RIGHTS } from './rights.ts';

/** The services that publish events, each to its own topic. */
export const feedServices = (events: readonly EventDefinition[]): string[] =>
  [...new Set(events.filter(isPublished).map(({ service }) => service))].sort();

/**
 * Prints the AsyncAPI 3.0 document of the published events: a message per event type, a channel per Kafka topic, and
 * the channel of server-sent events. `version` is that of the contract of events.
 */
export function printAsyncApi(
  events: readonly EventDefinition[],
  { version, externalUrl }: { version: string; externalUrl: string },
): JsonSchema {
  const leaving = events.filter(isPublished);
  const services = feedServices(events);
  const topics = services.map((service) => [service, topicChannel(service, leaving)] as const);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Forgelog events',
      version,
      description:
        'Everything that happens in Forgelog, as CloudEvents 1.0 in JSON: on a Kafka topic per service, and as server-sent events at /api/v4/event_stream; the access log is apart, at /api/v4/access_event_stream. The version is that of the contract of events, not that of the program.',
      license: { name: 'Apache-2.0' },
      'x-lifetimes': LIFETIME_RULES,
      'x-rights': RIGHTS,
      'x-not-served': {
        description:
          'Settings of features that this server does not have yet. Events tell what was set, and answers of the API show these values unless it is null.',
        settings: NOT_SERVED,
      },
    },
    defaultContentType: 'application/cloudevents+json',
    servers: servers(externalUrl),
    channels: {
      ...Object.fromEntries(topics),
      [STREAM]: streamChannel(STREAM, leaving.filter(isInLog)),
      [ACCESS_STREAM]: streamChannel(ACCESS_STREAM, ofService(ACCESS_LOG, leaving)),
    },
    operations: {
      ...Object.fromEntries(services.map((service) => [`publish-${service}`, publishing(service, leaving)])),
      'stream-events': streaming(STREAM, streamEvents),
      'stream-access-events': streaming(ACCESS_STREAM, streamAccessEvents),
    },
    components: {
      messages: Object.fromEntries(leaving.map((event) => [event.type, message(event)])),
      schemas: eventSchemas(leaving, '#/components/schemas'),
    },
  };
}

const STREAM = 'event_stream';
const ACCESS_STREAM = 'access_event_stream';

function servers(externalUrl: string): JsonSchema {
  const { protocol, host } = new URL(externalUrl);
  return {
    http: {
      host,
      protocol: protocol.slice(0, -1),
      pathname: '/api/v4',
      description: 'The instance itself.',
      security: [{ type: 'httpApiKey', in: 'header', name: 'PRIVATE-TOKEN' }],
    },
    kafka: {
      host: '{broker}',
      protocol: 'kafka',
      description: 'Where the instance has a Kafka that it feeds.',
      variables: { broker: { description: 'A broker of `KAFKA_BROKERS`.', default: 'localhost:9092' } },
    },
  };
}

const messagesOf = (events: readonly EventDefinition[]) =>
  Object.fromEntries(events.map(({ type }) => [type, { $ref: `#/components/messages/${type}` }]));

const ofService = (service: string, events: readonly EventDefinition[]) =>
  events.filter((event) => event.service === service);

function topicChannel(service: string, events: readonly EventDefinition[]): JsonSchema {
  const topic = topicOf(service);
  return {
    address: topic,
    title: `Events of ${service}`,
    servers: [{ $ref: '#/servers/kafka' }],
    messages: messagesOf(ofService(service, events)),
    bindings: { kafka: { topic, bindingVersion: '0.5.0' } },
  };
}

const publishing = (service: string, events: readonly EventDefinition[]): JsonSchema => ({
  action: 'send',
  channel: { $ref: `#/channels/${service}` },
  summary: `Every event of ${service}, once at least, each stream in order`,
  messages: ofService(service, events).map(({ type }) => ({
    $ref: `#/channels/${service}/messages/${type}`,
  })),
});

const streamChannel = (name: string, events: readonly EventDefinition[]): JsonSchema => ({
  address: `/${name}`,
  title: name === STREAM ? 'Events of all services' : 'Events of the access log',
  description:
    'Server-sent events in order. Of each, `event` is the type, `id` the position and `data` the event.',
  servers: [{ $ref: '#/servers/http' }],
  messages: messagesOf(events),
});

const streaming = (name: string, { summary, method, params }: Endpoint): JsonSchema => ({
  action: 'send',
  channel: { $ref: `#/channels/${name}` },
  summary,
  bindings: {
    http: {
      method,
      query: {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(params).map(([parameter, { schema }]) => [parameter, schema]),
        ),
      },
      bindingVersion: '0.3.0',
    },
  },
});

const HEADERS: JsonSchema = {
  title: 'KafkaHeaders',
  type: 'object',
  properties: { position: { type: 'string', description: 'On Kafka, the same as in the payload.' } },
};

function message(event: EventDefinition): JsonSchema {
  const { type } = event;
  const inData = personalData(event);
  return {
    name: type,
    title: type,
    summary: event.description,
    contentType: 'application/cloudevents+json',
    headers: HEADERS,
    payload: { $ref: `#/components/schemas/${type}` },
    examples: event.example === undefined ? [] : [{ payload: published(event, event.example) }],
    bindings: {
      kafka: { key: { type: 'string', description: 'The stream, as in `subject`' }, bindingVersion: '0.5.0' },
    },
    ...lifetimeExtensions(type, lifetimes),
    ...(inData.length > 0 ? { [PERSONAL]: inData } : {}),
  };
}

const published = (event: EventDefinition, example: EventExample) => ({
  ...example,
  data: publishedData(event, example.data),
});
