import { customAttributeEvents } from '@forgelog/contracts/admin/custom-attributes/custom-attribute.events.ts';
import { type EventDefinition, fieldsOf, isPublished } from '@forgelog/contracts/event.ts';
import { events } from '@forgelog/contracts/events.ts';
import { expect, test } from 'vitest';
import { partOf, partOfType } from './place-readers.ts';

const ofAdministrators: readonly EventDefinition[] = customAttributeEvents;

/** Lists of a person, bookkeeping and measurements are for administrators alone, and what only they see. */
const isForAdministrators = (event: EventDefinition) => {
  const { audit } = event;
  return ofAdministrators.includes(event) || audit === 'own' || audit === 'system' || audit === 'part';
};

test('every event of a project or group is a part of it, or for administrators alone', () => {
  const ofPlaces = events.filter((event) => {
    const fields = fieldsOf(event);
    return isPublished(event) && (fields.includes('projectId') || fields.includes('groupId'));
  });
  expect(ofPlaces.length).toBeGreaterThan(30);
  const wanted = ofPlaces.filter((event) => !isForAdministrators(event)).map(({ type }) => type);
  expect([...partOfType.keys()].sort(), 'name a new event type in place-readers.ts').toEqual(wanted.sort());
});

test('a discussion is a part of what is discussed', () => {
  const of = (noteableType: string) => partOf({ type: 'NoteAdded', data: { noteableType } });
  expect([of('Issue'), of('MergeRequest'), of('Commit')]).toEqual(['issues', 'merge_requests', 'repository']);
});
