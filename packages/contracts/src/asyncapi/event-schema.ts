import { z } from 'zod';
import type { EventDefinition } from '../event.ts';
import { eventSchemaPath } from '../event.ts';
import { subjectPattern } from '../event-subject.ts';
import type { JsonSchema } from '../params.ts';
import { PERSONAL } from '../personal-data.ts';
import { ENVELOPE } from './envelope.ts';

/** Every keyword in it means the same in later drafts; all generators of types know this one. */
const DIALECT = 'http://json-schema.org/draft-07/schema#';

/** Schemas of the whole event by type, and of the envelope. `place` is where they refer to each other. */
export const eventSchemas = (events: readonly EventDefinition[], place: string): JsonSchema => ({
  Envelope: ENVELOPE,
  ...Object.fromEntries(events.map((event) => [event.type, eventSchema(event, `${place}/Envelope`)])),
});

/** The schema of any published event, as a document of its own at `address`. */
export function eventsDocument(events: readonly EventDefinition[], address: string): JsonSchema {
  return {
    $schema: DIALECT,
    $id: address,
    title: 'ForgelogEvent',
    description: 'An event of any type.',
    oneOf: events.map(({ type }) => ({ $ref: `#/definitions/${type}` })),
    definitions: eventSchemas(events, '#/definitions'),
  };
}

/** The schema of the data of a type, as a document of its own below the address of the instance. */
export const dataDocument = (event: EventDefinition, externalUrl: string): JsonSchema => ({
  $schema: DIALECT,
  $id: `${externalUrl}${eventSchemaPath(event)}`,
  ...dataSchema(event),
});

function eventSchema(event: EventDefinition, envelope: string): JsonSchema {
  const { type, service, version } = event;
  return {
    title: type,
    description: event.description,
    allOf: [{ $ref: envelope }],
    type: 'object',
    properties: {
      type: { const: type, description: 'The event type.' },
      source: {
        type: 'string',
        pattern: `^/forgelog/[0-9a-f-]{36}/${service}$`,
        description: 'The log, and the service that recorded it.',
      },
      subject: {
        type: 'string',
        pattern: subjectPattern(event.subject),
        description: `The stream: \`${event.subject.join('`, `')}\`; a name in brackets is a field of the data where it has one.`,
        ...(event.isSubjectPersonal ? { [PERSONAL]: true } : {}),
      },
      schemaversion: { const: version, description: 'Version of the data.' },
      data: dataSchema(event),
    },
    required: ['type', 'source', 'subject', 'schemaversion', 'data'],
  };
}

/**
 * The data as published: without withheld fields, and open for fields of later versions.
 * @throws Error for a schema that refers to itself: generators of types do not end on some
 */
export function dataSchema({ type, description, schema, withheld }: EventDefinition): JsonSchema {
  const {
    $schema: _,
    definitions,
    ...printed
  } = z.toJSONSchema(schema, {
    io: 'output',
    target: 'draft-7',
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  if (definitions !== undefined) throw new Error(`event ${type}: its data refers to itself`);
  return { ...titled({ description, ...without(printed, withheld) }, type), title: `${type}Data` };
}

/** Names objects and enumerations by their place, because generated types are named by titles. */
function titled(schema: JsonSchema, name: string): JsonSchema {
  const named: JsonSchema =
    isSchema(schema.properties) || schema.enum ? { title: name, ...schema } : { ...schema };
  for (const variants of VARIANTS)
    if (Array.isArray(named[variants])) named[variants] = named[variants].map((each) => titled(each, name));
  if (isSchema(named.items)) named.items = titled(named.items, `${name}Item`);
  if (isSchema(named.properties))
    named.properties = Object.fromEntries(
      Object.entries(named.properties).map(([field, each]) => [
        field,
        titled(each as JsonSchema, `${name}${pascal(field)}`),
      ]),
    );
  return named;
}

const VARIANTS = ['anyOf', 'oneOf', 'allOf'];

const pascal = (field: string) =>
  field.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Removes what `publishedData` removes. */
function without(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (names.length === 0) return schema;
  const open: JsonSchema = { ...schema };
  for (const variants of VARIANTS)
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
