import {
  type IntegrationSlug,
  integrationKind,
} from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { createSealer } from '@forgelog/service-kit/sealed.ts';
import { createGuardedPost, JSON_HEADERS, type Posted } from '../../web-hooks/guarded-post.ts';
import { integrationStream } from '../integration.decider.ts';
import { statusOf } from './chat-dialects.ts';

export interface Chat {
  projectId: number;
  slug: IntegrationSlug;
  sealedWebhook: string;
}

/** Seals the addresses of chats, and posts to them through the same guard as hooks. */
export function createIntegrationSender(ports: ServicePorts) {
  const sealer = createSealer(lazyInstanceKey(ports.configuration), 'integrations');
  const placeOf = (projectId: number, slug: IntegrationSlug) =>
    `${integrationStream(projectId, slug)}/webhook`;
  const guarded = createGuardedPost(ports, 'allow_local_requests_from_web_hooks_and_services');

  return {
    seal: (projectId: number, slug: IntegrationSlug, webhook: string): string =>
      sealer.seal(placeOf(projectId, slug), webhook),
    open: (projectId: number, slug: IntegrationSlug, sealedWebhook: string): string =>
      sealer.open(placeOf(projectId, slug), sealedWebhook),

    /** Whether anything may be sent there at all; names are looked up when something is sent. */
    async mayReach(webhook: string): Promise<boolean> {
      const url = URL.parse(webhook);
      if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false;
      return guarded.mayReach(url);
    },

    send: ({ projectId, slug, sealedWebhook }: Chat, body: Buffer, signal: AbortSignal): Promise<Posted> =>
      guarded.post(
        () => ({
          ...{ url: sealer.open(placeOf(projectId, slug), sealedWebhook), headers: JSON_HEADERS, body },
          statusOf: (status, answer) => statusOf(integrationKind(slug).dialect!, status, answer),
        }),
        signal,
      ),

    close: () => guarded.close(),
  };
}
