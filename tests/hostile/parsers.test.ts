import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { must } from '../support/must.ts';
import { inTurns } from '../support/turns.ts';
import { inBatches, notRefused, notSound, type Sent, send, sendRaw } from '../support/wire.ts';
import { createWorld, type World } from '../support/world.ts';
import { unchanged } from './unchanged.ts';
import { addressOf, bodyOf, inBody, type ValidCall, validCall } from './valid-calls.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.forgelog.stop());

const repeated = (part: string, times: number) => part.repeat(times);
const json = (body: string | Buffer): Sent => ({ type: 'application/json', body });
const form = (body: string | Buffer): Sent => ({ type: 'application/x-www-form-urlencoded', body });
const BOUNDARY = 'limit';
const multipart = (body: string): Sent => ({ type: `multipart/form-data; boundary=${BOUNDARY}`, body });
const part = (name: string, value = 'x') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const END = `--${BOUNDARY}--\r\n`;

/** Queries that no endpoint takes, whatever it is asked. */
const QUERIES = [
  '__proto__[isAdmin]=true',
  '__proto__=1',
  'constructor[prototype][isAdmin]=1',
  'a[__proto__][x]=1',
  'a[constructor][prototype][x]=1',
  'a[][__proto__]=1',
  'prototype=1',
  '%5f%5fproto%5f%5f=1',
  'a[b]=1&a[b][c]=2',
  `a${repeated('[b]', 20)}=1`,
  'a=%ff',
  'a=%',
  '%zz=1',
  repeated('a&', 10_001).slice(0, 12_000),
].filter((query) => !query.startsWith('a&'));

/** Bodies that no endpoint takes; none is larger than what the smallest limit lets in. */
const BODIES: readonly [name: string, sent: () => Sent][] = [
  ['__proto__ in JSON', () => json('{"__proto__":{"isAdmin":true}}')],
  ['__proto__ deeper in JSON', () => json('{"a":[{"b":{"__proto__":1}}]}')],
  ['constructor in JSON', () => json('{"constructor":{"prototype":{"isAdmin":true}}}')],
  ['an escaped __proto__', () => json('{"\\u005f_proto__":1}')],
  ['an array', () => json('[{"title":"x"}]')],
  ['a text', () => json('"title"')],
  ['a number', () => json('1e999')],
  ['null', () => json('null')],
  ['half an object', () => json('{"title":')],
  ['two objects', () => json('{}{}')],
  ['words of JavaScript', () => json('{"a":NaN,"b":undefined,\'c\':1}')],
  ['5,000 arrays in each other', () => json(`{"a":${repeated('[', 5000)}${repeated(']', 5000)}}`)],
  ['5,000 objects in each other', () => json(`${repeated('{"a":', 5000)}1${repeated('}', 5000)}`)],
  ['200,001 items', () => json(`{"a":[${repeated('1,', 200_000)}1]}`)],
  ['broken UTF-8 in JSON', () => json(Buffer.from('{"title":"\xff\xfe"}', 'latin1'))],
  ['an overlong encoding', () => json(Buffer.from('{"title":"\xc0\xaf"}', 'latin1'))],
  ['JSON as UTF-16', () => json(Buffer.from('{"title":"x"}', 'utf16le'))],
  ['gzip that is not said', () => json(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]))],
  ['__proto__ in a form', () => form('__proto__[isAdmin]=1')],
  ['constructor in a form', () => form('constructor[prototype][x]=1')],
  ['10,001 pairs', () => form(repeated('a=1&', 10_001))],
  ['a broken escape', () => form('title=%zz')],
  ['broken UTF-8 in a form', () => form('title=%ff%fe')],
  ['a value that is a hash too', () => form('a=1&a[b]=2')],
  ['__proto__ in a part', () => multipart(`${part('__proto__[x]')}${END}`)],
  ['1,001 parts', () => multipart(`${repeated(part('a'), 1001)}${END}`)],
  ['thousands of parts', () => multipart(`${repeated(part('a[]'), 5000)}${END}`)],
  ['no last boundary', () => multipart(part('title'))],
  ['a file that breaks off', () => multipart(part('f').replace('"f"', '"f"; filename="f"'))],
  ['another boundary', () => multipart('--other\r\n\r\nx\r\n--other--\r\n')],
  ['half a part head', () => multipart(`--${BOUNDARY}\r\nContent-Dispo`)],
  ['a part head that never ends', () => multipart(`--${BOUNDARY}\r\n${repeated('X: a\r\n', 5000)}`)],
  ['no boundary at all', () => ({ type: 'multipart/form-data', body: 'x' })],
  [
    'a boundary larger than any',
    () => ({ type: `multipart/form-data; boundary=${'b'.repeat(5000)}`, body: 'x' }),
  ],
  ['21 files', () => multipart(`${repeated(part('f', 'x').replace('"f"', '"f"; filename="f"'), 21)}${END}`)],
  ['plain text', () => ({ type: 'text/plain', body: 'title=x' })],
  [
    'XML with an entity',
    () => ({
      type: 'application/xml',
      body: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    }),
  ],
  ['YAML', () => ({ type: 'application/x-yaml', body: '!!js/function "x"' })],
  ['bytes', () => ({ type: 'application/octet-stream', body: Buffer.alloc(100) })],
  ['a type that is none', () => ({ type: '/;,=', body: 'x' })],
];

