import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { implementView } from './view.ts';
import { tier, when } from './view-optional.ts';
import {
  choose,
  constant,
  derived,
  derivedText,
  given,
  host,
  nested,
  nestedList,
  text,
} from './view-parts.ts';
import { firstUser, projectPath, user, users } from './view-placeholders.ts';

interface Row {
  id: number;
  name: string | null;
  closed: boolean | null;
  authorId: number | null;
  readerIds: readonly number[] | null;
  labels: readonly string[] | null;
  size: number | null;
}

const userSchema = z.strictObject({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  state: z.enum(['active', 'blocked', 'deactivated', 'banned']),
  avatar_url: z.string().nullable(),
  web_url: z.string(),
});
const row: Row = {
  id: 7,
  name: 'a "name"\n\u0001',
  closed: false,
  authorId: 4,
  readerIds: [5, 6],
  labels: ['x', '"'],
  size: null,
};
const ports = (EDITION: 'free' | 'premium' | 'ultimate') => ({
  configuration: { EDITION },
  host: 'https://host',
});
const resolver = {
  resolve: (placeholder: string) =>
    placeholder[0] === 'u' ? `"user ${placeholder.slice(1)}"` : 'group/project',
  load: async () => new Map(),
};
const parsed = (template: { render(to: typeof resolver): string | Promise<string> }) =>
  JSON.parse(template.render(resolver) as string);

const shape = z.strictObject({
  id: z.int(),
  name: z.string(),
  state: z.enum(['open', 'shut']),
  author: userSchema,
  first: userSchema.nullable(),
  readers: z.array(userSchema),
  labels: z.array(z.string()),
  web_url: z.string(),
  kind: z.string(),
  links: z.strictObject({ self: z.string(), none: z.null() }),
  upvotes: z.int(),
  size: z.int().nullable(),
  path: z.string(),
  weight: z.int().optional(),
  health: z.null().optional(),
  asked: z.boolean().optional(),
});

interface Request {
  full: boolean;
}

const one = implementView(shape).from<Row, Request>({
  id: 'id',
  name: 'name',
  state: derived(['closed'], (closed: boolean) => (closed ? 'shut' : 'open')),
  author: user('authorId'),
  first: firstUser('readerIds'),
  readers: users('readerIds'),
  labels: choose(({ full }: Request) => full, 'labels', []),
  web_url: text`${host}/${projectPath('id')}/"${'name'}"/${derivedText(['name'], encodeURIComponent)}`,
  kind: constant('thing'),
  links: { self: text`${host}/${'id'}`, none: null },
  upvotes: 0,
  size: 'size',
  path: given(({ name }: Row) => `of ${name}`),
  weight: tier('premium', 'size'),
  health: tier('ultimate', null),
  asked: when(({ full }: Request) => full, true),
});

