import type { IntegrationSlug } from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { createSealer } from '@forgelog/service-kit/sealed.ts';
import {
  createGuardedPost,
  JSON_HEADERS,
  type Posted,
  type PostedMessage,
} from '../web-hooks/guarded-post.ts';
import { integrationStream } from './integration.decider.ts';
import type { IntegrationRow } from './integrations.projection.ts';

type Message = Omit<PostedMessage, 'headers'> & { headers?: Record<string, string> };

/** Seals the secrets of integrations, and posts to their addresses through the same guard as hooks. */
export function createIntegrationSender(ports: ServicePorts) {
  const sealer = createSealer(lazyInstanceKey(ports.configuration), 'integrations');
  const placeOf = (projectId: number, slug: string) =>
    `${integrationStream(projectId, slug as IntegrationSlug)}/webhook`;
  const guarded = createGuardedPost(ports, 'allow_local_requests_from_web_hooks_and_services');

  return {
    seal: (projectId: number, slug: IntegrationSlug, webhook: string): string =>
      sealer.seal(placeOf(projectId, slug), webhook),

    /** @param row of an integration that has an address */
    webhookOf: ({
      projectId,
      slug,
      sealedWebhook,
    }: Pick<IntegrationRow, 'projectId' | 'slug' | 'sealedWebhook'>) =>
      sealer.open(placeOf(projectId, slug), sealedWebhook!),

    /** Whether anything may be sent there at all; names are looked up when something is sent. */
    async mayReach(webhook: string): Promise<boolean> {
      const url = URL.parse(webhook);
      if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return false;
      return guarded.mayReach(url);
    },

    post: (make: () => Message, signal: AbortSignal): Promise<Posted> =>
      guarded.post(() => {
        const { headers, ...message } = make();
        return { headers: { ...JSON_HEADERS, ...headers }, ...message };
      }, signal),

    close: () => guarded.close(),
  };
}
