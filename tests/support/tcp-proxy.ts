import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a network between two processes does to what they say to each other. */
export type Weather =
  | { kind: 'pass' }
  /** Nobody listens any more; who was connected is cut off. */
  | { kind: 'refuse' }
  /** Connections are taken and stay, and nothing passes. What waited passes when that is over. */
  | { kind: 'black-hole' }
  /**
   * Requests arrive and no reply comes back; what waited passes when that is over. With `after`, on connections alone
   * in which a request with these words was sent.
   */
  | { kind: 'mute'; after?: string }
  /** Everything comes so much later, both ways. */
  | { kind: 'delay'; ms: number }
  /** So many bytes a second for each connection, both ways. */
  | { kind: 'throttle'; bytesPerSecond: number }
  /** Each connection is cut off after so many bytes of replies, in the middle of whatever it said. */
  | { kind: 'reset'; afterBytes: () => number }
  /** Each connection is stranded after so many bytes of replies: 0 before the server has said anything. */
  | { kind: 'strand'; afterBytes: number };

export interface TcpProxy {
  port: number;
  set(weather: Weather): Promise<void>;
  /** Cuts every connection off, what waited in it is lost. */
  cut(): void;
  /** From now on the connections that there are lead nowhere, for ever; new ones are served. */
  strand(): void;
  /** How many connections were taken, and how many were cut off, so far. */
  counts: { readonly taken: number; readonly cut: number };
  /** How many connections that lead nowhere have not been given up by whoever made them. */
  stranded(): number;
  close(): Promise<void>;
}

/** One direction of a connection: reads no faster than it may write, so that the kernel's buffers push back. */
interface Flow {
  isReply: boolean;
  wake(): void;
}
interface Link {
  near: Socket;
  far: Socket;
  flows: Flow[];
  stranded: boolean;
  /** The words after which it is mute were sent. */
  asked: boolean;
  /** Bytes of replies that still pass before the connection is cut off. */
  left: number;
}

const SLICE_MS = 20;

/** Listens on `port` (0: any free one, kept from then on) and forwards to another port of this machine. */
export async function startTcpProxy(target: { port: number }, port = 0): Promise<TcpProxy> {
  let weather: Weather = { kind: 'pass' };
  const links = new Set<Link>();
  const counts = { taken: 0, cut: 0 };
  let server: Server | undefined;

  function take(near: Socket): void {
    counts.taken += 1;
    const far = connect(target.port, '127.0.0.1');
    const link: Link = { near, far, flows: [], stranded: false, asked: false, left: allowance() };
    links.add(link);
    const end = () => {
      if (!links.delete(link)) return;
      near.destroy();
      far.destroy();
      wakeAll(link);
    };
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      // A stranded connection's end does not get through either.
      socket.on('close', () => (link.stranded && socket === far ? undefined : end()));
    }
    near.on('error', end);
    far.on('error', () => {
      if (link.stranded) return;
      near.resetAndDestroy();
      end();
    });
    void forward(link, near, far, false);
    void forward(link, far, near, true);
  }

  const allowance = () => {
    if (weather.kind === 'reset') return weather.afterBytes();
    return weather.kind === 'strand' ? weather.afterBytes : Number.POSITIVE_INFINITY;
  };

  async function forward(link: Link, from: Socket, to: Socket, isReply: boolean): Promise<void> {
    let woken = Promise.withResolvers<void>();
    link.flows.push({
      isReply,
      wake() {
        woken.resolve();
        woken = Promise.withResolvers();
      },
    });
    const isHeld = () =>
      link.stranded || weather.kind === 'black-hole' || (isReply && weather.kind === 'mute' && link.asked);
    let tail: Buffer = Buffer.alloc(0);
    /** Whether the words are in a chunk, or begin in the one before. */
    const says = (chunk: Buffer, words: string) => {
      const text = Buffer.concat([tail, chunk]);
      tail = text.subarray(Math.max(0, text.length - Buffer.byteLength(words) + 1));
      return text.includes(words);
    };
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) {
        if (weather.kind === 'delay') await sleep(weather.ms);
        if (!isReply && weather.kind === 'mute') link.asked ||= says(chunk, weather.after ?? '');
        let rest = chunk;
        while (rest.length > 0 && links.has(link)) {
          if (isHeld()) {
            await woken.promise;
            continue;
          }
          if (isReply && rest.length >= link.left && weather.kind === 'strand') {
            to.write(rest.subarray(0, link.left));
            link.stranded = true;
            continue;
          }
          if (isReply && rest.length >= link.left) {
            to.write(rest.subarray(0, link.left), () => cutOff(link));
            return;
          }
          const most =
            weather.kind === 'throttle'
              ? Math.max(1, Math.ceil((weather.bytesPerSecond * SLICE_MS) / 1000))
              : rest.length;
          const part = rest.subarray(0, most);
          rest = rest.subarray(most);
          if (isReply) link.left -= part.length;
          if (!to.write(part)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
          if (weather.kind === 'throttle') await sleep(SLICE_MS);
        }
        if (!links.has(link)) return;
      }
      while (isHeld() && links.has(link)) await woken.promise;
      to.end();
    } catch {
      // One side is gone: its 'close' has ended the other.
    }
  }

  function wakeAll(link: Link): void {
    for (const flow of link.flows) flow.wake();
  }

  function cutOff(link: Link): void {
    if (!links.delete(link)) return;
    counts.cut += 1;
    link.near.resetAndDestroy();
    link.far.resetAndDestroy();
    wakeAll(link);
  }

  async function listen(at: number): Promise<void> {
    server = createServer({ noDelay: true }, take);
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  }

  async function unlisten(): Promise<void> {
    const closing = server;
    server = undefined;
    if (!closing) return;
    const closed = once(closing, 'close');
    closing.close();
    for (const link of links) cutOff(link);
    await closed;
  }

  await listen(port);
  const own = (server!.address() as AddressInfo).port;
  return {
    port: own,
    counts,
    async set(next) {
      weather = next;
      for (const link of links) {
        link.left = allowance();
        link.asked = next.kind === 'mute' && next.after === undefined;
        wakeAll(link);
      }
      if (next.kind === 'refuse') await unlisten();
      else if (!server) await listen(own);
    },
    cut() {
      for (const link of links) cutOff(link);
    },
    strand() {
      for (const link of links) link.stranded = true;
    },
    stranded: () => [...links].filter((link) => link.stranded).length,
    close: unlisten,
  };
}
