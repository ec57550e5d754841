import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import type { JsonSchema, Param } from '@forgelog/contracts/params.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTurns } from '../support/turns.ts';
import { type Answer, inBatches, notRefused, notSound, send } from '../support/wire.ts';
import { createWorld, type World } from '../support/world.ts';
import { unchanged } from './unchanged.ts';
import { addressOf, bodyOf, inBody, type ValidCall, validCall } from './valid-calls.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.forgelog.stop());

type Kind =
  | 'integer'
  | 'boolean'
  | 'enum'
  | 'date'
  | 'date-time'
  | 'integer-or-word'
  | 'number'
  | 'list'
  | 'hash'
  | 'file'
  | 'text'
  | 'place';

function kindOf(schema: JsonSchema): Kind {
  if (schema.format === 'binary') return 'file';
  if (schema.format === 'date' || schema.format === 'date-time') return schema.format;
  if (Array.isArray(schema.anyOf)) return 'enum' in (schema.anyOf[1] as object) ? 'integer-or-word' : 'place';
  if (schema.enum !== undefined) return 'enum';
  switch (schema.type) {
    case 'integer':
    case 'number':
      return schema.type;
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'list';
    case 'object':
      return 'hash';
    case 'string':
      return 'text';
    default:
      throw new Error(`no hostile values are known for ${JSON.stringify(schema)}`);
  }
}

const NO_NUMBERS = [
  '12abc',
  '0x1',
  '1e1',
  '1.0',
  ' 1',
  '--1',
  '١',
  'NaN',
  '9007199254740993',
  '99999999999999999999',
];
/** Of pages, which every list decodes alike. */
const NO_PAGES = ['0', '-1', '12abc', '0x1', '1e1', '9007199254740993', { $gt: 1 }];
const NO_SCALARS: unknown[] = [{}, { $ne: 1 }, [], [1, 2]];
const NO_DAYS = [
  '2021-02-30',
  '2021-13-01',
  '2021-00-10',
  '2021-1-1',
  '21-01-01',
  'today',
  '2021-01-01; DROP',
  '1e3',
];

/** For each kind, what no parameter of it can be; texts are sent in queries and bodies, the rest in JSON alone. */
const NEVER: Record<Kind, readonly unknown[]> = {
  integer: [...NO_NUMBERS, ...NO_SCALARS, 1.5, 2 ** 53, -(2 ** 60), true],
  number: ['12abc', '0x1', ' 1', '--1', '١', 'NaN', 'Infinity', '1e', '.5', '1e999', ...NO_SCALARS, true],
  'integer-or-word': ['12abc', '0x1', '1e1', '9007199254740993', 'Nothing', ...NO_SCALARS, 1.5],
  boolean: ['maybe', '2', '-1', 'truee', 'null', ...NO_SCALARS, 7],
  enum: ['no such word', '__proto__', 'constructor', 'ASC DESC', ...NO_SCALARS],
  date: [...NO_DAYS, '2021-02-30T00:00:00Z', '2021-01-01T25:00:00Z', '10000-01-01', ...NO_SCALARS],
  'date-time': [
    ...NO_DAYS,
    '2021-01-01T25:00:00Z',
    '2021-01-01T00:61:00Z',
    '2021-01-01T00:00:00+99:99',
    '-271821-04-20T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '0000-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-14:00',
    'P1D',
    ...NO_SCALARS,
  ],
  list: [{ $in: [1] }, { a: 1 }, [null], [{}], [[[1]]], Array.from({ length: 1001 }, (_, at) => at + 1)],
  hash: ['text', 5, [1], 'a,b'],
  file: ['text', 5, {}, { filename: '/etc/passwd' }],
  text: [...NO_SCALARS, 'nul\0byte'],
  place: ['nul\0byte'],
};

