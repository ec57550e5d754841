import { expect, test } from 'vitest';
import { z } from 'zod';
import { pruned, type Shape, shapeOf } from './shape.ts';
import { addedFields, obstacles } from './shape-changes.ts';

const shape = (schema: z.ZodType): Shape =>
  shapeOf(z.toJSONSchema(schema, { io: 'output', target: 'draft-7' }) as Shape);

const before = z.object({
  id: z.int(),
  title: z.string().nullable(),
  kind: z.enum(['bug', 'task']),
  changes: z.object({ title: z.string() }).partial(),
  labels: z.array(z.object({ name: z.string() })),
});

const between = (next: z.ZodType) => obstacles(shape(before), shape(next));

test('added fields, fewer values and fields that are always there are no obstacle', () => {
  expect(between(before)).toEqual([]);
  const next = before.extend({
    colour: z.string(),
    title: z.string(),
    kind: z.enum(['bug']),
    changes: z.object({ title: z.string(), colour: z.string() }),
    labels: z.array(z.object({ name: z.string(), colour: z.string().optional() })),
  });
  expect(between(next)).toEqual([]);
  expect(addedFields(shape(before), shape(next)).sort()).toEqual([
    'changes.colour',
    'colour',
    'labels[].colour',
  ]);
});

test.each<[string, z.ZodType, string]>([
  ['a field is gone', before.omit({ id: true }), 'id is gone'],
  ['a field may be absent', before.partial({ id: true }), 'id may be absent'],
  ['a field may be null', before.extend({ id: z.int().nullable() }), 'id may be null'],
  ['a field has another type', before.extend({ id: z.string() }), 'id may be string'],
  ['a value is new', before.extend({ kind: z.enum(['bug', 'epic']) }), 'kind may be `epic`'],
  ['any value is possible', before.extend({ kind: z.string() }), 'kind may be any string'],
  ['a nested field is gone', before.extend({ changes: z.object({}) }), 'changes.title is gone'],
  [
    'a field of an item is gone',
    before.extend({ labels: z.array(z.object({ id: z.int() })) }),
    'labels[].name is gone',
  ],
])('what a reader cannot know is an obstacle: %s', (_, next, reason) => {
  expect(between(next)).toContain(reason);
});

test('added values are no obstacle exactly at the paths where they are expected', () => {
  const of = (...names: string[]) => {
    const kind = z.enum(names);
    return shape(z.object({ kind, changes: z.object({ kind, list: z.array(kind) }) }));
  };
  const added = (...growing: string[]) => obstacles(of('bug'), of('bug', 'epic'), growing);
  expect(added()).toHaveLength(3);
  expect(added('kind')).toEqual(['changes.kind may be `epic`', 'changes.list[] may be `epic`']);
  expect(added('changes.kind', 'changes.list[]')).toEqual(['kind may be `epic`']);
  expect(added('kind', 'changes.kind', 'changes.list[]')).toEqual([]);
});

test('words that only people read are no change', () => {
  const described = before.extend({ id: z.int().describe('The id.').meta({ title: 'Id' }) });
  expect(shape(described)).toEqual(shape(before));
});

test('a value loses what the shape does not name, in lists and in nullable objects too', () => {
  const known = shape(
    z.object({
      list: z.array(z.object({ a: z.int() })),
      maybe: z.object({ a: z.int() }).nullable(),
      open: z.record(z.string(), z.int()),
    }),
  );
  expect(
    pruned({ list: [{ a: 1, b: 2 }], maybe: { a: 1, b: 2 }, open: { x: 1 }, other: [1] }, known),
  ).toEqual({ list: [{ a: 1 }], maybe: { a: 1 }, open: { x: 1 } });
  expect(pruned({ list: [], maybe: null, open: {} }, known)).toEqual({ list: [], maybe: null, open: {} });
});
