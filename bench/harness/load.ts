import { connect, type Socket } from 'node:net';

/** What a burst of requests came to. */
export interface Burst {
  requests: number;
  seconds: number;
  /** Milliseconds, one per request. */
  latencies: number[];
}

export interface LoadOptions {
  port: number;
  /** Keep-alive connections, each with one request at a time. */
  connections: number;
  /** The whole next request, head and body. */
  next: () => string;
  /** Whichever comes first ends the burst. */
  requests: number;
  seconds: number;
  /** What every answer must have. */
  status: number;
  /** Whether this process stays awake between answers, see `awake`. */
  awake: boolean;
}

/** Sends requests over keep-alive connections on the loopback, bounded in number and time. */
export async function load(options: LoadOptions): Promise<Burst> {
  const begin = performance.now();
  const latencies: number[] = [];
  let sent = 0;
  const takes = () => sent < options.requests && performance.now() - begin < options.seconds * 1000;
  const client = async () => {
    const connection = await Connection.open(options.port);
    try {
      while (takes()) {
        sent += 1;
        const start = performance.now();
        const { status, head } = await connection.call(options.next());
        if (status !== options.status) throw new Error(`answered ${status}, not ${options.status}: ${head}`);
        latencies.push(performance.now() - start);
      }
    } finally {
      connection.close();
    }
  };
  const waking = options.awake ? awake() : null;
  try {
    await Promise.all(Array.from({ length: options.connections }, client));
  } finally {
    waking?.end();
  }
  return { requests: latencies.length, seconds: (performance.now() - begin) / 1000, latencies };
}

/**
 * Keeps this process from sleeping between answers. Whoever writes to a sleeping process pays for waking it, more than
 * for all else in a small answer: a server fast enough to keep its clients awake would be spared what a slower one
 * pays, and the ratio of the two would tell of that. It takes a core, so it is for comparing processor time: by the
 * clock, servers of several threads or processes would be short of what this takes.
 */
function awake(): { end(): void } {
  let isOver = false;
  const turn = () => {
    if (!isOver) setImmediate(turn);
  };
  turn();
  return {
    end() {
      isOver = true;
    },
  };
}

/** A request in HTTP/1.1. */
export function httpRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`);
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** One keep-alive connection that understands answers with a length: cheaper than a client for everything. */
export class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #settle: { resolve(reply: Reply): void; reject(error: Error): void } | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    const fail = (error?: Error) => this.#settle?.reject(error ?? new Error('the connection was closed'));
    socket.on('error', fail);
    socket.on('close', () => fail());
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  /** Rejects where the server has closed the connection, as it does with one that was idle for seconds. */
  call(request: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('the connection was closed'));
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  close(): void {
    this.#settle = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.toString('latin1', 0, end);
    const status = Number(head.slice(9, 12));
    const bodiless = status === 204 || status === 304;
    const length = bodiless ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) {
      this.#settle?.reject(new Error(`an answer without a length: ${head}`));
      return;
    }
    if (this.#received.length < end + 4 + length) return;
    const body = this.#received.subarray(end + 4, end + 4 + length);
    this.#received = Buffer.alloc(0);
    const settle = this.#settle;
    this.#settle = null;
    settle?.resolve({ status, head, body });
  }
}

export interface Reply {
  status: number;
  head: string;
  body: Buffer;
}
