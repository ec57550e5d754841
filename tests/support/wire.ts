import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import type { Forgelog } from './forgelog.ts';

/** An answer as it came over the wire. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Sent {
  /** null: anonymous; by default root. */
  token?: string | null;
  /** Sent as JSON. */
  json?: unknown;
  body?: string | Buffer;
  type?: string;
  headers?: Record<string, string>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 12 });
/** Whatever hangs is a failure of its own, long before the test's time is over. */
const PATIENCE_MS = 20_000;

/** One request with the path exactly as it is written: no client tidies it up. */
export function send(forgelog: Forgelog, method: string, path: string, sent: Sent = {}): Promise<Answer> {
  const token = sent.token === undefined ? forgelog.rootToken : sent.token;
  const body = sent.json === undefined ? sent.body : JSON.stringify(sent.json);
  const type = sent.type ?? (sent.json === undefined ? undefined : 'application/json');
  const headers: Record<string, string | number> = { ...sent.headers };
  if (token !== null) headers['PRIVATE-TOKEN'] = token;
  if (type !== undefined) headers['Content-Type'] = type;
  if (body !== undefined) headers['Content-Length'] = Buffer.byteLength(body);
  const { hostname, port } = new URL(forgelog.url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode!, headers: response.headers, text });
      });
    });
    outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error(`${method} ${path} hangs`)));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection just as it was taken up again: nothing of this has arrived.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET')
        resolve(send(forgelog, method, path, { ...sent, headers: { ...sent.headers, Connection: 'close' } }));
      else reject(error);
    });
    outgoing.end(body);
  });
}

/** Bytes on a socket of their own, and all that comes back until the server closes it or has said enough. */
export function sendRaw(
  forgelog: Forgelog,
  bytes: string | Buffer | Iterable<Buffer>,
  enough: (said: string) => boolean = () => false,
): Promise<string> {
  const { hostname, port } = new URL(forgelog.url);
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = connect(Number(port), hostname);
    socket.setTimeout(PATIENCE_MS, () => {
      socket.destroy();
      reject(new Error(`the connection hangs after: ${said}`));
    });
    const done = () => {
      socket.destroy();
      resolve(said);
    };
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1');
      if (enough(said)) done();
    });
    socket.on('error', done);
    socket.on('close', done);
    if (typeof bytes === 'string' || Buffer.isBuffer(bytes)) socket.write(bytes);
    else {
      void (async () => {
        for (const chunk of bytes) {
          if (socket.destroyed) return;
          if (!socket.write(chunk)) await new Promise((resume) => socket.once('drain', resume));
        }
      })();
    }
  });
}

/** What an answer to someone outside must never hold: places on the server, stack traces, words of git's or SQLite's. */
const LEAKS =
  /\/tmp\/|\/work\/|\/home\/|node_modules|file:\/\/|\.ts:\d|\bat \S+ \(|fatal: |usage: git|SQLITE|ENOENT|EISDIR|ENOTDIR|ENAMETOOLONG|TypeError|RangeError|SyntaxError|index-pack|repositories\/|\.git\/(?:refs|objects)/;

/** Why this is no clear refusal; null where it is one. A 304 and a success are none. */
export function notRefused({ status, headers, text }: Answer, method = 'GET'): string | null {
  if (status < 400 || status > 499) return `answered ${status} ${text.slice(0, 200)}`;
  if (method === 'HEAD') return null;
  if (headers['content-type'] !== 'application/json')
    return `${status} is no JSON but ${headers['content-type']}`;
  const body = parsed(text);
  if (typeof body !== 'object' || body === null || !('message' in body || 'error' in body))
    return `${status} says nothing: ${text.slice(0, 200)}`;
  return leaks(text);
}

/** Why this answer is none that anybody should get: a failure of the server's, or one that tells of its inside. */
export function notSound({ status, text }: Answer): string | null {
  if (status >= 500) return `answered ${status} ${text.slice(0, 200)}`;
  return status >= 400 ? leaks(text) : null;
}

function leaks(text: string): string | null {
  const found = LEAKS.exec(text);
  return found ? `tells of the inside (${found[0]}): ${text.slice(0, 200)}` : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Runs work over items, so many at a time, and gives what came of it in order. */
export async function inBatches<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  width = 12,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at]!);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
