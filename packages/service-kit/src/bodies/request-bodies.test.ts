import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type BodyBudget, createRequestBodies, type ReceiveOptions } from './request-bodies.ts';

const KB = 1024;
const MB = 1024 * KB;
const LARGE = 3 * MB;

const bodyOf = (bytes: Buffer) =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) =>
      bytes.subarray(at * 65_536, (at + 1) * 65_536),
    ),
  );

async function bodies(budget: Partial<BodyBudget> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'forgelog-bodies-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const made = createRequestBodies({ folder, budget: { diskFree: 0, ...budget } });
  const receive = (body: Readable, asked: Partial<ReceiveOptions> = {}) =>
    made.receive(body, {
      limit: 100 * MB,
      caller: 'ann',
      signal: () => new AbortController().signal,
      ...asked,
    });
  return { ...made, receive, folder };
}

test('a small body stays in memory, and is counted until it is released', async () => {
  const { receive, held } = await bodies();
  const { bytes, release } = await receive(bodyOf(Buffer.from('hello')));
  expect(bytes.toString()).toBe('hello');
  expect(held()).toEqual({ memory: 5, disk: 0 });
  release();
  expect(held()).toEqual({ memory: 0, disk: 0 });
  expect((await receive(Readable.from([]))).bytes).toHaveLength(0);
});

test('a body over HTTP is the same whether it comes with its head, in parts or in chunks', async () => {
  const { receive, held } = await bodies({ small: 10 });
  const iterator = vi.spyOn(IncomingMessage.prototype, 'iterator');
  onTestFinished(() => iterator.mockRestore());
  const server = createServer(async (request, response) => {
    try {
      const { bytes, release } = await receive(request, { limit: 40 });
      expect(held().memory).toBe(bytes.length);
      release();
      response.end(`<${bytes}>`);
    } catch (error) {
      response.end(`<${(error as { code?: string }).code}>`);
    }
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // All on one connection: nothing of a body is left for the next request.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answers = '';
  socket.on('data', (chunk) => {
    answers += chunk.toString();
  });
  const answered = () => [...answers.matchAll(/<(.*?)>/g)].map(([, text]) => text);
  const head = (length: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
  const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  const sent: [parts: string[], answer: string][] = [
    [[`${head(5)}whole`], 'whole'],
    [[head(0)], ''],
    [[head(5), 'later'], 'later'],
    [[`${head(8)}in `, 'parts'], 'in parts'],
    [[`${chunked}5\r\nchunk\r\n0\r\n\r\n`], 'chunk'],
    [[`${head(20)}longer than 10 bytes`], 'longer than 10 bytes'],
    [[`${head(50)}${'x'.repeat(50)}`], 'too_large'],
  ];
  for (const [at, [parts, answer]] of sent.entries()) {
    for (const part of parts) {
      socket.write(part);
      await sleep(20);
    }
    await expect.poll(() => answered()[at]).toBe(answer);
    if (answer === 'whole') expect(iterator).not.toHaveBeenCalled();
  }
  expect(held()).toEqual({ memory: 0, disk: 0 });
});

test('a large body arrives through a file without a name, and is the same', async () => {
  const { receive, held, folder } = await bodies();
  const sent = randomBytes(LARGE);
  const body = new PassThrough();
  const receiving = receive(body);
  body.write(sent.subarray(0, 2 * MB));
  await expect.poll(() => held()).toEqual({ memory: 0, disk: 4 * MB });
  expect(await readdir(folder)).toEqual([]);
  body.end(sent.subarray(2 * MB));
  const { bytes, release } = await receiving;
  expect(bytes.equals(sent)).toBe(true);
  expect(held()).toEqual({ memory: LARGE, disk: 0 });
  release();
  expect(held()).toEqual({ memory: 0, disk: 0 });
});

test('large bodies of one caller are in memory one after the other, and others go ahead', async () => {
  const { receive, held } = await bodies();
  const first = await receive(bodyOf(randomBytes(LARGE)));
  const second = receive(bodyOf(randomBytes(LARGE)));
  const other = await receive(bodyOf(randomBytes(LARGE)), { caller: 'ben' });
  await expect.poll(() => held()).toEqual({ memory: 2 * LARGE, disk: 4 * MB });
  first.release();
  (await second).release();
  other.release();
  expect(held()).toEqual({ memory: 0, disk: 0 });
});

test('a body larger than the whole limit of memory is handled alone', async () => {
  const { receive } = await bodies({ largeOfAll: MB });
  expect((await receive(bodyOf(randomBytes(LARGE)))).bytes).toHaveLength(LARGE);
});

test('whoever sends too much at once is told to come again, and others are not', async () => {
  const { receive, held } = await bodies({ diskOfOne: 8 * MB });
  const slow = [new PassThrough(), new PassThrough()];
  const slowly = slow.map((body) => receive(body));
  for (const body of slow) body.write(randomBytes(2 * MB));
  await expect.poll(() => held().disk).toBe(8 * MB);
  await expect(receive(bodyOf(randomBytes(LARGE)))).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '5' },
  });
  (await receive(bodyOf(randomBytes(LARGE)), { caller: 'ben' })).release();
  for (const body of slow) body.end();
  for (const one of slowly) (await one).release();
  expect(held()).toEqual({ memory: 0, disk: 0 });
});

