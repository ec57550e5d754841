import { type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { expect, test } from 'vitest';
import { PrintedEvent } from './printed-event.ts';

const event = (): RecordedEvent => ({
  ...{ id: 'e', type: 'Told', schemaVersion: 1, time: '2026-01-01T00:00:00.000Z', data: { text: 'a' } },
  ...{ metadata: SYSTEM_METADATA, stream: 's', revision: 0, position: '1' },
});

test('an event remembers its print; others that are equal to it, and copies of it, have none', () => {
  const printed = event();
  const frame = { id: '1', json: '{}' };
  expect(PrintedEvent.frameOf(printed)).toBeUndefined();
  PrintedEvent.remember(printed, frame);
  expect(PrintedEvent.frameOf(printed)).toBe(frame);
  expect(PrintedEvent.frameOf(event())).toBeUndefined();
  expect(PrintedEvent.frameOf({ ...printed })).toBeUndefined();
  expect(PrintedEvent.frameOf(structuredClone(printed))).toBeUndefined();
});

test('nobody sees the print of an event', () => {
  const printed = event();
  PrintedEvent.remember(printed, { id: '1', json: '{}' });
  expect(Reflect.ownKeys(printed)).toEqual(Reflect.ownKeys(event()));
  expect(JSON.stringify(printed)).toBe(JSON.stringify(event()));
});
