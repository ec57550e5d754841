import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

let echo: Server;
let proxy: TcpProxy;
/** What the server behind the proxy has read. */
let arrived = '';
const sockets = new Set<Socket>();

beforeEach(async () => {
  arrived = '';
  echo = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      arrived += chunk;
      socket.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await startTcpProxy({ port: (echo.address() as AddressInfo).port });
});

afterEach(async () => {
  await proxy.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  echo.close();
});

interface Caller {
  socket: Socket;
  /** Resolves when so many bytes came back in all. */
  read(bytes: number): Promise<string>;
  got(): string;
  /** Code of the error that ended it, '' where it ended well. */
  ended: Promise<string>;
}

async function call(): Promise<Caller> {
  const socket = connect(proxy.port, '127.0.0.1');
  sockets.add(socket);
  let text = '';
  const ended = new Promise<string>((done) => {
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? ''));
    socket.once('close', () => done(''));
  });
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await Promise.race([once(socket, 'connect').catch(() => {}), ended]);
  return {
    socket,
    ended,
    got: () => text,
    async read(bytes) {
      while (text.length < bytes) await once(socket, 'data');
      return text;
    },
  };
}

const until = (condition: () => boolean) =>
  eventually('both ends saw what passes', condition, { everyMs: 1, detail: () => `Arrived: ${arrived}` });

test('in fair weather bytes pass both ways, any number of them, and an end passes too', async () => {
  const caller = await call();
  const text = 'x'.repeat(300_000);
  caller.socket.write(text);
  expect(await caller.read(text.length)).toBe(text);
  caller.socket.end();
  expect(await caller.ended).toBe('');
});

test('down: who is connected is cut off, who comes is refused, and later all is as before on the same port', async () => {
  const caller = await call();
  caller.socket.write('a');
  await caller.read(1);
  await proxy.set({ kind: 'refuse' });
  expect(await caller.ended).toBe('ECONNRESET');
  expect(await (await call()).ended).toBe('ECONNREFUSED');
  expect(proxy.counts).toEqual({ taken: 1, cut: 1 });
  await proxy.set({ kind: 'pass' });
  const again = await call();
  again.socket.write('b');
  expect(await again.read(1)).toBe('b');
});

test('a black hole takes connections and lets nothing through until it ends', async () => {
  const before = await call();
  before.socket.write('a');
  await before.read(1);
  await proxy.set({ kind: 'black-hole' });
  before.socket.write('b');
  const during = await call();
  during.socket.write('c');
  await until(() => proxy.counts.taken === 2);
  expect([arrived, before.got(), during.got()]).toEqual(['a', 'a', '']);
  await proxy.set({ kind: 'pass' });
  expect([await before.read(2), await during.read(1)]).toEqual(['ab', 'c']);
});

test('mute: what is asked arrives, what is answered does not, and a cut loses it', async () => {
  await proxy.set({ kind: 'mute' });
  const caller = await call();
  caller.socket.write('a');
  await until(() => arrived === 'a');
  expect(caller.got()).toBe('');
  proxy.cut();
  expect(await caller.ended).toBe('ECONNRESET');
  expect(caller.got()).toBe('');
});

test('mute from some words on: what was asked before them is answered', async () => {
  await proxy.set({ kind: 'mute', after: 'now' });
  const [one, other] = [await call(), await call()];
  one.socket.write('before');
  await one.read(6);
  one.socket.write('and now');
  other.socket.write('?');
  expect(await other.read(1)).toBe('?');
  await until(() => arrived.includes('now'));
  expect(one.got()).toBe('before');
  await proxy.set({ kind: 'pass' });
  expect(await one.read(13)).toBe('beforeand now');
});

test('mute from some words on: they may come in two parts', async () => {
  await proxy.set({ kind: 'mute', after: 'now' });
  const caller = await call();
  caller.socket.write('and n');
  await caller.read(5);
  caller.socket.write('ow');
  await until(() => arrived === 'and now');
  expect(caller.got()).toBe('and n');
});

test('a connection is reset after exactly so many bytes of a reply', async () => {
  await proxy.set({ kind: 'reset', afterBytes: () => 5 });
  const caller = await call();
  caller.socket.write('123456789');
  expect(await caller.ended).toBe('ECONNRESET');
  expect('12345'.startsWith(caller.got())).toBe(true);
  expect(arrived).toBe('123456789');
  expect(proxy.counts.cut).toBe(1);
});

test('slow: everything comes, later and in order', async () => {
  const caller = await call();
  await proxy.set({ kind: 'delay', ms: 30 });
  caller.socket.write('abc');
  expect(await caller.read(3)).toBe('abc');
  await proxy.set({ kind: 'throttle', bytesPerSecond: 20_000 });
  const text = Array.from({ length: 2000 }, (_, at) => String(at % 10)).join('');
  caller.socket.write(text);
  expect(await caller.read(text.length + 3)).toBe(`abc${text}`);
});

test('stranded connections lead nowhere for ever, new ones are served', async () => {
  const stranded = await call();
  stranded.socket.write('a');
  await stranded.read(1);
  proxy.strand();
  stranded.socket.write('b');
  const caller = await call();
  caller.socket.write('c');
  expect(await caller.read(1)).toBe('c');
  await proxy.set({ kind: 'pass' });
  expect([arrived, stranded.got()]).toEqual(['ac', 'a']);
});

test('stranded after so many bytes of replies: these come, nothing else, and connections made later are served', async () => {
  await proxy.set({ kind: 'strand', afterBytes: 5 });
  const caller = await call();
  caller.socket.write('123456789');
  expect(await caller.read(5)).toBe('12345');
  await proxy.set({ kind: 'pass' });
  const later = await call();
  later.socket.write('abcdefghi');
  expect(await later.read(9)).toBe('abcdefghi');
  expect([caller.got(), proxy.stranded()]).toEqual(['12345', 1]);
});