/** The call as it must be, but for what comes beside it. */
async function sendBeside(endpoint: AnyEndpoint, call: ValidCall, query: string, sent: Sent) {
  const address = addressOf(endpoint, call.inPath, inBody(endpoint) ? {} : call.rest);
  const joined = query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
  return send(world.forgelog, call.method, joined, sent);
}

/** An endpoint that keeps a file of any kind parses nothing but forms: the other bodies are files like any. */
const refusedBodies = ({ bodyTypes }: AnyEndpoint) =>
  bodyTypes.includes('application/octet-stream')
    ? BODIES.filter(([, sent]) => sent().type?.startsWith('multipart/'))
    : BODIES;

const WRITES = endpoints.filter(({ method }) => method !== 'GET' && method !== 'HEAD');

describe('what no parser takes', () => {
  test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s: queries',
    async (id, endpoint) => {
      const call = await validCall(endpoint, world, world.places.private);
      const sent = bodyOf(endpoint, call);
      const wrong = await unchanged(world.forgelog, () =>
        inBatches(inTurns(QUERIES, id, 4), async (query) => {
          const problem = notRefused(await sendBeside(endpoint, call, query, sent), endpoint.method);
          return problem && `${query} ${problem}`;
        }),
      );
      expect(wrong.filter(Boolean)).toEqual([]);
    },
  );

  test.each(WRITES.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s: bodies',
    async (id, endpoint) => {
      const call = await validCall(endpoint, world, world.places.private);
      const wrong = await unchanged(world.forgelog, () =>
        inBatches(inTurns(refusedBodies(endpoint), id, 4), async ([name, sent]) => {
          const problem = notRefused(await sendBeside(endpoint, call, '', sent()));
          return problem && `${name} ${problem}`;
        }),
      );
      expect(wrong.filter(Boolean)).toEqual([]);
    },
  );
});

test('nothing that was sent has become a member of every object', () => {
  const plain = {} as Record<string, unknown>;
  expect(plain.isAdmin).toBeUndefined();
  expect(plain.x).toBeUndefined();
});

const LARGE = 50 * 1024 * 1024;

