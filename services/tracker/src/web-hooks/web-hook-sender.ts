import { createHmac } from 'node:crypto';
import { EVENT_NAMES, type Trigger } from '@forgelog/contracts/tracker/web-hooks/web-hook-triggers.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { createSealer } from '@forgelog/service-kit/sealed.ts';
import { createGuardedPost, type GuardedPost, JSON_HEADERS, type Posted } from './guarded-post.ts';
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

export interface SentMessage extends Pick<Posted, 'delivered' | 'retryable' | 'status' | 'error'> {
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

const INSTANCE = 'instance';

export function createWebHookSender(ports: ServicePorts): WebHookSender {
  const { configuration, directory, clock } = ports;
  const sealer = createSealer(lazyInstanceKey(configuration), 'web hooks');
  const [urlPlace, tokenPlace] = ['url', 'token'].map(
    (name) => (id: number) => `${webHookStream(id)}/${name}`,
  ) as [(id: number) => string, (id: number) => string];
  const host = directory.externalUrl;

  const places = createGuardedPost(ports, 'allow_local_requests_from_web_hooks_and_services');
  const instance = createGuardedPost(ports, 'allow_local_requests_from_system_hooks');
  const postOf = (place: string): GuardedPost => (place === INSTANCE ? instance : places);

  const tokenOf = ({ id, sealedToken }: WebHookRow): string | null =>
    sealedToken === null ? null : sealer.open(tokenPlace(id), sealedToken);

  const urlOf = ({ id, sealedUrl }: WebHookRow): string => sealer.open(urlPlace(id), sealedUrl);

  const headersOf = (hook: WebHookRow, id: string, { trigger }: HookMessage): Record<string, string> => ({
    ...JSON_HEADERS,
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
      const began = performance.now();
      const body = Buffer.from(message.body);
      const { retryAfterMs: _, ...sent } = await postOf(hook.place).post(
        () => ({
          ...{ url: urlOf(hook), body, verifyCertificate: hook.verifyCertificate },
          headers: { ...headersOf(hook, id, message), ...signed(hook, id, body) },
        }),
        signal,
      );
      return { ...sent, milliseconds: Math.round(performance.now() - began) };
    },

    mayReach: (url, place) => postOf(place).mayReach(url),

    seal: (webHookId, { url, token }) => ({
      ...(url !== undefined && { sealedUrl: sealer.seal(urlPlace(webHookId), url) }),
      ...(token !== undefined && {
        sealedToken: token === null || token === '' ? null : sealer.seal(tokenPlace(webHookId), token),
      }),
    }),

    close() {
      places.close();
      instance.close();
    },
  };
}
