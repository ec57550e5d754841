import { setTimeout as sleep } from 'node:timers/promises';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { API_VERSION } from '@forgelog/contracts/shared/api-version.ts';
import type { WebHookDelivered } from '@forgelog/contracts/tracker/web-hooks/web-hook-delivery.events.ts';
import { type SettingPorts, settingNow } from '@forgelog/directory/settings.ts';
import { mayReach, NO_EXCEPTIONS } from '@forgelog/service-kit/address-rules.ts';
import { ADDRESS_REFUSED, createOutbound, NotReached } from '@forgelog/service-kit/outbound.ts';

/** Pauses between the attempts of a message. */
export const PAUSES_MS = [1_000, 5_000, 25_000, 120_000, 600_000];

export const JSON_HEADERS = {
  'content-type': 'application/json',
  'user-agent': `Forgelog/${API_VERSION}`,
} as const;

const TIMEOUT_MS = 10_000;
/** Next to nothing is made of an answer's body. */
const MOST_OF_ANSWER = 16_384;
/** At a stop, messages under way have so long to end; they are repeated at the next start otherwise. */
const ENDING_MS = 1_500;

export interface Posted {
  delivered: boolean;
  /** Whether another attempt may do better. */
  retryable: boolean;
  status: number | null;
  error: EventOf<typeof WebHookDelivered>['data']['error'];
  /** Milliseconds that the receiver asks to wait. */
  retryAfterMs: number | null;
  /** The beginning of an answer's body; absent where there was none. */
  body?: Buffer;
}

export interface GuardedPost {
  /** Whether requests to a literal address may be made at all; names are looked up when something is sent. */
  mayReach(url: URL): Promise<boolean>;
  /** @param make opens secrets: where it fails, nothing was sent, as where there is no connection */
  post(make: () => PostedMessage, signal: AbortSignal): Promise<Posted>;
  close(): void;
}

export interface PostedMessage {
  /** `POST` where it does not say. */
  method?: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  verifyCertificate?: boolean;
  /** What an answer comes to, where its own status does not say. */
  statusOf?(status: number, body: Buffer): number;
}

type LocalSetting =
  | 'allow_local_requests_from_web_hooks_and_services'
  | 'allow_local_requests_from_system_hooks';

const LONGEST_WAIT_MS = 600_000;

/** Sends requests to addresses that people gave: never to private ones, unless the setting or the list of exceptions says so. */
export function createGuardedPost(ports: SettingPorts, localSetting: LocalSetting): GuardedPost {
  // Settings as of the last request: a lookup within it is synchronous.
  let exceptions = NO_EXCEPTIONS;
  const outbound = createOutbound({ mayReach: (address, name) => mayReach(address, name, exceptions) });

  async function readSettings(): Promise<void> {
    const allowed = await settingNow(ports, 'outbound_local_requests_whitelist');
    exceptions = { local: await settingNow(ports, localSetting), allowed };
  }

  return {
    async mayReach(url) {
      await readSettings();
      const name = url.hostname.replace(/^\[|\]$/g, '');
      const isLiteral = /^[\d.]+$|:/.test(name);
      if (!isLiteral && name !== 'localhost' && !name.endsWith('.localhost')) return true;
      return mayReach(isLiteral ? name : '127.0.0.1', name, exceptions);
    },

    async post(make, signal) {
      await readSettings();
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      try {
        const { method = 'POST', url, headers, body, statusOf = (status) => status, ...options } = make();
        const sent =
          method === 'GET'
            ? { headers }
            : { headers: { ...headers, 'content-length': String(body.length) }, body };
        const answer = await outbound.send(new URL(url), {
          ...{ method, ...sent, signal: bounded, maxBytes: MOST_OF_ANSWER, ...options },
        });
        const status = statusOf(answer.status, answer.body);
        const delivered = status >= 200 && status < 300;
        const retryable = status >= 500 || status === 408 || status === 429;
        const seconds = Number(answer.headers['retry-after']);
        const retryAfterMs = seconds > 0 ? Math.min(seconds * 1000, LONGEST_WAIT_MS) : null;
        return { delivered, retryable, status, error: null, retryAfterMs, body: answer.body };
      } catch (error) {
        if (signal.aborted) throw error;
        const why = bounded.aborted ? 'time' : errorNameOf(error);
        return {
          delivered: false,
          retryable: why !== 'address',
          status: null,
          error: why,
          retryAfterMs: null,
        };
      }
    },

    close: () => outbound.close(),
  };
}

function errorNameOf(error: unknown): NonNullable<Posted['error']> {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof NotReached) return at.message === ADDRESS_REFUSED ? 'address' : 'name';
    const { code = '' } = at as NodeJS.ErrnoException;
    if (/CERT|TLS|SSL|SELF_SIGNED|EPROTO/.test(code)) return 'certificate';
  }
  return 'connection';
}

/** Waits for messages under way at a stop, not for long, and breaks off the others. */
export async function endMessages(underWay: () => Promise<unknown>, ending: AbortController): Promise<void> {
  const patience = new AbortController();
  const late = sleep(ENDING_MS, undefined, { signal: patience.signal }).catch(() => {});
  await Promise.race([underWay(), late]);
  patience.abort();
  ending.abort();
  await underWay();
}