test('small bodies of a caller who sends many at once go to disk too', async () => {
  const { receive, held } = await bodies({ smallOfOne: 100 * KB });
  const slow = new PassThrough();
  const slowly = receive(slow);
  slow.write(randomBytes(60 * KB));
  await expect.poll(() => held()).toEqual({ memory: 60 * KB, disk: 0 });
  const sent = randomBytes(60 * KB);
  const second = await receive(bodyOf(sent));
  expect(second.bytes.equals(sent)).toBe(true);
  second.release();
  slow.end();
  (await slowly).release();
  expect(held()).toEqual({ memory: 0, disk: 0 });
});

test('a body that breaks off, is too large or whose caller leaves takes nothing with it', async () => {
  const { receive, held } = await bodies();
  const broken = new PassThrough();
  const breaking = receive(broken);
  broken.write(randomBytes(2 * MB));
  await expect.poll(() => held().disk).toBe(4 * MB);
  broken.destroy(new Error('aborted'));
  await expect(breaking).rejects.toThrow('aborted');
  await expect(receive(bodyOf(randomBytes(LARGE)), { limit: 2 * MB })).rejects.toMatchObject({ status: 413 });
  const first = await receive(bodyOf(randomBytes(LARGE)));
  const leaving = new AbortController();
  const second = receive(bodyOf(randomBytes(LARGE)), { signal: () => leaving.signal });
  await expect.poll(() => held().disk).toBe(4 * MB);
  leaving.abort();
  await expect(second).rejects.toBe(leaving.signal.reason);
  first.release();
  expect(held()).toEqual({ memory: 0, disk: 0 });
});

test('a body whose turn does not come in time is refused with nothing done', async () => {
  const { receive, held } = await bodies({ waitMs: 20 });
  const first = await receive(bodyOf(randomBytes(LARGE)));
  await expect(receive(bodyOf(randomBytes(LARGE)))).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '5' },
  });
  first.release();
  expect(held()).toEqual({ memory: 0, disk: 0 });
});

test('a disk that is nearly full takes no large bodies, and small ones pass', async () => {
  const { receive, held } = await bodies({ diskFree: Number.MAX_SAFE_INTEGER });
  await expect(receive(bodyOf(randomBytes(LARGE)))).rejects.toMatchObject({ status: 503 });
  (await receive(bodyOf(Buffer.from('hello')))).release();
  expect(held()).toEqual({ memory: 0, disk: 0 });
});
