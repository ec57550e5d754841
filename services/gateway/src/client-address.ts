import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import parseForwarded from 'forwarded-parse';
import proxyAddr from 'proxy-addr';

export type ClientAddressOf = (request: IncomingMessage) => string | null;

/**
 * Finds the client's address: the rightmost one that is not a trusted proxy. Only one of the two headers counts, since
 * a proxy sets one and forwards the client's own value of the other.
 */
export function clientAddresses({
  TRUSTED_PROXIES,
  PROXY_HEADER,
}: Pick<Configuration, 'TRUSTED_PROXIES' | 'PROXY_HEADER'>): ClientAddressOf {
  if (TRUSTED_PROXIES.length === 0) return ({ socket }) => socket.remoteAddress ?? null;
  const trusts = proxyAddr.compile([...TRUSTED_PROXIES]);
  const told = PROXY_HEADER === 'forwarded' ? forwardedFor : xForwardedFor;
  return (request) => {
    let address = request.socket.remoteAddress ?? null;
    for (const next of told(request)) {
      if (address === null || !trusts(address, 0)) break;
      const bare = withoutPort(next);
      // "unknown", an obfuscated name or garbage: ignore everything to its left.
      if (isIP(bare) === 0) break;
      address = bare;
    }
    return address;
  };
}

/** Rightmost first. */
const parts = (header: string | string[] | undefined): string[] =>
  header === undefined
    ? []
    : String(header)
        .split(',')
        .map((part) => part.trim())
        .reverse();

const xForwardedFor = ({ headers }: IncomingMessage): string[] => parts(headers['x-forwarded-for']);

/** Parses each element alone, so that a client's malformed one hides none of a proxy (RFC 7239, 4). */
function* forwardedFor({ headers }: IncomingMessage): Generator<string> {
  for (const part of parts(headers.forwarded)) {
    try {
      yield parseForwarded(part)[0]?.for ?? '';
    } catch {
      return;
    }
  }
}

/** Accepts `192.0.2.1:4711`, `[2001:db8::1]:4711` and `[2001:db8::1]`. */
const withoutPort = (text: string): string =>
  /^\[([^\]]+)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
