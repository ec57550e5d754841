import { toCloudEvent } from '@forgelog/eventing/cloud-event.ts';
import type { Position, RecordedEvent } from '@forgelog/eventing/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { LogIdentity } from '@forgelog/eventing/log-identity.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { PrintedEvent } from './printed-event.ts';
import type { Reach } from './reach.ts';

export interface WholeLogPorts {
  catalogue: EventCatalogue;
  renewedAt(subscriber: Principal, position: Position): Promise<Principal | undefined>;
}

/**
 * An administrator reads everything, as long as they are one. A class, because thousands of idle readers have one each
 * and closures cost memory.
 */
export class WholeLog implements Reach {
  readonly #ports: WholeLogPorts;
  readonly #subscriber: Principal;

  constructor(ports: WholeLogPorts, subscriber: Principal) {
    this.#ports = ports;
    this.#subscriber = subscriber;
  }

  async holdsAt(position: Position): Promise<boolean> {
    return (await this.#ports.renewedAt(this.#subscriber, position))?.isAdmin ?? false;
  }

  async readable(events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    return events;
  }

  frame(event: RecordedEvent, log: LogIdentity): ReturnType<Reach['frame']> {
    // Subscribers that follow the log are sent the same events; each is printed once.
    const known = PrintedEvent.frameOf(event);
    if (known) return known;
    const shown = toCloudEvent(event, this.#ports.catalogue, log);
    const frame = { id: shown.position, json: JSON.stringify(shown) };
    PrintedEvent.remember(event, frame);
    return frame;
  }

  publish(position: Position, log: LogIdentity): string {
    return log.publish(position);
  }

  read(
    published: string,
    log: LogIdentity,
    store: Pick<EventStore, 'isPosition'>,
  ): ReturnType<Reach['read']> {
    return log.read(published, store);
  }
}
