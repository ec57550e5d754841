import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import type { Param } from '@forgelog/contracts/params.ts';
import { searchEndpoints } from '@forgelog/contracts/tracker/search/search.api.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { nextOf, walkKeyset } from '../support/keyset-walk.ts';
import { createListedWorld, type ListedWorld } from '../support/listed-world.ts';

/** Every list of the contract, as many as there may come: a new one that has no keyset pages fails here. */
const lists = endpoints.filter(({ pagination }) => pagination !== 'none');

let forgelog: Forgelog;
let world: ListedWorld;
beforeAll(async () => {
  forgelog = await startForgelog();
  world = await createListedWorld(forgelog);
});
afterAll(() => forgelog.stop());

/** What lists need that have none without being asked for something. */
const ASKED: Readonly<Record<string, string>> = Object.fromEntries(
  searchEndpoints.map(({ id }) => [id, 'scope=issues&search=planned']),
);
const addressOf = (endpoint: AnyEndpoint) => `${world.pathOf(endpoint)}?${ASKED[endpoint.id] ?? ''}`;

/** What this version has nothing to show in. */
const EMPTY = ['group-shared-project-list', 'project-invitation-list', 'group-invitation-list'];

/** Orders that depend on something else than their own parameters, and filters that bring an order with them. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  'group-list': ['order_by=similarity&search=list'],
  'project-list': ['order_by=similarity&search=list'],
  'branch-list': ['search=topic', 'search=TOPIC'],
  'tag-list': ['search=v', 'search=V&sort=asc', 'order_by=version', 'order_by=version&search=v&sort=asc'],
  search: ['scope=projects&search=list', 'scope=users&search=lister', 'scope=milestones&search=milestone'],
  'group-search': ['scope=merge_requests&search=planned', 'scope=users&search=lister'],
  'commit-list': [
    'all=true',
    'all=true&order=topo',
    'ref_name=topic-0..main',
    'path=a-0',
    'first_parent=true',
  ],
  'repo-tree': ['recursive=true', 'path=a-0', 'ref=topic-2'],
};

const words = (param: Param<unknown> | undefined): readonly string[] =>
  (param?.schema.enum as string[] | undefined) ?? [];

/** Queries that make a list come in each of its orders. */
function ordersOf({ id, params }: AnyEndpoint): string[] {
  const directions = words(params.sort);
  const orders = words(params.order_by).flatMap((by) =>
    directions.map((sort) => `order_by=${by}&sort=${sort}`),
  );
  const plain = directions.map((sort) => `sort=${sort}`);
  return ['', ...(orders.length > 0 ? orders : plain), ...(FURTHER[id] ?? [])];
}

describe.each(lists)('$id', (endpoint) => {
  test.each(ordersOf(endpoint))('keyset pages are the list by offset: %s', async (query) => {
    const path = addressOf(endpoint);
    const whole: unknown[] = [];
    for (let page = 1, more = true; more; page += 1) {
      const { status, body } = await forgelog.get(`${path}&${query}&per_page=100&page=${page}`);
      expect(status).toBe(200);
      whole.push(...body);
      more = body.length === 100;
    }
    if (!EMPTY.includes(endpoint.id))
      expect(
        whole.length,
        'the list is too short to page through: make its records by inProject of its fixture in tests/fixtures, or in tests/support/listed-world.ts',
      ).toBeGreaterThan(2);
    const { items, pages } = await walkKeyset(forgelog, `${path}&${query}&per_page=2`);
    expect(items).toEqual(whole);
    for (const { headers } of pages)
      for (const name of ['x-total', 'x-total-pages', 'x-page', 'x-per-page', 'x-next-page', 'x-prev-page'])
        expect(headers.get(name)).toBeNull();
    expect(pages).toHaveLength(Math.max(1, Math.ceil(whole.length / 2)));
  });

  test('a cursor that this list did not give is refused', async () => {
    const path = addressOf(endpoint);
    const parameter = endpoint.cursor;
    const foreign = await cursorOf(endpoint.id === 'todo-list' ? '/users' : '/todos');
    const [, own] = nextOf(await forgelog.get(`${path}&pagination=keyset&per_page=1`), parameter);
    const text = own ?? foreign;
    const cursors = [
      foreign,
      `${text}A`,
      text.slice(1),
      text.slice(0, 30),
      `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`,
      Buffer.from(JSON.stringify({ id: 1 })).toString('base64url'),
      Buffer.from(JSON.stringify(['id', 1])).toString('base64'),
      '1',
      '-1',
      'null',
      '../../etc/passwd',
      "' OR 1=1 --",
      'nul\0byte',
      'A'.repeat(8193),
      'A'.repeat(12_000),
    ].map((cursor) => `${parameter}=${encodeURIComponent(cursor)}`);
    for (const query of [...cursors, `${parameter}[]=1`, `${parameter}[$gt]=1`]) {
      const { status, body } = await forgelog.get(`${path}&pagination=keyset&${query}`);
      expect({ query, status, error: String(body.error).split(' ')[0] }).toEqual({
        query,
        status: 400,
        error: parameter,
      });
    }
    // Elsewhere the parameter means nothing, and an empty one asks for the beginning.
    expect((await forgelog.get(`${path}&${parameter}=nonsense`)).headers.get('x-page')).toBe('1');
    expect((await forgelog.get(`${path}&pagination=keyset&${parameter}=`)).status).toBe(200);
  });

  async function cursorOf(path: string): Promise<string> {
    const [, cursor] = nextOf(await forgelog.get(`${path}?pagination=keyset&per_page=1`), 'cursor');
    return cursor!;
  }
});

