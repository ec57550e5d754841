import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineEvent, privileged } from './event.ts';

const rest = {
  description: 'A thing moved.',
  subject: 'thing-<thingId>',
  service: 'test',
  activity: 'unnamed',
  schema: z.object({}),
} as const;

test('each earlier version has an upcaster', () => {
  expect(() => defineEvent({ ...rest, type: 'ThingMoved', version: 2, audit: 'content' })).toThrow(
    /no upcaster from version 1/,
  );
});

test('a privileged event is named after its target', () => {
  const define = (type: string) =>
    defineEvent({ ...rest, type, version: 1, audit: privileged('Project', 'Thing') });
  expect(define('ThingMoved').audit).toEqual({ entity: 'Project', target: 'Thing' });
  expect(() => define('MovedThing')).toThrow(/does not begin with Thing/);
});
