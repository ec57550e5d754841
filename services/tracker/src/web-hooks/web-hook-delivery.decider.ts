import type { WebHookDeliveryEvent } from '@forgelog/contracts/tracker/web-hooks/web-hook-delivery.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

export type WebHookDelivery = WebHookDeliveryEvent['data'];
export type WebHookDeliveryCommand = { type: 'EndWebHookDelivery' } & WebHookDelivery;

export const webHookDeliveryStream = (id: number) => `webHookDelivery-${id}`;

/** The state is whether it has ended. */
export const webHookDeliveryDecider: Decider<boolean, WebHookDeliveryCommand, WebHookDeliveryEvent> = {
  initialState: false,

  decide({ type: _, ...data }, hasEnded) {
    return hasEnded ? [] : [{ type: 'WebHookDelivered', data }];
  },

  evolve: () => true,
};
