import { connect, type Socket } from 'node:net';
import { git, gitBytes } from './stock-git.ts';

const ZERO_OID = '0'.repeat(40);

/** What a push of `HEAD` to a new branch sends: the command, and a pack of everything that the commit reaches. */
export async function pushBody(folder: string, branch: string, capabilities: string): Promise<Buffer> {
  const oid = await git(folder, 'rev-parse', 'HEAD');
  const command = packet(`${ZERO_OID} ${oid} refs/heads/${branch}\0${capabilities}`);
  const pack = await gitBytes(folder, `${oid}\n`, 'pack-objects', '--revs', '--stdout', '-q');
  return Buffer.concat([Buffer.from(`${command}0000`), pack]);
}

const packet = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;

/** A push on a connection of its own, up to its body of so many bytes, which is written by the caller. */
export function beginPush(address: string, path: string, token: string, length: number): Socket {
  const { hostname, port } = new URL(address);
  const head = [
    `POST /${path}.git/git-receive-pack HTTP/1.1`,
    `Host: ${hostname}`,
    `Authorization: Basic ${Buffer.from(`root:${token}`).toString('base64')}`,
    'Content-Type: application/x-git-receive-pack-request',
    `Content-Length: ${length}`,
  ];
  const socket = connect(Number(port), hostname);
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return socket;
}

/**
 * Reads an answer as a client that needs no more than `enough` of it, and leaves its connection at once then.
 * @param enough sees what came back so far, without HTTP's own framing
 */
export async function answerUntil(socket: Socket, enough: (received: Buffer) => boolean): Promise<Buffer> {
  let raw: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    raw = Buffer.concat([raw, chunk]);
    const received = unchunked(raw);
    if (enough(received)) {
      socket.destroy();
      return received;
    }
  }
  throw new Error(`the server closed the connection after: ${raw.toString('latin1')}`);
}

/** What has come of an HTTP answer's body: RFC 9112, 7.1. */
function unchunked(raw: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = raw.indexOf('\r\n\r\n') + 4;
  if (at < 4) return Buffer.alloc(0);
  for (;;) {
    const end = raw.indexOf('\r\n', at);
    if (end < 0) break;
    const size = Number.parseInt(raw.toString('latin1', at, end), 16);
    parts.push(raw.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

/** The payloads of the packets that came whole; null is a flush packet. */
export function packetsOf(received: Buffer): (Buffer | null)[] {
  const packets: (Buffer | null)[] = [];
  for (let at = 0; at + 4 <= received.length; ) {
    const length = Number.parseInt(received.toString('latin1', at, at + 4), 16);
    if (length > 0 && at + length > received.length) break;
    packets.push(length === 0 ? null : received.subarray(at + 4, at + length));
    at += Math.max(4, length);
  }
  return packets;
}
