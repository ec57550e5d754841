import { toCloudEvent } from '@forgelog/eventing/cloud-event.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Reach } from '../event-stream/reach.ts';
import type { SealedPositions } from '../event-stream/sealed-position.ts';

export interface AccessReachPorts {
  catalogue: EventCatalogue;
  positions: SealedPositions;
  /** The subscriber as of now; undefined once their credential is no longer valid. */
  renewed(subscriber: Principal): Promise<Principal | undefined>;
}

/** An administrator reads the whole access log, as long as they are one. */
export const wholeAccessLog = (
  { catalogue, renewed }: Omit<AccessReachPorts, 'positions'>,
  subscriber: Principal,
): Reach => ({
  holdsAt: async () => (await renewed(subscriber))?.isAdmin ?? false,
  readable: async (events) => events,
  frame(event, log) {
    const shown = toCloudEvent(event, catalogue, log);
    return { id: shown.position, json: JSON.stringify(shown) };
  },
  publish: (position, log) => log.publish(position),
  read: (published, log, store) => log.read(published, store),
});

/** A user reads what is about them. Positions are sealed, because they count what others did. */
export function ownAccess({ catalogue, positions, renewed }: AccessReachPorts, subscriber: Principal): Reach {
  const { userId } = subscriber;
  const place = `access of user ${userId}`;
  const isOwn = ({ metadata, data }: RecordedEvent) =>
    metadata.actorId === userId || (data as { userId?: unknown }).userId === userId;
  return {
    holdsAt: async () => (await renewed(subscriber)) !== undefined,
    readable: async (events) => events.filter(isOwn),
    frame(event, log) {
      const id = positions.seal(place, log.publish(event.position));
      const { revision: _, ...shown } = toCloudEvent(event, catalogue, log);
      return { id, json: JSON.stringify({ ...shown, position: id }) };
    },
    publish: (position, log) => positions.seal(place, log.publish(position)),
    read(published, log, store) {
      const opened = positions.open(place, published);
      return opened === undefined ? { kind: 'malformed' } : log.read(opened, store);
    },
  };
}