describe('a body of 50 MB', () => {
  /** The head alone: whoever waits for the body waits for ever. */
  const calls = new Map<string, ValidCall>();
  beforeAll(async () => {
    for (const endpoint of WRITES)
      calls.set(endpoint.id, await validCall(endpoint, world, world.places.private));
  });

  async function announced(endpoint: AnyEndpoint, token: string | null, framing: string) {
    const call = calls.get(endpoint.id)!;
    const path = addressOf(endpoint, call.inPath, inBody(endpoint) ? {} : call.rest);
    const head = [
      `${call.method} ${path} HTTP/1.1`,
      'Host: forgelog',
      ...(token === null ? [] : [`PRIVATE-TOKEN: ${token}`]),
      'Content-Type: application/json',
      framing,
    ];
    return sendRaw(world.forgelog, `${head.join('\r\n')}\r\n\r\n`);
  }
  const statusOf = (said: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(said)?.[1]);
  const LENGTH = `Content-Length: ${LARGE}`;
  const CHUNKS = 'Transfer-Encoding: chunked';

  test.each([
    ['without credentials', () => null, LENGTH, [401]],
    ['in chunks without credentials', () => null, CHUNKS, [401]],
    ['with a token that is none', () => 'no-such-token', LENGTH, [401]],
    ['from whoever may not see the place', () => world.people.outsider.token, CHUNKS, [403, 404]],
    ['from a blocked account', () => world.people.blocked.token, CHUNKS, [403]],
    ['with a token that may only read', () => world.scoped.read_api, CHUNKS, [403]],
  ])('%s is refused before it is read', async (_who, token, framing, statuses) => {
    // What a runner or anybody else may write is read before more is known of it.
    const refused = WRITES.filter(({ access, scopes }) => {
      if (token() === null || token() === world.people.outsider.token)
        if (access.kind === 'anyone' || access.kind === 'job') return false;
      if (token() === world.people.outsider.token) return access.kind !== 'user';
      return token() !== world.scoped.read_api || !scopes.includes('read_api');
    });
    const wrong = await unchanged(world.forgelog, () =>
      inBatches(refused, async (endpoint) => {
        const status = statusOf(await announced(endpoint, token(), framing));
        return statuses.includes(status) ? null : `${endpoint.id} ${status}`;
      }),
    );
    expect(wrong.filter(Boolean)).toEqual([]);
  });

  test('with every right is refused by its announced length', async () => {
    const small = WRITES.filter(({ maxBody, bodyTypes }) => maxBody < LARGE && bodyTypes.length === 0);
    const wrong = await unchanged(world.forgelog, () =>
      inBatches(small, async (endpoint) => {
        const said = await announced(endpoint, world.forgelog.rootToken, LENGTH);
        return statusOf(said) === 413 && said.includes('"413 Request Entity Too Large')
          ? null
          : `${endpoint.id} ${said.slice(0, 80)}`;
      }),
    );
    expect(wrong.filter(Boolean)).toEqual([]);
  });

  test.each([
    ['JSON', 'application/json', '{"a":"'],
    ['a form', 'application/x-www-form-urlencoded', 'a='],
    [
      'multipart',
      `multipart/form-data; boundary=${BOUNDARY}`,
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n`,
    ],
    [
      'a file',
      `multipart/form-data; boundary=${BOUNDARY}`,
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n`,
    ],
  ])('in chunks, as %s, is cut off at the limit', async (_name, type, begin) => {
    let sent = 0;
    function* body(): Generator<Buffer> {
      const head = [
        'POST /api/v4/groups HTTP/1.1',
        'Host: forgelog',
        `PRIVATE-TOKEN: ${world.forgelog.rootToken}`,
        `Content-Type: ${type}`,
        CHUNKS,
      ];
      yield Buffer.from(`${head.join('\r\n')}\r\n\r\n${begin.length.toString(16)}\r\n${begin}\r\n`);
      const chunk = Buffer.from(`10000\r\n${'a'.repeat(65_536)}\r\n`);
      for (; sent < LARGE; sent += 65_536) yield chunk;
      yield Buffer.from('0\r\n\r\n');
    }
    const said = await unchanged(world.forgelog, () =>
      sendRaw(world.forgelog, body(), (text) => text.includes('}')),
    );
    expect(statusOf(said)).toBe(413);
    expect(sent).toBeLessThan(LARGE / 2);
  });
});

/** Texts over which a backtracking or quadratic reader would sit for minutes. */
const BOMBS = [
  '(a+)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(.*a){25}',
  '(?=(a+))\\1',
  `${'a'.repeat(900)}!`,
  `${'(a*)*'.repeat(50)}b`,
  '[[:alpha:]]{1000}',
  `^${'$'.repeat(500)}`,
  '%'.repeat(800),
  '_'.repeat(800),
  '*'.repeat(800),
  `"${'\\'.repeat(700)}`,
  'a OR b NEAR(c d) AND NOT *',
];
const SEARCHES = [
  'search',
  'query',
  'username',
  'author',
  'name',
  'milestone',
  'labels',
  'my_reaction_emoji',
  'topic',
];

describe('a search that would run for ever', () => {
  const filters = endpoints
    .filter(({ method }) => method === 'GET')
    .flatMap((endpoint) =>
      SEARCHES.filter((name) => name in endpoint.params).map(
        (name) => [endpoint.id, name, endpoint] as const,
      ),
    );

  test.each(filters)('%s: %s is answered', async (id, name, endpoint) => {
    const call = await validCall(endpoint, world, world.places.private);
    const wrong = await unchanged(world.forgelog, () =>
      inBatches(inTurns(BOMBS, `${id} ${name}`, 4), async (bomb) => {
        const address = addressOf(endpoint, call.inPath, { ...call.rest, [name]: bomb });
        const problem = notSound(await send(world.forgelog, 'GET', address));
        return problem && `${bomb.slice(0, 40)} ${problem}`;
      }),
    );
    expect(wrong.filter(Boolean)).toEqual([]);
  });
});

