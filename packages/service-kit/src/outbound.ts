import { lookup as dnsLookup } from 'node:dns';
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { createNameLookups } from './name-lookups.ts';

/** Sends requests to servers that people name. It follows no redirect, and connects only where it may. */
export interface Outbound {
  /** @throws NotReached, or an error of the network */
  send(url: URL, request: OutboundRequest): Promise<OutboundAnswer>;
  close(): void;
}

export interface OutboundRequest {
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: Buffer;
  /** Ends everything, the name's lookup included. */
  signal: AbortSignal;
  /** Bytes of the answer's body that are read. */
  maxBytes: number;
  verifyCertificate?: boolean;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  isCut: boolean;
}

export class NotReached extends Error {}

export const ADDRESS_REFUSED = 'its address is not a public one';

interface OutboundOptions {
  mayReach(address: string, host: string): boolean;
}

const MAX_HEADERS = 16_384;
const IDLE_SOCKET_MS = 4_000;
const LOOKUPS_AT_ONCE = 2;

export function createOutbound({ mayReach }: OutboundOptions): Outbound {
  // The checked addresses are those that are connected to, so a name cannot lead elsewhere in between.
  const lookup: LookupFunction = (hostname, given, done) =>
    lookups.run(hostname, given, (error, found) => {
      if (error) return done(new NotReached('its name is not known'), []);
      if (found.length === 0 || found.some(({ address }) => !mayReach(address, hostname)))
        return done(new NotReached(ADDRESS_REFUSED), []);
      if (given.all) return done(null, found);
      return done(null, found[0]!.address, found[0]!.family);
    });

  const sockets = { keepAlive: true, timeout: IDLE_SOCKET_MS, scheduling: 'lifo', lookup } as const;
  const agents = { http: new HttpAgent(sockets), https: new HttpsAgent(sockets) };

  function once(url: URL, given: OutboundRequest, host: string): Promise<OutboundAnswer> {
    const { method, headers, body, signal, maxBytes, verifyCertificate = true } = given;
    return new Promise((resolve, reject) => {
      const secure = url.protocol === 'https:';
      const options = {
        ...{ method, headers, signal, hostname: host, port: url.port, path: url.pathname + url.search },
        maxHeaderSize: MAX_HEADERS,
      };
      const request = secure
        ? httpsRequest({ ...options, agent: agents.https, rejectUnauthorized: verifyCertificate })
        : httpRequest({ ...options, agent: agents.http });
      request.once('response', (response) => readAnswer(response, maxBytes).then(resolve, reject));
      request.once('error', (error: NodeJS.ErrnoException) =>
        request.reusedSocket && error.code === 'ECONNRESET' ? resolve(once(url, given, host)) : reject(error),
      );
      // An idle limit of the agent's sockets is none of a request under way: `signal` bounds that.
      request.setTimeout(0);
      request.end(body);
    });
  }

  return {
    async send(url, request) {
      if (!/^https?:$/.test(url.protocol)) throw new NotReached('it is neither http nor https');
      const host = url.hostname.replace(/^\[|\]$/g, '');
      // The lookup is not called for a literal address.
      if (isIP(host) && !mayReach(host, host)) throw new NotReached(ADDRESS_REFUSED);
      return once(url, request, host);
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<OutboundAnswer> {
  const { statusCode: status = 0, headers } = response;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > maxBytes) break;
  }
  const body = Buffer.concat(chunks).subarray(0, maxBytes);
  return { status, headers, body, isCut: size > maxBytes };
}

const lookups = createNameLookups(dnsLookup, { atOnce: LOOKUPS_AT_ONCE });
