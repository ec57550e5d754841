import { API_VERSION } from '@forgelog/contracts/shared/api-version.ts';
import {
  type IntegrationSlug,
  integrationKind,
} from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import { mayReach, NO_EXCEPTIONS } from '@forgelog/service-kit/address-rules.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { createOutbound } from '@forgelog/service-kit/outbound.ts';
import { createSealer } from '@forgelog/service-kit/sealed.ts';
import { errorNameOf, type SentMessage } from '../../web-hooks/web-hook-sender.ts';
import { integrationStream } from '../integration.decider.ts';
import { statusOf } from './chat-dialects.ts';

export interface SentToChat extends Pick<SentMessage, 'delivered' | 'retryable' | 'status' | 'error'> {
  /** Milliseconds that the chat asks to wait. */
  retryAfterMs: number | null;
}

export interface Chat {
  projectId: number;
  slug: IntegrationSlug;
  sealedWebhook: string;
}

const TIMEOUT_MS = 10_000;
const MOST_OF_ANSWER = 16_384;
const LONGEST_WAIT_MS = 600_000;

/** Seals the addresses of chats, and posts to them through the same guard as hooks. */
export function createIntegrationSender(ports: ServicePorts) {
  const sealer = createSealer(lazyInstanceKey(ports.configuration), 'integrations');
  const placeOf = (projectId: number, slug: IntegrationSlug) =>
    `${integrationStream(projectId, slug)}/webhook`;
  // Settings as of the last request: a lookup within it is synchronous.
  let exceptions = NO_EXCEPTIONS;
  const outbound = createOutbound({ mayReach: (address, name) => mayReach(address, name, exceptions) });

  async function readSettings(): Promise<void> {
    const allowed = await settingNow(ports, 'outbound_local_requests_whitelist');
    const local = await settingNow(ports, 'allow_local_requests_from_web_hooks_and_services');
    exceptions = { local, allowed };
  }

  return {
    seal: (projectId: number, slug: IntegrationSlug, webhook: string): string =>
      sealer.seal(placeOf(projectId, slug), webhook),
    open: (projectId: number, slug: IntegrationSlug, sealedWebhook: string): string =>
      sealer.open(placeOf(projectId, slug), sealedWebhook),

    /** Whether anything may be sent there at all; names are looked up when something is sent. */
    async mayReach(webhook: string): Promise<boolean> {
      await readSettings();
      const url = URL.parse(webhook);
      if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false;
      const name = url.hostname.replace(/^\[|\]$/g, '');
      const isLiteral = /^[\d.]+$|:/.test(name);
      if (!isLiteral && name !== 'localhost' && !name.endsWith('.localhost')) return true;
      return mayReach(isLiteral ? name : '127.0.0.1', name, exceptions);
    },

    async send(chat: Chat, body: Buffer, signal: AbortSignal): Promise<SentToChat> {
      await readSettings();
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      try {
        const answer = await outbound.send(
          new URL(sealer.open(placeOf(chat.projectId, chat.slug), chat.sealedWebhook)),
          {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'user-agent': `Forgelog/${API_VERSION}`,
              'content-length': String(body.length),
            },
            ...{ body, signal: bounded, maxBytes: MOST_OF_ANSWER },
          },
        );
        const status = statusOf(integrationKind(chat.slug).dialect!, answer.status, answer.body);
        const delivered = status >= 200 && status < 300;
        const retryable = status >= 500 || status === 408 || status === 429;
        const seconds = Number(answer.headers['retry-after']);
        const retryAfterMs = seconds > 0 ? Math.min(seconds * 1000, LONGEST_WAIT_MS) : null;
        return { delivered, retryable, status, error: null, retryAfterMs };
      } catch (error) {
        if (signal.aborted) throw error;
        const why = bounded.aborted ? 'time' : errorNameOf(error);
        const retryable = why !== 'address';
        return { delivered: false, retryable, status: null, error: why, retryAfterMs: null };
      }
    },

    close: () => outbound.close(),
  };
}
