import {
  type IntegrationSlug,
  integrationKind,
} from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import type { Posted } from '../../web-hooks/guarded-post.ts';
import type { Courier } from '../courier.ts';
import type { Property } from '../integration.decider.ts';
import type { IntegrationSender } from '../integration-sender.ts';
import type { IntegrationRow } from '../integrations.projection.ts';
import { propertyOf } from '../wanted-message.rules.ts';
import { chatBody, statusOf } from './chat-dialects.ts';
import { type ChatMessage, chatMessageOf } from './chat-message.ts';

/** Tells chats, each in its own words. */
export function createChatCourier(sender: IntegrationSender): Courier {
  return {
    ...{ isOurs: false, takesEdits: false },
    async tell(row, { bodies }, signal) {
      const dialect = integrationKind(row.slug as IntegrationSlug).dialect!;
      let sent: Posted | undefined;
      for (const body of bodies) {
        const message = chatMessageOf(body);
        if (!message) continue;
        sent = await sender.post(
          () => ({
            url: sender.webhookOf(row),
            body: chatBody(dialect, message, speakingOf(row, message)),
            statusOf: (status, answer) => statusOf(dialect, status, answer),
          }),
          signal,
        );
        if (!sent.delivered) return sent;
      }
      return sent;
    },
    close: () => {},
  };
}

function speakingOf(row: IntegrationRow, { channel }: ChatMessage) {
  const text = (name: Property['name']) => {
    const value = propertyOf(row.properties as Property[], name);
    return typeof value === 'string' ? value : undefined;
  };
  return { username: text('username'), channel: text(channel) ?? text('channel') };
}