/** What some take and others refuse: nobody may fail over it. */
const EDGES: Record<Kind, readonly unknown[]> = {
  integer: ['-1', '0', -0, '9007199254740991', '-9007199254740991', 2_147_483_648],
  'integer-or-word': ['-1', '0', '9007199254740991', 'NONE'],
  number: ['-1', '0', '1e1', '1.0', '0.1e-9', -0, 1e-300, 1e300],
  boolean: ['', 'TRUE'],
  enum: [''],
  date: ['0000-01-01', '9999-12-31', '9999-12-31T23:59:59-14:00', ''],
  'date-time': ['0000-01-01', '9999-12-31T23:59:59.999999999Z', '2021-01-01T24:00:00Z', ''],
  list: ['', ',', ',,,', [], [''], { 0: '1' }, { 999999: '1' }],
  hash: [{}, { length: '1' }, { '': '' }],
  file: [null],
  text: [
    '',
    ' ',
    '\ud800',
    '\ufffe',
    '\r\nX-Injected: 1',
    "' OR 1=1 --",
    '%00',
    '../../etc/passwd',
    '{{7*7}}',
    'a'.repeat(70_000),
    '\u202e\u0300'.repeat(500),
    '(a+)+$',
    '^$',
    '$',
    '\\',
    '*'.repeat(300),
  ],
  place: [
    '',
    '..',
    '../..',
    '%2e%2e%2f',
    '-1',
    '9007199254740993',
    '00',
    'a'.repeat(5000),
    '\u0130',
    '/',
    '//',
    'root/',
    '*',
  ],
};

const paramsOf = (endpoint: AnyEndpoint) => Object.entries(endpoint.params) as [string, Param<unknown>][];

async function sendWith(
  endpoint: AnyEndpoint,
  call: ValidCall,
  name: string,
  value: unknown,
): Promise<Answer> {
  const { method } = call;
  if (name in call.inPath)
    return send(
      world.forgelog,
      method,
      addressOf(
        endpoint,
        { ...call.inPath, [name]: String(value).toWellFormed() },
        inBody(endpoint) ? {} : call.rest,
      ),
      bodyOf(endpoint, call),
    );
  const rest = { ...call.rest, [name]: value };
  if (inBody(endpoint)) return send(world.forgelog, method, addressOf(endpoint, call.inPath), { json: rest });
  return send(
    world.forgelog,
    method,
    addressOf(endpoint, call.inPath, textual(rest)),
    bodyOf(endpoint, call),
  );
}

/** A value as a query writes it: `{ $ne: 1 }` becomes `name[$ne]=1`. */
function textual(rest: Record<string, unknown>): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) flatten(name, value, flat);
  return flat;
}

function flatten(name: string, value: unknown, into: Record<string, unknown>): void {
  if (Array.isArray(value)) {
    // An empty list has no name in a query.
    for (const [at, item] of value.entries()) flatten(`${name}[${at}]`, item, into);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) flatten(`${name}[${key}]`, member, into);
  } else into[name] = value;
}

/** Whether the value arrives at all: an empty list or hash cannot be written into a query or a path. */
function arrives(endpoint: AnyEndpoint, inPath: boolean, value: unknown): boolean {
  if (inPath) return typeof value === 'string' && (value as string).length < 8000;
  if (inBody(endpoint)) return true;
  // What is larger than a request line may be never gets so far.
  if (typeof value === 'object' && value !== null)
    return (
      addressOf(endpoint, {}, textual({ x: value })).length < 8000 &&
      Object.keys(textual({ x: value })).length > 0
    );
  return String(value).length < 8000;
}

/** What is refused in one place of its kind may be right in another: an empty list, one value that stands for a list. */
function isNever(endpoint: AnyEndpoint, param: Param<unknown>, value: unknown): boolean {
  const kind = kindOf(param.schema);
  // Numbers are texts too, and a hash without known members is an empty one.
  const items = param.schema.items as JsonSchema | undefined;
  if (kind === 'list' && items?.type === 'object' && !Array.isArray(value)) return false;
  // In a query a number is written like any other text.
  if (!inBody(endpoint) && kind === 'list' && Array.isArray(value) && value.includes(null)) return false;
  if (!inBody(endpoint) && kind === 'hash' && Array.isArray(value)) return false;
  return true;
}

