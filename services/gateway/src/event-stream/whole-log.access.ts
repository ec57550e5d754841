import { toCloudEvent } from '@forgelog/eventing/cloud-event.ts';
import type { Position, RecordedEvent } from '@forgelog/eventing/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Reach } from './reach.ts';

/** Subscribers that follow the log are sent the same events; each is printed once. */
const printed = new WeakMap<RecordedEvent, ReturnType<Reach['frame']>>();

/** An administrator reads everything, as long as they are one. */
export function wholeLog(
  ports: {
    catalogue: EventCatalogue;
    renewedAt(subscriber: Principal, position: Position): Promise<Principal | undefined>;
  },
  subscriber: Principal,
): Reach {
  return {
    holdsAt: async (position) => (await ports.renewedAt(subscriber, position))?.isAdmin ?? false,
    readable: async (events) => events,
    frame(event, log) {
      const known = printed.get(event);
      if (known) return known;
      const shown = toCloudEvent(event, ports.catalogue, log);
      const frame = { id: shown.position, json: JSON.stringify(shown) };
      printed.set(event, frame);
      return frame;
    },
    publish: (position, log) => log.publish(position),
    read: (published, log, store) => log.read(published, store),
  };
}
