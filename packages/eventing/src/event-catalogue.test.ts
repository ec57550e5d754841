import { defineEvent } from '@forgelog/contracts/event.ts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type RecordedEvent, SYSTEM_METADATA } from './event.ts';
import { createCatalogue, InvalidEventError, UnknownEventTypeError } from './event-catalogue.ts';

const schema = z.object({ title: z.string(), author: z.object({ email: z.string() }) });
const Renamed = defineEvent({
  type: 'Renamed',
  version: 3,
  description: 'It has another name.',
  subject: 'thing-<id>',
  service: 'test',
  audit: 'content',
  activity: 'unnamed',
  schema,
  upcast: {
    1: (data: { name: string }) => ({ title: data.name }),
    2: (data: { title: string }) => ({ ...data, author: { email: '' } }),
  },
});
const catalogue = createCatalogue([Renamed]);

const recorded = (data: unknown, schemaVersion: number, type = 'Renamed'): RecordedEvent => ({
  id: 'id',
  type,
  schemaVersion,
  time: '',
  data,
  metadata: SYSTEM_METADATA,
  stream: 'thing-1',
  revision: 4,
  position: '9',
});

test('old versions are upcast step by step', () => {
  const now = { title: 't', author: { email: '' } };
  expect(catalogue.read(recorded({ name: 't' }, 1))).toMatchObject({ schemaVersion: 3, data: now });
  expect(catalogue.read(recorded({ title: 't' }, 2))).toMatchObject({ schemaVersion: 3, data: now });
  expect(catalogue.read(recorded(now, 3)).data).toEqual(now);
});

test('data that breaks the contract is rejected on append and on read, with its place', () => {
  expect(() => catalogue.parse('Renamed', { title: 1 })).toThrow(InvalidEventError);
  expect(() => catalogue.parse('Renamed', { title: 1 })).toThrow(/title/);
  expect(() => catalogue.read(recorded({}, 3))).toThrow(/at 9 \(thing-1\/4\)/);
  expect(() => catalogue.read(recorded({}, 4))).toThrow(/has version 4, this program knows 3/);
  expect(() => catalogue.read(recorded({}, 1, 'Other'))).toThrow(UnknownEventTypeError);
});

test('a type is defined once', () => {
  expect(() => createCatalogue([Renamed, { ...Renamed }])).toThrow(/defined twice/);
  expect(createCatalogue([Renamed, Renamed]).definitions).toHaveLength(1);
});