/** Contents that every parameter's own rule lets pass, and the record's rules do not. */
const INVALID: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  'user-create': [{ email: 'no address' }, { username: '' }, { username: 'a b' }, { name: ' ' }],
  'personal-access-token-create': [{ name: ' ' }, { scopes: [''] }],
  'group-create': [{ name: '' }, { path: 'a b' }, { path: '-x' }, { path: '.git' }],
  'project-create': [{ path: 'a b' }, { path: '..' }, { path: 'x.git' }, { name: ' ' }],
  'environment-create': [{ name: '' }, { name: 'a\nb' }, { name: 'a'.repeat(300) }],
  'project-feature-flag-create': [
    ...['', 'a', 'Night', 'night mode', 'night_', '../x', 'a'.repeat(64)].map((name) => ({ name })),
    { description: 'a'.repeat(256) },
    ...[
      { name: 'default', parameters: { userIds: 'ada' } },
      { name: 'userWithId', parameters: {} },
      { name: 'userWithId', parameters: { userIds: 'a\u0000b' } },
      { name: 'gradualRolloutUserId', parameters: { groupId: 'a', percentage: '1e1' } },
      { name: 'default', scopes: [{ environment_scope: '(a+)+$' }] },
      { name: 'gitlabUserList' },
    ].map((strategy) => ({ strategies: [strategy] })),
  ],
  'feature-flag-user-list-create': [
    { name: '' },
    { name: ' ' },
    { name: 'a'.repeat(256) },
    { user_xids: 'a,a' },
    { user_xids: 'a'.repeat(257) },
  ],
  'freeze-period-create': [{ freeze_start: 'x' }, { freeze_end: '' }, { cron_timezone: '../UTC' }],
  'protected-branch-create': [
    ...['', ' ', '..', 'a b', 'a..b', '-x', 'x.lock', 'refs/heads/x', 'a\nb', '[a]', '\u001b[31m'].map(
      (name) => ({ name }),
    ),
    { allowed_to_push: [{}] },
    { allowed_to_merge: [{ user_id: 9_999_999 }] },
    { allowed_to_unprotect: [{ group_id: 9_999_999 }] },
  ],
  'protected-tag-create': [{ name: '' }, { name: 'v 1' }, { name: '..' }, { name: 'a'.repeat(251) }],
  'push-rule-create': ['(', '(?=x)', '\\1', '((a{99}){99}){99}', '(?P<n'].map((commit_message_regex) => ({
    commit_message_regex,
  })),
  'pipeline-schedule-create': [
    { cron: 'x' },
    { cron: '@daily' },
    { cron_timezone: '../UTC' },
    { description: ' ' },
    { ref: ' ' },
  ],
  'project-variable-create': [
    { key: '' },
    { key: 'A-B' },
    { key: 'K'.repeat(256) },
    { environment_scope: '' },
    { environment_scope: 'a?' },
    { value: 'short', masked: true },
    { value: 'é'.repeat(131_073) },
  ],
  'issue-create': [
    { title: '' },
    { title: ' ' },
    { title: 'a'.repeat(256) },
    { description: 'a'.repeat(1_048_577) },
  ],
  'issue-promote-note': [{ body: '' }, { body: ' \n' }],
  'issue-discussion-create': [{ body: '' }],
  'issue-discussion-note-create': [{ body: '' }],
};

test.each(endpoints.filter(({ pagination }) => pagination === 'capped').map(({ id }) => id))(
  '%s: beyond 50,000 records only by keyset',
  async (id) => {
    const endpoint = endpoints.find((one) => one.id === id)!;
    const call = await validCall(endpoint, world, world.places.private);
    const status = async (page: number, per_page: number) => {
      const answer = await send(world.forgelog, 'GET', addressOf(endpoint, call.inPath, { page, per_page }));
      return answer.status === 405 && notRefused(answer) === null ? 405 : answer.status;
    };
    expect(await status(500, 100)).toBe(200);
    for (const [page, size] of [
      [501, 100],
      [50_001, 1],
      [9_007_199_254_740_991, 100],
    ] as const)
      expect(await status(page, size)).toBe(405);
  },
);

