import type { IntegrationMessageEvent } from '@forgelog/contracts/tracker/integrations/integration-message.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export interface IntegrationMessageState {
  /** Up to where it has told; empty before the first message. */
  toldUpTo: string;
  /** Messages in a row that failed. */
  failures: number;
}

export type EndIntegrationMessage = { type: 'EndIntegrationMessage' } & IntegrationMessageEvent['data'];

export const integrationMessagesStream = (integrationId: number) => `integrationMessages-${integrationId}`;

export const integrationMessageDecider: Decider<
  IntegrationMessageState,
  EndIntegrationMessage,
  IntegrationMessageEvent
> = {
  initialState: { toldUpTo: '', failures: 0 },

  decide({ type: _, ...data }, { toldUpTo }) {
    return data.toldUpTo <= toldUpTo ? [] : [{ type: 'IntegrationMessageHandled', data }];
  },

  evolve: ({ failures }, { data: { toldUpTo, delivered } }) => ({
    ...{ toldUpTo, failures: delivered ? 0 : failures + 1 },
  }),
};
