import { z } from 'zod';
import { type EventDefinition, type EventExample, isPublished, publishedData, topicOf } from '../event.ts';
import { subjectPattern } from '../event-subject.ts';
import { lifetimes } from '../lifetimes.ts';
import type { JsonSchema } from '../params.ts';
import { LIFETIME_RULES, lifetimeExtensions } from './lifetime-extensions.ts';
import { RIGHTS } from './rights.ts';

/** The services that publish events, each to its own topic. */
export const feedServices = (events: readonly EventDefinition[]): string[] =>
  [...new Set(events.filter(isPublished).map(({ service }) => service))].sort();

/** Prints the AsyncAPI 3.0 document of the published events: a channel per service, a message per event type. */
export function printAsyncApi(events: readonly EventDefinition[], version: string): JsonSchema {
  const leaving = events.filter(isPublished);
  const schemas: JsonSchema = { Envelope: ENVELOPE };
  const channels: JsonSchema = {};
  const operations: JsonSchema = {};
  for (const service of feedServices(events)) {
    const own = leaving.filter((event) => event.service === service);
    channels[service] = channel(service, own);
    operations[`publish-${service}`] = {
      action: 'send',
      channel: { $ref: `#/channels/${service}` },
      summary: `Every event of ${service}, once at least, each stream in order`,
      messages: own.map(({ type }) => ({ $ref: `#/channels/${service}/messages/${type}` })),
    };
  }
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Forgelog events',
      version,
      description:
        'Everything that happens in Forgelog, as CloudEvents 1.0 in JSON: on a Kafka topic per service, and as server-sent events at /api/v4/event_stream.',
      license: { name: 'Apache-2.0' },
      'x-lifetimes': LIFETIME_RULES,
      'x-rights': RIGHTS,
    },
    defaultContentType: 'application/cloudevents+json',
    channels,
    operations,
    components: {
      messages: Object.fromEntries(leaving.map((event) => [event.type, message(event, schemas)])),
      schemas,
    },
  };
}

function channel(service: string, events: readonly EventDefinition[]): JsonSchema {
  const topic = topicOf(service);
  return {
    address: topic,
    title: `Events of ${service}`,
    messages: Object.fromEntries(events.map(({ type }) => [type, { $ref: `#/components/messages/${type}` }])),
    bindings: { kafka: { topic, bindingVersion: '0.5.0' } },
  };
}

/** Adds the schemas that the message refers to. */
function message(event: EventDefinition, schemas: JsonSchema): JsonSchema {
  const { type, service, version } = event;
  return {
    name: type,
    title: type,
    summary: event.description,
    contentType: 'application/cloudevents+json',
    headers: {
      type: 'object',
      properties: { position: { type: 'string', description: 'The same as in the payload' } },
      required: ['position'],
    },
    examples: event.example === undefined ? [] : [{ payload: published(event, event.example) }],
    payload: {
      allOf: [{ $ref: '#/components/schemas/Envelope' }],
      type: 'object',
      properties: {
        type: { const: type, description: event.description },
        source: {
          type: 'string',
          pattern: `^/forgelog/[0-9a-f-]{36}/${service}$`,
          description: 'The log, and the service that recorded it.',
        },
        subject: {
          type: 'string',
          pattern: subjectPattern(event.subject),
          description: `The stream: \`${event.subject.join('`, `')}\`; a name in brackets is a field of the data where it has one.`,
        },
        schemaversion: { const: version, description: 'Version of the data.' },
        data: { ...dataSchema(event, schemas), description: 'What happened.' },
      },
    },
    bindings: {
      kafka: { key: { type: 'string', description: 'The stream, as in `subject`' }, bindingVersion: '0.5.0' },
    },
    ...lifetimeExtensions(type, lifetimes),
    ...(event.personalData.length > 0 ? { 'x-personal-data': event.personalData } : {}),
  };
}

const published = (event: EventDefinition, example: EventExample) => ({
  ...example,
  data: publishedData(event, example.data),
});

/** The data as published: without withheld fields, and open for fields of later versions. */
function dataSchema({ type, schema, withheld }: EventDefinition, schemas: JsonSchema): JsonSchema {
  const printed = z.toJSONSchema(schema, {
    io: 'output',
    target: 'draft-7',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  // A recursive schema becomes a component: its own references would break inside a larger document.
  const placed = JSON.stringify(printed).replaceAll('"#/definitions/', `"#/components/schemas/${type}.`);
  const { $schema: _, definitions = {}, ...data } = JSON.parse(placed) as JsonSchema;
  for (const [name, definition] of Object.entries(definitions as JsonSchema))
    schemas[`${type}.${name}`] = definition;
  return without(data, withheld);
}

/** Removes what `publishedData` removes. */
function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (names.length === 0) return schema;
  const open: JsonSchema = { ...schema };
  for (const variants of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(open[variants])) open[variants] = open[variants].map((each) => without(each, names));
  if (!isSchema(open.properties)) return open;
  const kept = Object.entries(open.properties).filter(([name]) => !names.includes(name));
  open.properties = Object.fromEntries(
    kept.map(([name, each]) => [name, isSchema(each) ? without(each, names) : each]),
  );
  if (Array.isArray(open.required)) open.required = open.required.filter((name) => !names.includes(name));
  return open;
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const text = (description: string): JsonSchema => ({ type: 'string', description });
const whole = (description: string): JsonSchema => ({ type: 'integer', description });

const ENVELOPE: JsonSchema = {
  type: 'object',
  properties: {
    specversion: { const: '1.0', description: 'Version of CloudEvents.' },
    id: { type: 'string', format: 'uuid', description: 'The same however often the event arrives.' },
    source: text(
      'The log, named by the id of its first event, and the service: `/forgelog/<log>/<service>`.',
    ),
    type: text('The event type.'),
    subject: text('The stream: what the event happened to.'),
    time: { type: 'string', format: 'date-time', description: 'When it was recorded, in UTC.' },
    datacontenttype: { const: 'application/json', description: 'The form of the data.' },
    position: text('Place in the log: later events have greater ones, compared as text.'),
    epoch: text('The log between two restores: each restore begins a greater one, compared as text.'),
    revision: whole('Place in the stream, from 0 on without gap.'),
    schemaversion: whole('Version of the data.'),
    actorid: whole('Id of the user who did it; absent where the system did.'),
    onbehalfby: whole('Id of the administrator who acted as that user.'),
    credentialkind: text('What the caller authenticated with.'),
    credentialid: whole('Id of the credential, where it has one.'),
    clientaddress: { ...text('Address that the request came from.'), 'x-personal-data': true },
    useragent: { ...text('What the client said that it is.'), 'x-personal-data': true },
    requestid: text('The request, as in the header `X-Request-Id` of its answer.'),
    causationid: text('Id of the event that this one follows from.'),
    traceparent: text('W3C trace context of the request that caused it, where the instance traces.'),
    data: { description: 'What happened: its schema depends on the type.' },
  },
  required: [
    'specversion',
    'id',
    'source',
    'type',
    'subject',
    'time',
    'datacontenttype',
    'position',
    'epoch',
    'revision',
    'schemaversion',
    'data',
  ],
};
