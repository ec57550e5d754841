import specs from '@asyncapi/specs';
import { toCloudEvent } from '@forgelog/eventing/cloud-event.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { createCatalogue, defineEvent } from '@forgelog/eventing/event-catalogue.ts';
import { IdsReserved } from '@forgelog/eventing/id-allocator.ts';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { feedServices, printAsyncApi } from './asyncapi.ts';
import { events } from './events.ts';

type Document = ReturnType<typeof JSON.parse>;
const print = (definitions: Parameters<typeof printAsyncApi>[0]): Document =>
  JSON.parse(JSON.stringify(printAsyncApi(definitions, '1.0.0')));

test('the document is what the schema of the format says', () => {
  // The schema brings the one that schemas are checked against itself.
  const ajv = new Ajv({ strict: false, validateFormats: false, meta: false, validateSchema: false });
  const valid = ajv.compile(specs.schemas['3.0.0']);
  const document = print(events);
  expect([valid(document), valid.errors]).toEqual([true, null]);
  document.channels.admin.messages = [];
  expect(valid(document)).toBe(false);
});

test('every reference leads somewhere', () => {
  const document = print(events);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
  expect(references.length).toBeGreaterThan(2 * events.length);
  const dangling = references.filter(
    (path) => path.split('/').reduce<Document>((at, name) => at?.[name], document) === undefined,
  );
  expect(dangling).toEqual([]);
});

test('every event type is a message of its service, and of no other', () => {
  const { channels, components } = print(events);
  const leaving = events.filter(({ type }) => type !== IdsReserved.type);
  for (const service of feedServices(events)) {
    const own = leaving.filter((event) => event.service === service).map(({ type }) => type);
    expect(Object.keys(channels[service].messages).sort()).toEqual(own.sort());
    expect(channels[service].address).toBe(`forgelog.${service}`);
  }
  expect(Object.keys(components.messages).sort()).toEqual(leaving.map(({ type }) => type).sort());
  expect(channels).not.toHaveProperty('eventing');
});

test('what is withheld is nowhere in the document', () => {
  const withheld = new Set(events.flatMap((event) => event.withheld));
  expect(withheld.size).toBeGreaterThan(0);
  const text = JSON.stringify(print(events));
  for (const name of withheld) expect(text).not.toContain(`"${name}"`);
});

test('the payload is what the feed sends', () => {
  const ThingChanged = defineEvent({
    type: 'ThingChanged',
    version: 1,
    service: 'things',
    schema: z.object({
      thingId: z.int(),
      secret: z.string().nullable(),
      at: z.iso.datetime(),
      changes: z.object({ name: z.string(), secret: z.string() }).partial(),
    }),
    personalData: ['changes.name'],
    withheld: ['secret'],
  });
  const message = print([ThingChanged]).components.messages.ThingChanged;
  const { data, type, source, schemaversion } = message.payload.properties;
  expect([type, source, schemaversion]).toEqual([
    { const: 'ThingChanged' },
    { const: '/forgelog/things' },
    { const: 1 },
  ]);
  expect(data).toMatchObject({
    type: 'object',
    required: ['thingId', 'at', 'changes'],
    properties: { changes: { properties: { name: { type: 'string' } } } },
  });
  expect(data).not.toHaveProperty('additionalProperties');
  expect(message['x-personal-data']).toEqual(['changes.name']);
  const sent = toCloudEvent(
    {
      id: crypto.randomUUID(),
      type: 'ThingChanged',
      schemaVersion: 1,
      time: new Date(0).toISOString(),
      data: { thingId: 1, secret: 's', at: new Date(0).toISOString(), changes: { name: 'n', secret: 's' } },
      metadata: { ...SYSTEM_METADATA, actorId: 1, onBehalfBy: 2, clientAddress: 'a', requestId: 'r' },
      stream: 'thing-1',
      revision: 0,
      position: '1',
    },
    createCatalogue([ThingChanged]),
  );
  const described = print([ThingChanged]).components.schemas.Envelope;
  const names = Object.keys(JSON.parse(JSON.stringify(sent)));
  expect(Object.keys(described.properties)).toEqual(expect.arrayContaining(names));
  expect(names).toEqual(expect.arrayContaining(described.required));
  expect(Object.keys(sent.data as object).sort()).toEqual(Object.keys(data.properties).sort());
  expect((sent.data as { changes: object }).changes).toEqual({ name: 'n' });
});
