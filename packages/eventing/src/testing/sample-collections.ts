import fc from 'fast-check';
import type { Condition, Scalar, SortKey } from '../query.ts';
import { type DocumentOf, defineCollection } from '../read-store.ts';
import { wordsOf } from '../words.ts';

/** Collections that use every kind of declaration, with random documents and queries. */

export const things = defineCollection({
  name: 'some_things',
  key: 'id',
  fields: {
    id: 'integer',
    group: 'integer?',
    rank: 'integer?',
    weight: 'number?',
    title: 'text?',
    note: 'text?',
    open: 'boolean?',
    createdAt: 'text?',
    owners: 'integer[]?',
    labels: 'text[]?',
    loose: 'text[]?',
    body: 'json?',
  },
  indexes: [['group', '-createdAt'], ['group', 'open', 'title'], ['owners'], ['labels'], ['-weight']],
  search: ['title'],
  words: ['title', 'note'],
});

export const names = defineCollection({
  name: 'names',
  key: 'path',
  fields: { path: 'text', owner: 'integer?', slug: 'text?', tags: 'text[]?' },
  indexes: [['owner'], ['tags']],
  unique: [['owner', 'slug']],
});

export type Thing = DocumentOf<typeof things>;
export type Name = DocumentOf<typeof names>;

const integer = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.maxSafeInteger());
const number = fc
  .oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => value + 0);
const text = fc.oneof(
  fc.constantFrom('', 'a', 'A', 'ab', 'Äb', 'äB', 'b', 'ｚ', '🙂', 'İ', "it's", '%', '_', '"', 'a\0b'),
  // The Kelvin sign folds to k, a decomposed Ä equals Ä, and a final sigma has its own form.
  fc.constantFrom('Ok', 'o\u212a', 'A\u0308B', 'ΟΣ', 'σο', '\0B', 'ÄB\0a'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
/** Words that begin and end alike, and differ in accents, case and script. */
const word = fc.constantFrom(
  ...[
    'a',
    'A',
    'ab',
    'abc',
    'Äbc',
    'abcd',
    'bc',
    'ok',
    'o\u212a',
    'ΟΣ',
    'οσα',
    'straße',
    'STRASSE',
    '検索',
    '検',
    '7',
    '70',
  ],
  ...['ab\u200bc', '\u202eabc', 'AND', 'NOT', 'NEAR'],
);
const prose = fc
  .array(fc.tuple(word, fc.constantFrom(' ', '"', '*', '-', '_', '^', ': ', '(', '\0', '🙂')), {
    maxLength: 5,
  })
  .map((parts) => parts.flat().join(''));
const boolean = fc.boolean();
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });
const owner = fc.integer({ min: 1, max: 4 });
const label = fc.constantFrom('bug', 'Bug', 'ready', '');

const thing = (id: fc.Arbitrary<number>): fc.Arbitrary<Thing> =>
  fc.record({
    id,
    group: orNull(fc.integer({ min: 0, max: 2 })),
    rank: orNull(fc.integer({ min: 0, max: 3 })),
    weight: orNull(number),
    title: orNull(text),
    note: orNull(prose),
    open: orNull(boolean),
    createdAt: orNull(fc.constantFrom('2024-01-01', '2024-01-02', '2024-01-03')),
    owners: orNull(fc.array(owner, { maxLength: 3 })),
    labels: orNull(fc.array(label, { maxLength: 3 })),
    loose: orNull(fc.array(label, { maxLength: 3 })),
    body: orNull(fc.oneof(fc.constant({ a: [1, { b: null }] }), text, integer, boolean)),
  });

export const someThings = fc.uniqueArray(thing(fc.integer({ min: -5, max: 60 })), {
  maxLength: 25,
  selector: ({ id }) => id,
});

const scalars: Record<string, fc.Arbitrary<Scalar>> = {
  id: fc.integer({ min: -5, max: 60 }),
  group: fc.integer({ min: 0, max: 2 }),
  rank: fc.integer({ min: 0, max: 3 }),
  weight: number,
  title: text,
  note: text,
  open: boolean,
  createdAt: fc.constantFrom('2024-01-01', '2024-01-02', '2024-01-03'),
};
const arrays: Record<string, fc.Arbitrary<Scalar>> = { owners: owner, labels: label, loose: label };

const onScalar = (build: (field: string, value: fc.Arbitrary<Scalar>) => fc.Arbitrary<Condition>) =>
  fc
    .constantFrom(...Object.keys(scalars))
    .chain((field) => build(field, scalars[field] as fc.Arbitrary<Scalar>));
const onArray = (build: (field: string, value: fc.Arbitrary<Scalar>) => fc.Arbitrary<Condition>) =>
  fc
    .constantFrom(...Object.keys(arrays))
    .chain((field) => build(field, arrays[field] as fc.Arbitrary<Scalar>));

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  onScalar((field, value) =>
    fc.record({ op: fc.constant('eq' as const), field: fc.constant(field), value: orNull(value) }),
  ),
  onScalar((field, value) =>
    fc.record({
      op: fc.constant('in' as const),
      field: fc.constant(field),
      values: fc.array(value, { maxLength: 12 }),
    }),
  ),
  onScalar((field, value) =>
    fc.record(
      {
        op: fc.constant('range' as const),
        field: fc.constant(field),
        gt: value,
        gte: value,
        lt: value,
        lte: value,
      },
      { requiredKeys: ['op', 'field'] },
    ),
  ),
  onArray((field, value) => fc.record({ op: fc.constant('has' as const), field: fc.constant(field), value })),
  onArray((field, value) =>
    fc.record({
      op: fc.constant('hasAny' as const),
      field: fc.constant(field),
      values: fc.array(value, { maxLength: 3 }),
    }),
  ),
  fc.record({
    op: fc.constant('isEmpty' as const),
    field: fc.constantFrom(...Object.keys(arrays), ...Object.keys(scalars)),
  }),
  fc.record({ op: fc.constant('includes' as const), field: fc.constant('title'), text }),
  fc.record({
    op: fc.constant('words' as const),
    fields: fc.subarray(['title', 'note'], { minLength: 1 }),
    words: fc.oneof(prose, text).map((written) => wordsOf(written).slice(0, 3)),
  }),
);

export const someCondition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      conditions: fc.array(tie('condition'), { maxLength: 3 }),
    }),
    fc.record({ op: fc.constant('not' as const), condition: tie('condition') }),
  ),
})).condition;

export const someSort: fc.Arbitrary<SortKey[]> = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom(...Object.keys(scalars)),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  }),
  { maxLength: 3, selector: ({ field }) => field },
);
