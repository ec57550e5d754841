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
import { textOf } from './wanted-message.rules.ts';

type Message = Omit<PostedMessage, 'headers'> & { headers?: Record<string, string> };
type Secret = 'webhook' | 'password';
type Sealed = Pick<IntegrationRow, 'projectId' | 'slug' | 'sealedWebhook' | 'sealedPassword'>;

export type IntegrationSender = ReturnType<typeof createIntegrationSender>;

/** Seals the secrets of integrations, and posts to their addresses through the same guard as hooks. */
export function createIntegrationSender(ports: ServicePorts) {
  const sealer = createSealer(lazyInstanceKey(ports.configuration), 'integrations');
  const placeOf = (projectId: number, slug: string, secret: Secret) =>
    `${integrationStream(projectId, slug as IntegrationSlug)}/${secret}`;
  const guarded = createGuardedPost(ports, 'allow_local_requests_from_web_hooks_and_services');

  function secretOf({ projectId, slug, sealedWebhook, sealedPassword }: Sealed, secret: Secret) {
    const sealed = secret === 'webhook' ? sealedWebhook : sealedPassword;
    return sealed === null ? null : sealer.open(placeOf(projectId, slug, secret), sealed);
  }

  return {
    seal: (projectId: number, slug: IntegrationSlug, secret: Secret, text: string): string =>
      sealer.seal(placeOf(projectId, slug, secret), text),

    /** Null where it has none. */
    secretOf,

    /** @param row of an integration that has an address */
    webhookOf: (row: Sealed): string => secretOf(row, 'webhook')!,

    /** For HTTP Basic; empty without a password. */
    authorizationOf(row: IntegrationRow): Record<string, string> {
      const password = secretOf(row, 'password');
      if (password === null) return {};
      const account = `${textOf(row, 'username')}:${password}`;
      return { authorization: `Basic ${Buffer.from(account).toString('base64')}` };
    },

    /** Whether anything may be sent there at all; names are looked up when something is sent. */
    async mayReach(address: string): Promise<boolean> {
      const url = URL.parse(address);
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
