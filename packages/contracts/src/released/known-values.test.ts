import { expect, test } from 'vitest';
import { z } from 'zod';
import { withKnownValues } from './known-values.ts';
import { type Shape, shapeOf } from './shape.ts';

const shape = (schema: z.ZodType): Shape =>
  shapeOf(z.toJSONSchema(schema, { io: 'output', target: 'draft-7' }) as Shape);

const kind = z.enum(['bug', 'task']);
const released = shape(
  z.object({
    kind: kind.nullable(),
    level: z.union([z.literal(1), z.literal(2)]),
    free: z.string(),
    changes: z.object({ list: z.array(z.object({ kind, of: z.array(kind) })) }).nullable(),
  }),
);
const known = (data: unknown, ...paths: string[]) => withKnownValues(data, released, paths);

test.each([
  [{ kind: 'bug' }, { kind: 'bug' }],
  [{ kind: null }, { kind: null }],
  [{ kind: 'epic' }, undefined],
  [{ kind: 'constructor' }, undefined],
  [{}, {}],
  [{ level: 2 }, { level: 2 }],
  [{ level: 3 }, undefined],
  [{ free: 'any' }, { free: 'any' }],
  [{ later: 'any' }, { later: 'any' }],
])('outside lists an unknown value leaves all out: %j', (data, expected) => {
  expect(known(data, 'kind', 'level', 'free', 'later')).toEqual(expected);
});

test('in lists an unknown value takes the nearest entry along, and nothing else', () => {
  const list = [
    { kind: 'bug', of: ['task', 'epic', 'bug'] },
    { kind: 'epic', of: ['bug'] },
    { kind: 'task', of: [] },
  ];
  const without = [
    { kind: 'bug', of: ['task', 'bug'] },
    { kind: 'task', of: [] },
  ];
  const paths = ['changes.list[].kind', 'changes.list[].of[]'];
  expect(known({ changes: { list } }, ...paths)).toEqual({ changes: { list: without } });
  expect(known({ changes: null }, ...paths)).toEqual({ changes: null });
});

test('only the values at the paths are looked at', () => {
  const data = { kind: 'epic', changes: { list: [{ kind: 'epic', of: ['epic'] }] } };
  expect(known(data)).toBe(data);
  expect(known(data, 'changes.list[].of[]')).toEqual({
    kind: 'epic',
    changes: { list: [{ kind: 'epic', of: [] }] },
  });
});

test('a variant of an object knows its own values', () => {
  const either = shape(
    z.object({
      of: z.union([
        z.object({ kind: z.literal('user'), id: z.int() }),
        z.object({ kind: z.literal('group'), id: z.int() }),
      ]),
    }),
  );
  const data = (name: string) => ({ of: { kind: name, id: 1 } });
  expect(withKnownValues(data('group'), either, ['of.kind'])).toEqual(data('group'));
  expect(withKnownValues(data('project'), either, ['of.kind'])).toBeUndefined();
});
