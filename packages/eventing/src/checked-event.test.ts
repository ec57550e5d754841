import { defineEvent } from '@forgelog/contracts/event.ts';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { readOnce } from './checked-event.ts';
import { type RecordedEvent, SYSTEM_METADATA } from './event.ts';
import { createCatalogue, InvalidEventError } from './event-catalogue.ts';

const Named = defineEvent({
  type: 'Named',
  version: 2,
  description: 'It has a name.',
  subject: 'thing-<id>',
  service: 'test',
  audit: 'content',
  activity: 'unnamed',
  schema: z.object({ title: z.string() }),
  upcast: { 1: (data: { name: string }) => ({ title: data.name }) },
});

const recorded = (data: unknown): RecordedEvent => ({
  ...{ id: 'id', type: 'Named', schemaVersion: 1, time: '', data, metadata: SYSTEM_METADATA },
  ...{ stream: 'thing-1', revision: 0, position: '1' },
});

test('an event is read once by a catalogue, and looks as before', () => {
  const catalogue = createCatalogue([Named]);
  const read = vi.spyOn(catalogue, 'read');
  const event = recorded({ name: 'one' });
  const first = readOnce(catalogue, event);
  expect(first).toMatchObject({ schemaVersion: 2, data: { title: 'one' } });
  expect(readOnce(catalogue, event)).toBe(first);
  expect(read).toHaveBeenCalledTimes(1);
  expect(event).toEqual(recorded({ name: 'one' }));
  expect(JSON.stringify(event)).toBe(JSON.stringify(recorded({ name: 'one' })));
});

test('another catalogue reads it by its own definitions', () => {
  const event = recorded({ name: 'one' });
  const Other = { ...Named, upcast: { 1: () => ({ title: 'other' }) } };
  readOnce(createCatalogue([Named]), event);
  expect(readOnce(createCatalogue([Other]), event).data).toEqual({ title: 'other' });
});

test('an event that breaks its contract is refused each time', () => {
  const catalogue = createCatalogue([Named]);
  const event = recorded({});
  for (let time = 0; time < 2; time += 1) expect(() => readOnce(catalogue, event)).toThrow(InvalidEventError);
});
