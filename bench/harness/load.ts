import { connect, type Socket } from 'node:net';

export interface Burst {
  requests: number;
  seconds: number;
  /** Milliseconds per request. */
  latencies: number[];
}

export interface LoadOptions {
  port: number;
  /** Keep-alive connections, each with one request in flight. */
  connections: number;
  /** Returns the next raw request, head and body. */
  next: () => string;
  /** The burst ends at `requests` or `seconds`, whichever comes first. */
  requests: number;
  seconds: number;
  /** The expected status of every answer. */
  status: number;
  /** Keeps this process awake between answers, see `awake`. */
  awake: boolean;
}

/** Sends requests over keep-alive loopback connections, bounded in number and time. */
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
 * Keeps this process from sleeping between answers. Waking a sleeping process costs its writer more than all else in a
 * small answer. A fast server would keep its clients awake and avoid that cost, which would distort the ratio. It takes
 * a core, so use it only to compare processor time: by wall clock, multi-threaded servers would lack that core.
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

/** A keep-alive connection that only parses answers with a length, which is cheaper than a full client. */
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

  /** Rejects if the server closed the connection, for example after seconds of idling. */
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
