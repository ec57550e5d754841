import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { inBatches, sendRaw } from '../support/wire.ts';
import { unchanged } from './unchanged.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

const crlf = (...lines: string[]) => `${lines.join('\r\n')}\r\n`;
const HOST = 'Host: forgelog';
const token = () => `PRIVATE-TOKEN: ${forgelog.rootToken}`;
/** What an attacker would have another request begin with. */
const smuggled = () =>
  crlf(
    'POST /api/v4/groups HTTP/1.1',
    HOST,
    token(),
    'Content-Type: application/json',
    'Content-Length: 29',
    '',
  ) + '{"name":"bad","path":"bad!!!"}'.slice(0, 29);

const statusesIn = (said: string) =>
  [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** Heads of requests that two parsers could read in two ways, with what follows them. */
const AMBIGUOUS: readonly [name: string, build: () => string][] = [
  [
    'a length and chunks',
    () =>
      crlf(
        'POST /api/v4/groups HTTP/1.1',
        HOST,
        token(),
        'Content-Length: 6',
        'Transfer-Encoding: chunked',
        '',
        '0',
        '',
      ) + smuggled(),
  ],
  [
    'chunks and a length',
    () =>
      crlf(
        'POST /api/v4/groups HTTP/1.1',
        HOST,
        token(),
        'Transfer-Encoding: chunked',
        'Content-Length: 6',
        '',
        '0',
        '',
      ) + smuggled(),
  ],
  [
    'two lengths',
    () =>
      crlf('POST /api/v4/groups HTTP/1.1', HOST, token(), 'Content-Length: 0', 'Content-Length: 44', '') +
      smuggled(),
  ],
  [
    'a list of lengths',
    () => crlf('POST /api/v4/groups HTTP/1.1', HOST, token(), 'Content-Length: 0, 44', '') + smuggled(),
  ],
  [
    'a signed length',
    () => crlf('POST /api/v4/groups HTTP/1.1', HOST, token(), 'Content-Length: +0', '') + smuggled(),
  ],
  [
    'a negative length',
    () => crlf('POST /api/v4/groups HTTP/1.1', HOST, token(), 'Content-Length: -1', '') + smuggled(),
  ],
  [
    'a length in base 16',
    () => crlf('POST /api/v4/groups HTTP/1.1', HOST, token(), 'Content-Length: 0x0', '') + smuggled(),
  ],
  [
    'a length that overflows',
    () =>
      crlf('POST /api/v4/groups HTTP/1.1', HOST, token(), 'Content-Length: 18446744073709551616', '') +
      smuggled(),
  ],
  [
    'chunks that are not the last coding',
    () =>
      crlf(
        'POST /api/v4/groups HTTP/1.1',
        HOST,
        token(),
        'Transfer-Encoding: chunked, identity',
        '',
        '0',
        '',
      ) + smuggled(),
  ],
  [
    'an unknown coding',
    () =>
      crlf('POST /api/v4/groups HTTP/1.1', HOST, token(), 'Transfer-Encoding: xchunked', '', '0', '') +
      smuggled(),
  ],
  [
    'a coding behind a vertical tab',
    () =>
      crlf('POST /api/v4/groups HTTP/1.1', HOST, token(), 'Transfer-Encoding: \x0bchunked', '', '0', '') +
      smuggled(),
  ],
  [
    'a coding name with a space before its colon',
    () =>
      crlf(
        'POST /api/v4/groups HTTP/1.1',
        HOST,
        token(),
        'Transfer-Encoding : chunked',
        'Content-Length: 5',
        '',
        '0',
        '',
      ) + smuggled(),
  ],
  [
    'a folded header',
    () =>
      crlf(
        'POST /api/v4/groups HTTP/1.1',
        HOST,
        token(),
        'X-Folded: a',
        ' Content-Length: 0',
        'Transfer-Encoding:',
        ' chunked',
        '',
        '0',
        '',
      ) + smuggled(),
  ],
  [
    'bare line feeds',
    () => `POST /api/v4/groups HTTP/1.1\n${HOST}\n${token()}\nContent-Length: 0\n\n${smuggled()}`,
  ],
  [
    'a bare line feed among others',
    () =>
      `POST /api/v4/groups HTTP/1.1\r\n${HOST}\r\nX: 1\nTransfer-Encoding: chunked\r\n${token()}\r\n\r\n0\r\n\r\n${smuggled()}`,
  ],
  [
    'a bare carriage return',
    () =>
      `POST /api/v4/groups HTTP/1.1\r\n${HOST}\r\nX: 1\rContent-Length: 0\r\n${token()}\r\n\r\n${smuggled()}`,
  ],
  [
    'a NUL in a header',
    () => crlf('GET /api/v4/version HTTP/1.1', HOST, token(), 'X: a\0b', '') + smuggled(),
  ],
  [
    'a header without a colon',
    () => crlf('GET /api/v4/version HTTP/1.1', HOST, token(), 'Nonsense', '') + smuggled(),
  ],
  [
    'an empty header name',
    () => crlf('GET /api/v4/version HTTP/1.1', HOST, token(), ': value', '') + smuggled(),
  ],
  ['an unknown method', () => crlf('STEAL /api/v4/version HTTP/1.1', HOST, token(), '') + smuggled()],
  ['a method in small letters', () => crlf('get /api/v4/version HTTP/1.1', HOST, token(), '') + smuggled()],
  ['an unknown version', () => crlf('GET /api/v4/version HTTP/9.9', HOST, token(), '') + smuggled()],
  ['the preface of HTTP/2', () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${smuggled()}`],
  ['a TLS handshake', () => `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${smuggled()}`],
  [
    'a size of chunk that is none',
    () =>
      crlf(
        'POST /api/v4/groups HTTP/1.1',
        HOST,
        token(),
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        '',
        'zz',
        '',
      ) + smuggled(),
  ],
  [
    'a negative chunk',
    () =>
      crlf(
        'POST /api/v4/groups HTTP/1.1',
        HOST,
        token(),
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        '',
        '-1',
        '',
      ) + smuggled(),
  ],
  [
    'a chunk whose size overflows',
    () =>
      crlf(
        'POST /api/v4/groups HTTP/1.1',
        HOST,
        token(),
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        '',
        'fffffffffffffffff',
        '',
      ) + smuggled(),
  ],
  [
    'a chunk longer than it says',
    () =>
      crlf(
        'POST /api/v4/groups HTTP/1.1',
        HOST,
        token(),
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        '',
        '1',
        '{}}}',
        '0',
        '',
      ) + smuggled(),
  ],
  ['an address with a space', () => crlf('GET /api/v4/version /x HTTP/1.1', HOST, token(), '') + smuggled()],
  [
    'a header larger than any',
    () => crlf('GET /api/v4/version HTTP/1.1', HOST, token(), `X: ${'a'.repeat(100_000)}`, '') + smuggled(),
  ],
  [
    'thousands of headers',
    () =>
      crlf(
        'GET /api/v4/version HTTP/1.1',
        HOST,
        token(),
        ...Array.from({ length: 5000 }, (_, at) => `X-${at}: 1`),
        '',
      ) + smuggled(),
  ],
  [
    'an address longer than any',
    () => crlf(`GET /api/v4/version?${'a'.repeat(100_000)} HTTP/1.1`, HOST, token(), '') + smuggled(),
  ],
];

describe('a request that two readers could take for two', () => {
  test.each(AMBIGUOUS)('%s: refused once, in JSON, and the connection ends', async (_name, build) => {
    const said = await unchanged(forgelog, () => sendRaw(forgelog, Buffer.from(build(), 'latin1')));
    const [status, ...others] = statusesIn(said);
    expect({ status, others }).toEqual({ status: expect.any(Number), others: [] });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    const [head, body] = [said.slice(0, said.indexOf('\r\n\r\n')), said.slice(said.indexOf('\r\n\r\n') + 4)];
    expect(head).toMatch(/^Content-Type: application\/json$/im);
    expect(head).toMatch(/^Connection: close$/im);
    expect(JSON.parse(body)).toEqual({ error: expect.any(String) });
  });
});

/** Not ambiguous, and not what the API is asked with: an answer of its own, and nothing happens. */
const ODD: readonly [name: string, build: () => string, status: number][] = [
  [
    'another host in the address',
    () => crlf('GET http://evil.example/api/v4/version HTTP/1.1', HOST, token(), 'Connection: close', ''),
    404,
  ],
  [
    'a file as the address',
    () => crlf('GET file:///etc/passwd HTTP/1.1', HOST, token(), 'Connection: close', ''),
    404,
  ],
  ['a fragment', () => crlf('GET /api/v4/version#x HTTP/1.1', HOST, 'Connection: close', ''), 401],
  ['TRACE', () => crlf('TRACE /api/v4/version HTTP/1.1', HOST, token(), 'Connection: close', ''), 405],
  [
    'a method of another protocol',
    () => crlf('PROPFIND /api/v4/version HTTP/1.1', HOST, token(), 'Connection: close', ''),
    405,
  ],
  [
    'an upgrade',
    () =>
      crlf(
        'GET /api/v4/nothing HTTP/1.1',
        HOST,
        token(),
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Connection: close',
        '',
      ),
    404,
  ],
  [
    'a principal of his own',
    () =>
      crlf(
        'GET /api/v4/user HTTP/1.1',
        HOST,
        'X-Principal: 1',
        'X-Forwarded-User: root',
        'X-Forgelog-User: 1',
        'Connection: close',
        '',
      ),
    401,
  ],
  [
    'another method in a header',
    () =>
      crlf(
        'GET /api/v4/users/1/block HTTP/1.1',
        HOST,
        token(),
        'X-HTTP-Method-Override: POST',
        'Connection: close',
        '',
      ),
    405,
  ],
  [
    'another address in a header',
    () =>
      crlf(
        'GET /api/v4/nothing HTTP/1.1',
        HOST,
        token(),
        'X-Original-URL: /api/v4/version',
        'X-Rewrite-URL: /api/v4/version',
        'Connection: close',
        '',
      ),
    404,
  ],
];

test.each(ODD)('%s', async (_name, build, status) => {
  const said = await unchanged(forgelog, () => sendRaw(forgelog, build()));
  expect(statusesIn(said)).toEqual([status]);
  expect(said).toMatch(/\{"(message|error)":"[^"]+"\}$/);
});

test('a request without a host is none, and one of a time before there were heads is anonymous and the last', async () => {
  const heads = [
    crlf('GET /api/v4/version HTTP/1.1', token(), '') + smuggled(),
    `GET /api/v4/version\r\n\r\n${smuggled()}`,
  ];
  const said = await unchanged(forgelog, () => inBatches(heads, (head) => sendRaw(forgelog, head)));
  expect(said.map(statusesIn)).toEqual([[400], [401]]);
});

test('a body that nobody reads is not waited for', async () => {
  const framings = ['Content-Length: 52428800', 'Transfer-Encoding: chunked'];
  const lines = [
    'GET /api/v4/version',
    'GET /api/v4/nothing',
    'HEAD /api/v4/projects',
    'GET /-/liveness',
    'GET /-/docs/',
    'POST /nothing',
    'POST /api/v4/nothing',
    'PUT /api/v4/version',
  ];
  const heads = lines.flatMap((line) =>
    framings.map((framing) => crlf(`${line} HTTP/1.1`, HOST, token(), framing, '')),
  );
  // Each resolves when the server has closed the connection.
  const said = await unchanged(forgelog, () => inBatches(heads, (head) => sendRaw(forgelog, head)));
  for (const text of said) {
    expect(statusesIn(text)).toHaveLength(1);
    expect(text).toMatch(/^Connection: close$/im);
  }
});

test('CONNECT and an expectation that nobody meets open nothing', async () => {
  const heads = [
    crlf('CONNECT 127.0.0.1:22 HTTP/1.1', HOST, token(), ''),
    `${crlf('POST /api/v4/groups HTTP/1.1', HOST, token(), 'Expect: 200-maybe', 'Content-Length: 2', '')}{}`,
  ];
  const said = await unchanged(forgelog, () =>
    inBatches(heads, (head) => sendRaw(forgelog, head, (text) => text.includes('\r\n\r\n'))),
  );
  for (const text of said) for (const status of statusesIn(text)) expect(status).toBeGreaterThanOrEqual(400);
});

test('two requests on one connection that are two are answered as two', async () => {
  const one = crlf('GET /api/v4/version HTTP/1.1', HOST, token(), '');
  const last = crlf('GET /api/v4/version HTTP/1.1', HOST, 'Connection: close', '');
  expect(statusesIn(await sendRaw(forgelog, one + one + last))).toEqual([200, 200, 401]);
});
