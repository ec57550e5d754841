import { createHmac } from 'node:crypto';
import type { EventOf } from '@forgelog/contracts/event.ts';
import { API_VERSION } from '@forgelog/contracts/shared/api-version.ts';
import type { WebHookDelivered } from '@forgelog/contracts/tracker/web-hooks/web-hook-delivery.events.ts';
import { EVENT_NAMES, type Trigger } from '@forgelog/contracts/tracker/web-hooks/web-hook-triggers.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import { mayReach, NO_EXCEPTIONS } from '@forgelog/service-kit/address-rules.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import {
  ADDRESS_REFUSED,
  createOutbound,
  NotReached,
  type Outbound,
} from '@forgelog/service-kit/outbound.ts';
import { createSealer } from '@forgelog/service-kit/sealed.ts';
import { webHookStream } from './web-hook.decider.ts';
import type { WebHookRow } from './web-hooks.projection.ts';

/** What a receiver is sent. */
export interface HookMessage {
  trigger: Trigger;
  /** Hooks of this place, of those above, and of the instance may be told; null for the instance alone. */
  projectId: number | null;
  groupId?: number | null;
  /** Name of the branch that was pushed to; null for anything else. */
  branch: string | null;
  body: string;
}

export interface SentMessage {
  delivered: boolean;
  /** Whether another attempt may do better. */
  retryable: boolean;
  status: number | null;
  error: EventOf<typeof WebHookDelivered>['data']['error'];
  milliseconds: number;
}

export interface WebHookSender {
  /** @param id of the message: the same for each attempt */
  send(hook: WebHookRow, id: string, message: HookMessage, signal: AbortSignal): Promise<SentMessage>;
  headersOf(hook: WebHookRow, id: string, message: HookMessage): Record<string, string>;
  urlOf(hook: WebHookRow): string;
  /** Whether requests to a literal address may be made at all; names are looked up when something is sent. */
  mayReach(url: URL, place: string): Promise<boolean>;
  seal(webHookId: number, secrets: { url?: string; token?: string | null }): SealedSecrets;
  close(): void;
}

export type SealedSecrets = { sealedUrl?: string; sealedToken?: string | null };

const TIMEOUT_MS = 10_000;
/** Nothing is made of an answer's body. */
const MOST_OF_ANSWER = 16_384;
const INSTANCE = 'instance';

export function createWebHookSender(ports: ServicePorts): WebHookSender {
  const { configuration, directory, clock } = ports;
  const sealer = createSealer(lazyInstanceKey(configuration), 'web hooks');
  const [urlPlace, tokenPlace] = ['url', 'token'].map(
    (name) => (id: number) => `${webHookStream(id)}/${name}`,
  ) as [(id: number) => string, (id: number) => string];
  const host = directory.externalUrl;

  // Settings as of the last request: a lookup within it is synchronous.
  const exceptions = { places: NO_EXCEPTIONS, instance: NO_EXCEPTIONS };
  const outbounds: Record<keyof typeof exceptions, Outbound> = {
    places: createOutbound({ mayReach: (address, name) => mayReach(address, name, exceptions.places) }),
    instance: createOutbound({ mayReach: (address, name) => mayReach(address, name, exceptions.instance) }),
  };
  const kindOf = (place: string) => (place === INSTANCE ? 'instance' : 'places');

  async function readSettings(): Promise<void> {
    const allowed = await settingNow(ports, 'outbound_local_requests_whitelist');
    const local = await settingNow(ports, 'allow_local_requests_from_web_hooks_and_services');
    const localOfInstance = await settingNow(ports, 'allow_local_requests_from_system_hooks');
    exceptions.places = { local, allowed };
    exceptions.instance = { local: localOfInstance, allowed };
  }

  const tokenOf = ({ id, sealedToken }: WebHookRow): string | null =>
    sealedToken === null ? null : sealer.open(tokenPlace(id), sealedToken);

  const urlOf = ({ id, sealedUrl }: WebHookRow): string => sealer.open(urlPlace(id), sealedUrl);

  const headersOf = (hook: WebHookRow, id: string, { trigger }: HookMessage): Record<string, string> => ({
    'content-type': 'application/json',
    'user-agent': `Forgelog/${API_VERSION}`,
    'x-gitlab-event': hook.place === INSTANCE ? 'System Hook' : EVENT_NAMES[trigger],
    'x-gitlab-event-uuid': id,
    'x-gitlab-instance': host,
    'idempotency-key': id,
    'webhook-id': id,
  });

  function signed(hook: WebHookRow, id: string, body: Buffer): Record<string, string> {
    const time = String(Math.floor(clock().getTime() / 1000));
    const token = tokenOf(hook);
    if (token === null) return { 'webhook-timestamp': time };
    const signature = createHmac('sha256', token).update(`${id}.${time}.`).update(body).digest('base64');
    return {
      'webhook-timestamp': time,
      'webhook-signature': `v1,${signature}`,
      'x-gitlab-token': token,
    };
  }

  return {
    urlOf,
    headersOf,

    async send(hook, id, message, signal) {
      await readSettings();
      const began = performance.now();
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const body = Buffer.from(message.body);
      const ended = () => Math.round(performance.now() - began);
      try {
        const { status } = await outbounds[kindOf(hook.place)].send(new URL(urlOf(hook)), {
          method: 'POST',
          headers: {
            ...headersOf(hook, id, message),
            ...signed(hook, id, body),
            'content-length': String(body.length),
          },
          body,
          signal: bounded,
          maxBytes: MOST_OF_ANSWER,
          verifyCertificate: hook.verifyCertificate,
        });
        const delivered = status >= 200 && status < 300;
        const retryable = status >= 500 || status === 408 || status === 429;
        return { delivered, retryable, status, error: null, milliseconds: ended() };
      } catch (error) {
        if (signal.aborted) throw error;
        const why = bounded.aborted ? 'time' : errorNameOf(error);
        const retryable = why !== 'address';
        return { delivered: false, retryable, status: null, error: why, milliseconds: ended() };
      }
    },

    async mayReach(url, place) {
      await readSettings();
      const name = url.hostname.replace(/^\[|\]$/g, '');
      const isLiteral = /^[\d.]+$|:/.test(name);
      if (!isLiteral && name !== 'localhost' && !name.endsWith('.localhost')) return true;
      return mayReach(isLiteral ? name : '127.0.0.1', name, exceptions[kindOf(place)]);
    },

    seal: (webHookId, { url, token }) => ({
      ...(url !== undefined && { sealedUrl: sealer.seal(urlPlace(webHookId), url) }),
      ...(token !== undefined && {
        sealedToken: token === null || token === '' ? null : sealer.seal(tokenPlace(webHookId), token),
      }),
    }),

    close() {
      for (const outbound of Object.values(outbounds)) outbound.close();
    },
  };
}

export function errorNameOf(error: unknown): NonNullable<SentMessage['error']> {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof NotReached) return at.message === ADDRESS_REFUSED ? 'address' : 'name';
    const { code = '' } = at as NodeJS.ErrnoException;
    if (/CERT|TLS|SSL|SELF_SIGNED|EPROTO/.test(code)) return 'certificate';
  }
  return 'connection';
}
