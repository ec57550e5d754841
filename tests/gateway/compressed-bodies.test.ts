import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

let forgelog: Forgelog;
beforeAll(async () => {
  forgelog = await startForgelog();
});
afterAll(() => forgelog.stop());

const BOUNDARY = 'limit';
/** A new project as each kind of body. */
const KINDS: readonly [type: string, body: (path: string) => string][] = [
  ['application/json', (path) => JSON.stringify({ path })],
  ['application/x-www-form-urlencoded', (path) => `path=${path}`],
  [
    `multipart/form-data; boundary=${BOUNDARY}`,
    (path) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="path"\r\n\r\n${path}\r\n--${BOUNDARY}--\r\n`,
  ],
];
const post = (type: string, encoding: string, body: Buffer) =>
  forgelog.call('POST', '/projects', {
    body,
    headers: { 'Content-Type': type, 'Content-Encoding': encoding },
  });
const written = () => forgelog.system.store.readAll({ after: '', limit: 10_000 });

test.each(KINDS)('%s is unpacked from gzip', async (type, body) => {
  const path = `packed-${type.length}`;
  const made = await post(type, 'gzip', gzipSync(body(path)));
  expect([made.status, made.body.path]).toEqual([201, path]);
});

test.each(KINDS)(
  '%s that is malformed, too large or in another encoding changes nothing',
  async (type, body) => {
    const before = await written();
    const whole = body('never');
    const packed = gzipSync(whole);
    // Valid but for its size, which nothing shows before it is unpacked.
    const bomb = gzipSync(body('a'.repeat(80 * 1024 * 1024)));
    expect(bomb.length).toBeLessThan(512 * 1024);
    const cases: [string, Buffer, number][] = [
      ['gzip', Buffer.from(whole), 400],
      ['gzip', packed.subarray(0, -4), 400],
      ['gzip', bomb, 413],
      ['br', brotliCompressSync(whole), 415],
      ['gzip, gzip', gzipSync(packed), 415],
      ['nonsense', Buffer.from(whole), 415],
    ];
    for (const [encoding, sent, status] of cases) {
      const refused = await post(type, encoding, sent);
      expect([encoding, refused.status]).toEqual([encoding, status]);
      expect(refused.headers.get('accept-encoding')).toBe(status === 415 ? 'gzip, identity' : null);
    }
    expect(await written()).toEqual(before);
  },
);