test.each([
  ['/users?order_by=name', '/users?order_by=username'],
  ['/users?order_by=name&sort=asc', '/users?order_by=name&sort=desc'],
  ['/projects?order_by=name', '/projects?order_by=path'],
  ['/groups?order_by=similarity&search=list', '/groups?order_by=similarity&search=lists'],
])('the cursor of %s is none of %s', async (one, other) => {
  const [, cursor] = nextOf(await forgelog.get(`${one}&pagination=keyset&per_page=1`), 'cursor');
  expect((await forgelog.get(`${one}&pagination=keyset&cursor=${cursor}`)).status).toBe(200);
  const refused = await forgelog.get(`${other}&pagination=keyset&cursor=${cursor}`);
  expect(refused).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('cursor is invalid') },
  });
});

test('a cursor larger than any head of a request is refused before a list is asked', async () => {
  const endless = await forgelog.get(`/users?pagination=keyset&cursor=${'A'.repeat(2_000_000)}`);
  expect(endless.status).toBe(431);
});

test('what git holds has a cursor for each order and place', async () => {
  const at = `/projects/${world.projectId}/repository`;
  const token = async (path: string) =>
    nextOf(await forgelog.get(`${at}/${path}&pagination=keyset&per_page=1`), 'page_token')[1];
  const tree = await token('tree?recursive=true');
  const tags = await token('tags?order_by=name');
  for (const path of [
    `tree?page_token=${tree}`,
    `tree?path=a-0&page_token=${tree}`,
    `tags?page_token=${tags}`,
  ])
    expect((await forgelog.get(`${at}/${path}&pagination=keyset`)).status).toBe(400);
});

test('the reference shows the parameters of every list', async () => {
  const { paths } = (await forgelog.get('/openapi.json')).body;
  for (const { path, method, cursor } of lists) {
    const { parameters } = paths[path.replace(/[:*](\w+)/g, '{$1}')][method.toLowerCase()];
    const names = parameters.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['page', 'per_page', 'pagination', cursor]));
  }
});

test('a page is as large as pages by offset may be', async () => {
  const ask = (size: string) => forgelog.get(`/users?pagination=keyset&per_page=${size}`);
  expect((await ask('0')).body).toEqual({ error: 'per_page has a value not allowed' });
  expect((await ask('1000')).status).toBe(200);
  const [link] = nextOf(await ask('2'), 'cursor');
  expect(link).toContain('per_page=2&');
});

test('projects by id go on by id, in other orders by a cursor', async () => {
  const nextAfter = async (query: string) =>
    new URL(nextOf(await forgelog.get(`/projects?pagination=keyset&per_page=2&${query}`), 'cursor')[0]!)
      .searchParams;
  const up = await nextAfter('order_by=id&sort=asc');
  expect([...up.keys()]).toEqual(['order_by', 'sort', 'pagination', 'per_page', 'id_after']);
  expect([...(await nextAfter('order_by=id&id_before=9')).keys()]).toContain('id_before');
  expect([...(await nextAfter('order_by=name')).keys()]).toContain('cursor');
});
