import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { LRUCache } from 'lru-cache';
import type { Decider } from './decider.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import type { EventStore } from './event-store.ts';

export interface StreamState<State> {
  decider: unknown;
  state: State;
  revision: number | null;
}

const PAGE = 1000;

export const unread = <State>(decider: { initialState: State }): StreamState<State> => ({
  decider,
  state: decider.initialState,
  revision: null,
});

/** Caches stream states per decider, and reads newer events on demand. */
export class StreamStates {
  readonly #store: EventStore;
  readonly #catalogue: EventCatalogue;
  readonly #states: LRUCache<string, StreamState<unknown>>;

  constructor(store: EventStore, catalogue: EventCatalogue, capacity: number) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.#states = new LRUCache({ max: capacity });
  }

  remembered<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
  ): StreamState<State> | undefined {
    const known = this.#states.get(stream);
    return known?.decider === decider ? (known as StreamState<State>) : undefined;
  }

  remember(stream: string, known: StreamState<unknown>): void {
    if (known.revision !== null) this.#states.set(stream, known);
  }

  forget(stream: string): void {
    this.#states.delete(stream);
  }

  async catchUp<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    from: StreamState<State>,
  ): Promise<StreamState<State>> {
    let { state, revision } = from;
    for (;;) {
      const fromRevision = revision === null ? 0 : revision + 1;
      const page = await this.#store.readStream(stream, { fromRevision, limit: PAGE });
      for (const event of page) {
        // The catalogue has validated the event.
        state = decider.evolve(state, this.#catalogue.read(event) as DomainEvent as Event);
        revision = event.revision;
      }
      if (page.length < PAGE) return { decider, state, revision };
    }
  }
}
