import { expect, test } from 'vitest';
import { type EventDefinition, fieldsOf, isPublished } from './event.ts';
import { events } from './events.ts';
import { lifetimes } from './lifetimes.ts';

const byType = new Map(events.map((event) => [event.type, event]));
const need = (type: string): EventDefinition => {
  const event = byType.get(type);
  if (!event) throw new Error(`no event ${type}`);
  return event;
};

test('rules name fields that their events have', () => {
  for (const { kind, id, begins, ends } of lifetimes) {
    for (const { event, fields, fixed } of begins) {
      const known = fieldsOf(need(event));
      for (const field of Object.values(fields)) expect(known, `${kind}: ${event}`).toContain(field);
      const own = [...known, ...Object.keys(fields), ...Object.keys(fixed)];
      const needed = ends.flatMap(({ match, ofRecord }) => [...Object.keys(match), ...Object.keys(ofRecord)]);
      for (const field of [...id, ...needed]) expect(own, `${kind}: ${event}`).toContain(field);
    }
    for (const { event, match, ofEvent, announcedBy } of ends) {
      const known = fieldsOf(need(event));
      for (const field of [...Object.values(match), ...Object.keys(ofEvent)])
        expect(known, `${kind}: ${event}`).toContain(field);
      if (announcedBy !== null) {
        expect(
          ends.some((own) => own.event === announcedBy),
          `${kind}: ${announcedBy}`,
        ).toBe(true);
        expect(fieldsOf(need(announcedBy))).toContain(id[0]);
      }
    }
  }
});

/** Begin or end no record of their own. */
const OTHER = ['ProjectCreationAbandoned'];

test('an event that is named as a beginning or an end is one of a kind', () => {
  const named = (endings: RegExp) =>
    events.filter((event) => isPublished(event) && endings.test(event.type) && !OTHER.includes(event.type));
  const begin = new Set(lifetimes.flatMap(({ begins }) => begins.map(({ event }) => event)));
  const end = new Set(lifetimes.flatMap(({ ends }) => ends.map(({ event }) => event)));
  const begun = named(/(Created|Opened|Starred|(Member|Note)Added|DiscussionStarted)$/);
  expect(begun.length).toBeGreaterThan(10);
  expect(begun.filter(({ type }) => !begin.has(type)).map(({ type }) => type)).toEqual([]);
  const ended = named(/(Deleted|Removed|Revoked|Ended|Unstarred)$/).filter(
    ({ type }) => !/RecordsEnded$/.test(type),
  );
  expect(ended.length).toBeGreaterThan(10);
  expect(ended.filter(({ type }) => !end.has(type)).map(({ type }) => type)).toEqual([]);
});

test('an event with changes changes one kind of record, which it names', () => {
  const changed = lifetimes.flatMap(({ changes }) => changes);
  const updates = events.filter((event) => fieldsOf(event).includes('changes')).map(({ type }) => type);
  expect(updates.length).toBeGreaterThan(15);
  expect(changed.toSorted()).toEqual(updates.toSorted());
  for (const { kind, id, changes } of lifetimes)
    for (const type of changes)
      expect(fieldsOf(need(type)), `${kind}: ${type}`).toEqual(expect.arrayContaining([...id]));
});

test('a kind is named once', () => {
  const kinds = lifetimes.map(({ kind }) => kind);
  expect(new Set(kinds).size).toBe(kinds.length);
});