const MARKDOWN = [
  ['quotes without end', `${'>'.repeat(100_000)} [ ]`],
  ['quotes and spaces', `${'>    '.repeat(20_000)}[`],
  ['items in items', `${'- '.repeat(100_000)}[`],
  ['numbers without end', `${'1. '.repeat(50_000)}[x`],
  ['digits without end', `${'1'.repeat(200_000)}. [ ] x`],
  ['spaces without end', `${' '.repeat(300_000)}[`],
  ['a dash and spaces', `-${' '.repeat(300_000)}[`],
  ['an item and spaces behind it', `- [ ]${' '.repeat(300_000)}`],
  ['tabs and dashes', `${'-\t\t\t\t'.repeat(40_000)}[`],
  ['open brackets', '['.repeat(500_000)],
  ['fences', `${'```\n'.repeat(60_000)}[ ]`],
  ['one fence of backticks', `${'`'.repeat(300_000)}\n- [ ] x`],
  ['mentions', '@a '.repeat(100_000)],
  ['slashes', `${'/promote '.repeat(40_000)}`],
  ['lines', '- [ ] x\n'.repeat(60_000)],
] as const;

describe('a text that would be read for ever', () => {
  test.each(MARKDOWN)('%s: an issue and a note are written at once, or refused', async (_name, text) => {
    const { projectId, issueIid } = world.places.private;
    const issues = `/api/v4/projects/${projectId}/issues`;
    const writes = [
      [`${issues}`, { title: 'x', description: text }],
      [`${issues}/${issueIid}/notes`, { body: text }],
      [`${issues}/${issueIid}/discussions`, { body: text }],
    ] as const;
    for (const [path, body] of writes)
      expect(notSound(await send(world.forgelog, 'POST', path, { json: body }))).toBeNull();
  });

  const SLOW = [
    '99999999999999999999h',
    '1h'.repeat(120),
    `${'1 '.repeat(120)}`,
    '9'.repeat(250),
    '1e9h',
    '-',
    '--1h',
    '1h-',
    '0x10h',
    '1.h',
    '.5h',
    'NaN',
    '1h 1',
    '∞',
    '999999999999mo',
    '1,,1h',
    `1${' '.repeat(200)}h!`,
  ];

  test.each(['time_estimate', 'add_spent_time'])(
    '%s takes no duration that overflows or is none',
    async (what) => {
      const { projectId, issueIid } = world.places.private;
      const path = `/api/v4/projects/${projectId}/issues/${issueIid}/${what}`;
      const answers = await inBatches(
        SLOW,
        async (duration) => ({
          duration,
          answer: await send(world.forgelog, 'POST', path, { json: { duration } }),
        }),
        1,
      );
      const wrong = answers.map(({ duration, answer }) => {
        const problem = notSound(answer);
        if (problem) return `${duration} ${problem}`;
        const stats = JSON.parse(answer.text);
        const sane =
          answer.status >= 400 ||
          Object.values(stats).every(
            (value) => typeof value !== 'number' || (Number.isSafeInteger(value) && value >= 0),
          );
        return sane ? null : `${duration} ${answer.text}`;
      });
      expect(wrong.filter(Boolean)).toEqual([]);
      const stats = await must(world.forgelog.get(`/projects/${projectId}/issues/${issueIid}/time_stats`));
      expect(stats.total_time_spent).toBeLessThan(2 ** 53);
    },
  );

  const CRONS = [
    '* * * * * *',
    '@yearly',
    '@reboot',
    '60 * * * *',
    '* 25 * * *',
    '* * 32 * *',
    '0-99999999999 * * * *',
    '*/0 * * * *',
    '*/-1 * * * *',
    `${'0,'.repeat(20_000)}0 * * * *`,
    `${'*'.repeat(5000)} * * * *`,
    `${'0-59,'.repeat(20_000)}0 * * * *`,
    '0 0 31 2 *x',
    '1e1 * * * *',
    '0x1 * * * *',
    'a b c d e',
    '\n* * * * *\n\n\n*',
    '* * * JAN-FOO *',
    'L L L L L',
    '? ? ? ? ?',
  ];

  test('no cron expression runs for ever, and none that is none is taken', async () => {
    const path = `/api/v4/projects/${world.places.private.projectId}/freeze_periods`;
    const wrong = await inBatches(CRONS, async (freeze_start) => {
      const answer = await send(world.forgelog, 'POST', path, {
        json: { freeze_start, freeze_end: '0 1 * * *' },
      });
      const problem = notSound(answer);
      return problem && `${freeze_start.slice(0, 40)} ${problem}`;
    });
    expect(wrong.filter(Boolean)).toEqual([]);
    const zones = [
      '../../etc/localtime',
      'UTC\0',
      'Europe/Nowhere',
      '__proto__',
      'a'.repeat(300),
      '+99:99',
      'constructor',
    ];
    const refused = await unchanged(world.forgelog, () =>
      inBatches(zones, async (cron_timezone) => {
        const period = { freeze_start: '0 0 * * *', freeze_end: '0 1 * * *', cron_timezone };
        const problem = notRefused(await send(world.forgelog, 'POST', path, { json: period }));
        return problem && `${cron_timezone.slice(0, 40)} ${problem}`;
      }),
    );
    expect(refused.filter(Boolean)).toEqual([]);
  });
});
