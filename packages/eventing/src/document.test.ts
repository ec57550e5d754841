import { expect, test } from 'vitest';
import { adopt, amend, copyDocument, normalise } from './document.ts';
import { defineCollection } from './read-store.ts';
import { type Thing, things } from './testing/sample-collections.ts';

const thing = { id: 1, title: 'a' };

test('a normalised document has every declared field and shares nothing with its input', () => {
  const labels = ['b'];
  const body = { deep: [1] };
  const normal = normalise(things, { ...thing, labels, body, owners: undefined }) as unknown as Thing;
  expect(Object.keys(normal)).toEqual(Object.keys(things.fields));
  expect(normal).toMatchObject({ ...thing, labels, body, owners: null });
  labels.push('c');
  body.deep.push(2);
  expect(normal).toMatchObject({ labels: ['b'], body: { deep: [1] } });
  const copy = copyDocument(normal);
  (copy.labels as string[]).push('d');
  expect(normal.labels).toEqual(['b']);
});

test('the contents of a normalised document are immutable and reused by the next one', () => {
  const labels = ['b'];
  const body = { deep: [{}] };
  const first = normalise(things, { ...thing, labels, body }) as unknown as Thing;
  expect(() => (first.labels as string[]).push('c')).toThrow(TypeError);
  expect(() => (first.body as typeof body).deep.push({})).toThrow(TypeError);
  const next = normalise(things, { ...first, title: 'b' });
  expect(next.labels).toBe(first.labels);
  expect(next.body).toBe(first.body);
  // An object frozen elsewhere may not be deeply frozen.
  const stranger = Object.freeze({ deep: [{}] });
  expect(normalise(things, { ...thing, body: stranger }).body).not.toBe(stranger);
});

test('a document from a store counts as normalised', () => {
  const read = { ...thing, labels: ['b'], body: { deep: [1] } };
  const adopted = adopt(things, read) as unknown as Thing;
  expect(adopted).toBe(read);
  expect(() => (adopted.labels as string[]).push('c')).toThrow(TypeError);
  expect(normalise(things, { ...adopted }).body).toBe(read.body);
});

test('values that databases store differently are unified: lone surrogates and negative zero', () => {
  expect(normalise(things, { id: -0, title: 'a\ud800', labels: ['\ud800'] })).toMatchObject({
    id: 0,
    title: 'a\ufffd',
    labels: ['\ufffd'],
  });
});

test.each([
  ['a field that is not declared', { ...thing, nothing: 1 }, 'no field nothing'],
  ['text that is a number', { ...thing, title: 1 }, 'things.title: 1 is not text'],
  ['a whole number that is none', { ...thing, group: 1.5 }, 'things.group: 1.5 is not integer'],
  ['no key', { title: 'a' }, 'things.id is null'],
])('%s is rejected', (_, document, says) => {
  expect(() => normalise(things, document)).toThrow(new RegExp(`${says}$`));
});

test('a field that may not be null is always there', () => {
  const people = defineCollection({
    name: 'people',
    key: 'id',
    fields: { id: 'integer', name: 'text', nickname: 'text?' },
    indexes: [],
  });
  expect(people.fields).toEqual({ id: 'integer', name: 'text', nickname: 'text' });
  const person = normalise(people, { id: 1, name: 'Ann' });
  expect(person).toEqual({ id: 1, name: 'Ann', nickname: null });
  expect(() => normalise(people, { id: 1, nickname: 'A' })).toThrow('people.name is null');
  expect(() => amend(people, person, { name: null })).toThrow('people.name is null');
  expect(amend(people, person, { nickname: null })).toEqual(person);
});

test('amended fields are checked like any others', () => {
  const first = normalise(things, { ...thing, labels: ['b'] });
  const next = amend(things, first, { title: null, group: -0 });
  expect(next).toEqual({ ...first, title: null, group: 0 });
  expect(first).toMatchObject(thing);
  expect(next.labels).toBe(first.labels);
  expect(() => amend(things, first, { title: 1 })).toThrow('things.title: 1 is not text');
  expect(() => amend(things, first, { id: 2 })).toThrow('things.id is no field that can be changed');
  expect(() => amend(things, first, { nothing: 2 })).toThrow(
    'things.nothing is no field that can be changed',
  );
});