describe('a record that would be invalid', () => {
  test.each(Object.keys(INVALID))('%s takes not even an id', async (id) => {
    const endpoint = endpoints.find((one) => one.id === id)!;
    const call = await validCall(endpoint, world, world.places.private);
    const wrong = await unchanged(world.forgelog, () =>
      inBatches(INVALID[id]!, async (contents) => {
        const path = addressOf(endpoint, call.inPath);
        const problem = notRefused(
          await send(world.forgelog, 'POST', path, { json: { ...call.rest, ...contents } }),
        );
        return problem && `${JSON.stringify(contents).slice(0, 60)} ${problem}`;
      }),
    );
    expect(wrong.filter(Boolean)).toEqual([]);
  });
});

/** Switches and words that endpoints share, the settings of projects above all: one of them is enough to try. */
const shared = new Set<Param<unknown>>();
function notTriedYet(param: Param<unknown>): boolean {
  if (!['boolean', 'enum'].includes(kindOf(param.schema))) return true;
  return !shared.has(param) && shared.add(param).has(param);
}

/** Settings that were let in at their edges act on the calls of all others, so that they come last. */
const isOfAll = ({ id }: AnyEndpoint) => id === 'settings-update';
const swept = endpoints
  .filter(({ id }) => !id.endsWith('event-stream'))
  .sort((one, other) => Number(isOfAll(one)) - Number(isOfAll(other)));

describe.each(swept)('$id', (endpoint) => {
  const newParams = paramsOf(endpoint).filter(([, param]) => notTriedYet(param));

  test('refuses what a parameter cannot be, and nothing happens', async () => {
    const call = await validCall(endpoint, world, world.places.private);
    const cases = paramsOf(endpoint).flatMap(([name, param]) =>
      inTurns(NEVER[kindOf(param.schema)], `${endpoint.id} ${name}`, 4)
        .filter((value) => arrives(endpoint, name in call.inPath, value) && isNever(endpoint, param, value))
        .map((value) => ({ name, value })),
    );
    if (endpoint.pagination !== 'none')
      for (const name of ['page', 'per_page']) for (const value of NO_PAGES) cases.push({ name, value });
    if (cases.length === 0) return;
    const wrong = await unchanged(world.forgelog, () =>
      inBatches(cases, async ({ name, value }) => {
        const problem = notRefused(await sendWith(endpoint, call, name, value), endpoint.method);
        return problem && `${name}=${JSON.stringify(value)?.slice(0, 60)} ${problem}`;
      }),
    );
    expect(wrong.filter(Boolean)).toEqual([]);
  });

  test('does not fail at the edges of what a parameter can be', async () => {
    const cases = newParams.flatMap(([name, param]) =>
      inTurns(EDGES[kindOf(param.schema)], `${endpoint.id} ${name}`, 4)
        .filter((value) =>
          arrives(endpoint, name in endpoint.params && endpoint.path.includes(`:${name}`), value),
        )
        .map((value) => ({ name, value })),
    );
    if (endpoint.pagination !== 'none')
      for (const name of ['page', 'per_page'])
        for (const value of ['1', '101', '500', '501', '50001', '9007199254740991'])
          cases.push({ name, value });
    if (cases.length === 0) return;
    const call = await validCall(endpoint, world, world.places.private, { fresh: true });
    const wrong = await inBatches(cases, async ({ name, value }) => {
      const problem = notSound(await sendWith(endpoint, call, name, value));
      return problem && `${name}=${JSON.stringify(value)?.slice(0, 60)} ${problem}`;
    });
    expect(wrong.filter(Boolean)).toEqual([]);
  });
});
