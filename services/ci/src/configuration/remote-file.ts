import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { IncludeAnswer } from '@forgelog/ci-config/ports.ts';
import ipaddr from 'ipaddr.js';
import type { Agent } from 'undici';

/** Fetches a file that a configuration includes by its address. Never throws: what fails is a refusal with its reason. */
export type FetchRemoteFile = (url: string) => Promise<IncludeAnswer>;

interface RemoteFileOptions {
  isAllowed: (address: string) => boolean;
  timeoutMs: number;
  maxBytes: number;
}

const DEFAULTS: RemoteFileOptions = { isAllowed: isPublic, timeoutMs: 10_000, maxBytes: 1024 * 1024 };
const MAX_REDIRECTS = 3;

class NotFetched extends Error {}

/** Global unicast addresses; not those of this machine, of private networks, or of tunnels that lead to them. */
function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

export function remoteFiles(options: Partial<RemoteFileOptions> = {}): FetchRemoteFile {
  const { isAllowed, timeoutMs, maxBytes } = { ...DEFAULTS, ...options };
  const notPublic = () => new NotFetched('its address is not a public one');

  // The checked addresses are those that are connected to, so a name cannot lead elsewhere in between.
  const lookup: LookupFunction = (hostname, given, done) =>
    dnsLookup(hostname, { ...given, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(new NotFetched('its name is not known'), []);
      if (found.some(({ address }) => !isAllowed(address))) return done(notPublic(), []);
      if (given.all) return done(null, found);
      return done(null, found[0]!.address, found[0]!.family);
    });

  async function fetchOnce(url: URL, dispatcher: Agent, signal: AbortSignal) {
    if (!/^https?:$/.test(url.protocol))
      throw new NotFetched('it redirects to something else than http or https');
    // The lookup is not called for a literal address.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) && !isAllowed(host)) throw notPublic();
    return dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      signal,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'forgelog-ci' },
    });
  }

  async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBytes) throw new NotFetched(`it is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  async function fetchFile(given: string, dispatcher: Agent, signal: AbortSignal): Promise<IncludeAnswer> {
    let url = new URL(given);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const { statusCode, headers, body } = await fetchOnce(url, dispatcher, signal);
      if (statusCode === 200) {
        if (headers['content-encoding']) throw new NotFetched('it came compressed');
        return { files: [{ name: given, text: await textOf(body) }] };
      }
      body.on('error', () => {}).destroy();
      if (statusCode === 404) return { refused: 'no file' };
      const { location } = headers;
      if (statusCode < 300 || statusCode > 399 || typeof location !== 'string')
        throw new NotFetched(`it answered with status ${statusCode}`);
      if (!URL.canParse(location, url.href)) throw new NotFetched('it redirects to no address');
      url = new URL(location, url);
    }
    throw new NotFetched('it redirects too often');
  }

  return async (url) => {
    // Loaded with the first file: many processes never fetch one.
    const { Agent } = await import('undici');
    const signal = AbortSignal.timeout(timeoutMs);
    const dispatcher = new Agent({ connect: { lookup, timeout: timeoutMs }, maxHeaderSize: 16_384 });
    try {
      return await fetchFile(url, dispatcher, signal);
    } catch (error) {
      const reason = signal.aborted ? `it did not come within ${timeoutMs / 1000} s` : reasonOf(error);
      return { refused: 'not fetched', reason };
    } finally {
      await dispatcher.destroy();
    }
  };
}

/** Errors of the network tell too much about it. */
function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof NotFetched) return at.message;
  return 'it did not answer';
}

export const NO_REMOTE_FILES: FetchRemoteFile = async () => ({
  refused: 'not fetched',
  reason: 'this server has it switched off (CI_REMOTE_INCLUDES)',
});
