import type { IncludeAnswer } from '@forgelog/ci-config/ports.ts';
import { mayReach, NO_EXCEPTIONS } from '@forgelog/service-kit/address-rules.ts';
import { createOutbound, NotReached, type Outbound } from '@forgelog/service-kit/outbound.ts';

/** Fetches a file that a configuration includes by its address. Never throws: what fails is a refusal with its reason. */
export type FetchRemoteFile = (url: string) => Promise<IncludeAnswer>;

interface RemoteFileOptions {
  isAllowed: (address: string) => boolean;
  timeoutMs: number;
  maxBytes: number;
}

const DEFAULTS: RemoteFileOptions = {
  isAllowed: (address) => mayReach(address, '', NO_EXCEPTIONS),
  timeoutMs: 10_000,
  maxBytes: 1024 * 1024,
};
const MAX_REDIRECTS = 3;
const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'forgelog-ci' };

export function remoteFiles(options: Partial<RemoteFileOptions> = {}): FetchRemoteFile {
  const { isAllowed, timeoutMs, maxBytes } = { ...DEFAULTS, ...options };

  async function fetchFile(given: string, outbound: Outbound, signal: AbortSignal): Promise<IncludeAnswer> {
    let url = new URL(given);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      if (!/^https?:$/.test(url.protocol))
        throw new NotReached('it redirects to something else than http or https');
      const request = { method: 'GET', headers: HEADERS, signal, maxBytes } as const;
      const { status, headers, body, isCut } = await outbound.send(url, request);
      if (status === 200) {
        if (headers['content-encoding']) throw new NotReached('it came compressed');
        if (isCut) throw new NotReached(`it is larger than ${maxBytes} bytes`);
        return { files: [{ name: given, text: body.toString('utf8') }] };
      }
      if (status === 404) return { refused: 'no file' };
      const { location } = headers;
      if (status < 300 || status > 399 || location === undefined)
        throw new NotReached(`it answered with status ${status}`);
      if (!URL.canParse(location, url.href)) throw new NotReached('it redirects to no address');
      url = new URL(location, url);
    }
    throw new NotReached('it redirects too often');
  }

  return async (url) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const outbound = createOutbound({ mayReach: isAllowed });
    try {
      return await fetchFile(url, outbound, signal);
    } catch (error) {
      const reason = signal.aborted ? `it did not come within ${timeoutMs / 1000} s` : reasonOf(error);
      return { refused: 'not fetched', reason };
    } finally {
      outbound.close();
    }
  };
}

/** Errors of the network tell too much about it. */
function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof NotReached) return at.message;
  return 'it did not answer';
}

export const NO_REMOTE_FILES: FetchRemoteFile = async () => ({
  refused: 'not fetched',
  reason: 'this server has it switched off (CI_REMOTE_INCLUDES)',
});
