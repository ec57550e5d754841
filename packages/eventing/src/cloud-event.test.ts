import { printAsyncApi } from '@forgelog/contracts/asyncapi/asyncapi.ts';
import { defineEvent } from '@forgelog/contracts/event.ts';
import { personal } from '@forgelog/contracts/personal-data.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toCloudEvent } from './cloud-event.ts';
import { SYSTEM_METADATA } from './event.ts';
import { createCatalogue } from './event-catalogue.ts';
import { LogIdentity } from './log-identity.ts';

test('an event is published in the form of the AsyncAPI document', () => {
  const ThingChanged = defineEvent({
    type: 'ThingChanged',
    version: 1,
    description: 'A thing changed.',
    subject: 'thing-<thingId>',
    service: 'things',
    audit: 'content',
    activity: 'unnamed',
    schema: z.object({
      thingId: z.int(),
      secret: z.string().nullable(),
      at: z.iso.datetime(),
      changes: z.object({ name: personal(z.string()), secret: z.string() }).partial(),
    }),
    withheld: ['secret'],
  });
  const { components } = JSON.parse(
    JSON.stringify(
      printAsyncApi([ThingChanged], { version: '1.0', externalUrl: 'https://forgelog.example' }),
    ),
  );
  const message = components.messages.ThingChanged;
  const { data, type, source, schemaversion } = components.schemas.ThingChanged.properties;
  expect([type, source, schemaversion]).toMatchObject([
    { const: 'ThingChanged' },
    { type: 'string', pattern: '^/forgelog/[0-9a-f-]{36}/things$' },
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
    new LogIdentity(crypto.randomUUID()),
  );
  expect(sent.source).toMatch(new RegExp(source.pattern));
  const described = components.schemas.Envelope;
  const { data: _, ...attributes } = JSON.parse(JSON.stringify(sent));
  const names = Object.keys(attributes);
  expect(Object.keys(described.properties)).toEqual(expect.arrayContaining(names));
  expect(names).toEqual(expect.arrayContaining(described.required));
  expect(Object.keys(sent.data as object).sort()).toEqual(Object.keys(data.properties).sort());
  expect((sent.data as { changes: object }).changes).toEqual({ name: 'n' });
});