describe('a view', () => {
  test("renders a row's members in order", () => {
    const shown = parsed(one.renderer(ports('free')).one(row, { full: true }));
    expect(shown).toEqual({
      id: 7,
      name: row.name,
      state: 'open',
      author: 'user 4',
      first: 'user 5',
      readers: ['user 5', 'user 6'],
      labels: ['x', '"'],
      web_url: `https://host/group/project/"${row.name}"/${encodeURIComponent(row.name!)}`,
      kind: 'thing',
      links: { self: 'https://host/7', none: null },
      upvotes: 0,
      size: null,
      path: `of ${row.name}`,
      asked: true,
    });
    expect(Object.keys(shown)).toEqual(Object.keys(one.members).filter((name) => name in shown));
  });

  test('leaves out members of other editions or requests', () => {
    const shown = (edition: 'free' | 'premium' | 'ultimate') =>
      parsed(one.renderer(ports(edition)).one(row, { full: false }));
    expect(shown('free')).not.toHaveProperty('weight');
    expect(shown('free')).not.toHaveProperty('asked');
    expect(shown('free').labels).toEqual([]);
    expect(shown('premium')).toMatchObject({ weight: null });
    expect(shown('premium')).not.toHaveProperty('health');
    expect(shown('ultimate')).toMatchObject({ weight: null, health: null });
  });

  test('lists its columns once each', () => {
    expect(one.columns.toSorted()).toEqual(
      ['authorId', 'closed', 'id', 'labels', 'name', 'readerIds', 'size'].toSorted(),
    );
  });

  test('renders an absent user as null', () => {
    const shown = parsed(
      one.renderer(ports('free')).one({ ...row, authorId: null, readerIds: [] }, { full: false }),
    );
    expect(shown).toMatchObject({ author: null, first: null, readers: [] });
  });

  test('renders lists and nested views', () => {
    const named = implementView(z.strictObject({ id: z.int() })).from<{ id: number }>({ id: 'id' });
    expect(parsed(named.renderer(ports('free')).list([{ id: 1 }, { id: 2 }]))).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
    expect(parsed(named.renderer(ports('free')).list([]))).toEqual([]);
    interface Joined {
      inner: { id: number } | null;
      all: readonly { id: number }[];
    }
    const outer = implementView(
      z.strictObject({
        inner: z.strictObject({ id: z.int() }).nullable(),
        all: z.array(z.strictObject({ id: z.int() })),
      }),
    ).from<Joined>({
      inner: nested(named, ({ inner }: Joined) => inner),
      all: nestedList(named, ({ all }: Joined) => all),
    });
    const { one: show } = { one: (joined: Joined) => parsed(outer.renderer(ports('free')).one(joined)) };
    expect(show({ inner: { id: 3 }, all: [{ id: 4 }] })).toEqual({ inner: { id: 3 }, all: [{ id: 4 }] });
    expect(show({ inner: null, all: [] })).toEqual({ inner: null, all: [] });
    expect(outer.columns).toEqual([]);
  });

  test('escapes names, texts and the host', () => {
    const odd = '"\\`$row\u2028*/\n';
    const view = implementView(z.strictObject({ [odd]: z.string(), at: z.string() })).from<
      Record<string, string>
    >({ [odd]: odd, at: text`${host}/\\"${odd}` });
    const hostJson = JSON.stringify(odd).slice(1, -1);
    const shown = view.renderer({ ...ports('free'), host: hostJson }).one({ [odd]: odd });
    expect(parsed(shown)).toEqual({ [odd]: odd, at: `${odd}/\\"${odd}` });
  });

  test('rejects an optional first member', () => {
    const view = implementView(z.strictObject({ id: z.int().optional() })).from<Row>({
      id: tier('premium', 'id'),
    });
    expect(() => view.renderer(ports('premium'))).toThrow('member "id" is not always there');
  });
});

/** Never called: the compiler reports an expected error that does not occur. */
export function refused(): void {
  const small = implementView(z.strictObject({ id: z.int(), name: z.string().nullable(), up: z.boolean() }));
  // @ts-expect-error a member is missing
  small.from<Row>({ id: 'id', name: 'name' });
  // @ts-expect-error a member is one that the contract does not have
  small.from<Row>({ id: 'id', name: 'name', up: true, down: true });
  // @ts-expect-error a member is misspelt
  small.from<Row>({ id: 'id', nmae: 'name', up: true });
  // @ts-expect-error there is no such column
  small.from<Row>({ id: 'id', name: 'title', up: 'closed' });
  // @ts-expect-error the column is of another type
  small.from<Row>({ id: 'name', name: 'name', up: 'closed' });
  // @ts-expect-error the constant is of another type
  small.from<Row>({ id: null, name: 'name', up: 'closed' });
  // @ts-expect-error the computed value is of another type
  small.from<Row>({ id: 'id', name: derived(['id'], (id: number) => id), up: 'closed' });
  // @ts-expect-error the column is not what the computation takes
  small.from<Row>({ id: 'id', name: derived(['id'], (id: string) => id), up: 'closed' });
  // @ts-expect-error a text names a column that is not there
  small.from<Row>({ id: 'id', name: text`${'title'}`, up: 'closed' });
  // @ts-expect-error a member that must be there is one of an edition
  small.from<Row>({ id: 'id', name: 'name', up: tier('premium', 'closed') });
  const isFull = ({ full }: Request) => full;
  const isOn = ({ on }: { on: boolean }) => on;
  // @ts-expect-error one of two members is of another type
  small.from<Row, Request>({ id: 'id', name: choose(isFull, 'name', 'id'), up: true });
  // @ts-expect-error the request does not say that
  small.from<Row, Request>({ id: 'id', name: 'name', up: choose(isOn, true, 'closed') });
}
