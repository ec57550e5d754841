import type { DomainEvent } from '@forgelog/contracts/event.ts';
import type { LRUCache } from 'lru-cache';
import type { Decider } from './decider.ts';
import type { AppendedEvent, RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import { isOperationEventId } from './event-id.ts';
import type { EventStore } from './event-store.ts';
import { createLru } from './lru.ts';

export interface StreamState<State> {
  decider: unknown;
  state: State;
  revision: number | null;
  /** Revisions of the events that operations caused, by their ids; kept with the state, so that no second read finds them. */
  operations: ReadonlyMap<string, number>;
}

const NONE: ReadonlyMap<string, number> = new Map();
const PAGE = 1000;

export const unread = <State>(decider: { initialState: State }): StreamState<State> => ({
  decider,
  state: decider.initialState,
  revision: null,
  operations: NONE,
});

/** With the operations' events among these. */
export function withOperations(
  known: StreamState<unknown>['operations'],
  events: readonly Pick<AppendedEvent, 'id' | 'revision'>[],
): StreamState<unknown>['operations'] {
  const more = events.filter(({ id }) => isOperationEventId(id));
  if (more.length === 0) return known;
  return new Map([...known, ...more.map(({ id, revision }) => [id, revision] as const)]);
}

/** Caches stream states per decider, and reads newer events on demand. */
export class StreamStates {
  readonly #store: EventStore;
  readonly #catalogue: EventCatalogue;
  readonly #states: LRUCache<string, StreamState<unknown>>;

  constructor(store: EventStore, catalogue: EventCatalogue, capacity: number) {
    this.#store = store;
    this.#catalogue = catalogue;
    this.#states = createLru(capacity);
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

  /** @param upTo the last revision to read */
  async catchUp<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    from: StreamState<State>,
    upTo = Number.POSITIVE_INFINITY,
  ): Promise<StreamState<State>> {
    let { state, revision, operations } = from;
    for (;;) {
      const fromRevision = revision === null ? 0 : revision + 1;
      const limit = Math.min(PAGE, upTo - fromRevision + 1);
      const page = limit <= 0 ? [] : await this.#store.readStream(stream, { fromRevision, limit });
      for (const event of page) {
        state = decider.evolve(state, this.#catalogue.read(event) as DomainEvent as Event);
        revision = event.revision;
      }
      operations = withOperations(operations, page);
      if (page.length < PAGE) return { decider, state, revision, operations };
    }
  }

  /**
   * What an operation did in a stream when it was asked for before, as the log has it; undefined where it did nothing.
   * @param idOf the id of the operation's event by its number, from 0 on
   */
  async doneBefore(
    stream: string,
    { operations }: Pick<StreamState<unknown>, 'operations'>,
    idOf: (index: number) => string,
  ): Promise<RecordedEvent[] | undefined> {
    const fromRevision = operations.get(idOf(0));
    if (fromRevision === undefined) return undefined;
    let limit = 1;
    while (operations.has(idOf(limit))) limit += 1;
    const recorded = await this.#store.readStream(stream, { fromRevision, limit });
    return recorded.map((event) => this.#catalogue.read(event));
  }
}
