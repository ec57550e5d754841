import type { DomainEvent } from '@forgelog/contracts/event.ts';
import type { Decider } from './decider.ts';
import type { AppendedEvent, EventMetadata, NewEvent, Position } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import { operationEventId } from './event-id.ts';
import {
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  WrongExpectedRevisionError,
} from './event-store.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { ProjectionLagError, UnseenAppendError } from './position-waiters.ts';
import { StreamStates, unread, withOperations } from './stream-states.ts';

/** Concurrent writers won every retry, or a stream that must be new exists. Maps to 409. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly stream: string;

  constructor(stream: string, cause: WrongExpectedRevisionError) {
    super(`stream ${stream} was changed at the same time`, { cause });
    this.stream = stream;
  }
}

export interface Handled<State> {
  events: AppendedEvent[];
  /** The state after these events. It is cached for the next command, so do not modify it. */
  state: State;
  revision: number | null;
  position: Position | null;
}

export interface CommandHandler {
  /**
   * Loads the stream, decides, appends at the loaded revision and waits until the events are projected. `mustBeNew`
   * appends only if the stream does not exist, and does not retry a conflict: the caller tries another name. `at` does
   * the same for one revision of a stream. `unprojected` skips the wait; the caller may call `projected` later.
   * Rejections pass through.
   * With `operationId` the command is done once in this stream: event ids are derived from it. If the log already holds
   * them, nothing is decided, these events are returned again, and the state is the newest one (ADR 31).
   * @throws ConflictError, UnseenAppendError
   */
  handle<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    command: Command,
    metadata: EventMetadata,
    options?: { mustBeNew?: boolean; at?: ExpectedRevision; unprojected?: boolean; operationId?: string },
  ): Promise<Handled<State>>;

  /** Resolves once everything up to this position is projected. @throws UnseenAppendError */
  projected(position: Position): Promise<void>;

  /** `at` loads the state as of an earlier revision. */
  load<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    options?: { at?: number },
  ): Promise<{ state: State; revision: number | null }>;

  /** The events that an operation appended to this stream, as the log has them; undefined if it appended none. */
  eventsOf<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    operationId: string,
  ): Promise<AppendedEvent[] | undefined>;

  /** Appends without a decider and waits like `handle`. @throws WrongExpectedRevisionError, UnseenAppendError */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly DomainEvent[],
    metadata: EventMetadata,
  ): Promise<{ events: AppendedEvent[]; revision: number }>;
}

const RETRIES = 3;

export function createCommandHandler(ports: {
  store: EventStore;
  catalogue: EventCatalogue;
  clock: () => Date;
  newId: () => string;
  caughtUp: (position: Position) => Promise<void>;
  cacheSize?: number;
}): CommandHandler {
  const { store, catalogue } = ports;
  const states = new StreamStates(store, catalogue, ports.cacheSize ?? 10_000);
  const streams = new KeyedQueue();

  function envelope(
    events: readonly DomainEvent[],
    metadata: EventMetadata,
    idOf: (index: number) => string = ports.newId,
  ): NewEvent[] {
    const time = ports.clock().toISOString();
    return events.map(({ type, data }, index) => {
      // One JSON round trip, so that states built from this object and from the stored text are equal.
      const dataJson = JSON.stringify(catalogue.parse(type, data));
      return {
        id: idOf(index),
        type,
        schemaVersion: catalogue.get(type).version,
        time,
        data: JSON.parse(dataJson),
        dataJson,
        metadata,
      };
    });
  }

  async function handleInTurn<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    command: Command,
    metadata: EventMetadata,
    only: ExpectedRevision | undefined,
    operationId: string | undefined,
  ): Promise<Handled<State>> {
    const operationEvent =
      operationId === undefined ? undefined : (index: number) => operationEventId(operationId, stream, index);
    const mustBeNew = only === 'no-stream';
    const cached = mustBeNew ? undefined : states.remembered(decider, stream);
    let known =
      cached ?? (mustBeNew ? unread(decider) : await states.catchUp(decider, stream, unread(decider)));
    // Another process may have made a cached state stale. Only an append would reveal that, so otherwise catch up.
    let upToDate = !cached;
    for (let conflicts = 0; ; ) {
      const done = operationEvent && (await states.doneBefore(stream, known, operationEvent));
      if (done) {
        states.remember(stream, known);
        const { state, revision } = known;
        return { events: done, state, revision, position: done.at(-1)!.position };
      }
      if (typeof only === 'number' && known.revision !== only) {
        if (operationEvent && !upToDate) {
          known = await states.catchUp(decider, stream, known);
          upToDate = true;
          continue;
        }
        throw new ConflictError(stream, new WrongExpectedRevisionError(stream, only, known.revision));
      }
      const decision = decideOrReject(decider, command, known.state);
      const appends = 'events' in decision && decision.events.length > 0;
      if (!appends && !upToDate) {
        const before = known.revision;
        known = await states.catchUp(decider, stream, known);
        upToDate = true;
        if (known.revision !== before) continue;
      }
      if ('rejection' in decision) {
        states.remember(stream, known);
        throw decision.rejection;
      }
      if (!appends) {
        states.remember(stream, known);
        return { events: [], state: known.state, revision: known.revision, position: null };
      }
      const events = envelope(decision.events, metadata, operationEvent);
      try {
        const appended = await store.append(stream, known.revision ?? 'no-stream', events);
        const recorded = record(stream, events, appended);
        let { state } = known;
        for (const event of recorded) state = decider.evolve(state, event as DomainEvent as Event);
        const { revision, position } = appended;
        const operations = withOperations(known.operations, recorded);
        known = { decider, state, revision, operations };
        states.remember(stream, known);
        // The store may have answered for the same operation of another process: what the log holds counts.
        const mayBeHeld = appended.isNew ? undefined : operationEvent;
        const held = mayBeHeld && (await states.doneBefore(stream, known, mayBeHeld));
        return { events: held ?? recorded, state, revision, position };
      } catch (error) {
        states.forget(stream);
        if (!(error instanceof WrongExpectedRevisionError)) throw error;
        const isLast = only !== undefined || ++conflicts > RETRIES;
        if (isLast && !operationEvent) throw new ConflictError(stream, error);
        known = await states.catchUp(decider, stream, known);
        upToDate = true;
        if (isLast && !known.operations.has(operationEvent!(0))) throw new ConflictError(stream, error);
      }
    }
  }

  async function projected(position: Position): Promise<void> {
    try {
      await ports.caughtUp(position);
    } catch (error) {
      if (!(error instanceof ProjectionLagError)) throw error;
      throw new UnseenAppendError('appended, but not projected in time', { cause: error });
    }
  }

  async function newest<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
  ) {
    const from = states.remembered(decider, stream) ?? unread(decider);
    const known = await states.catchUp(decider, stream, from);
    const remembered = states.remembered(decider, stream);
    if (!remembered || (remembered.revision ?? -1) < (known.revision ?? -1)) states.remember(stream, known);
    return known;
  }

  return {
    async handle(decider, stream, command, metadata, options) {
      const only = options?.mustBeNew ? 'no-stream' : options?.at;
      const handled = await streams.run(stream, () =>
        handleInTurn(decider, stream, command, metadata, only, options?.operationId),
      );
      // Wait outside the stream's queue: the next command need not wait for the projections.
      if (handled.position !== null && !options?.unprojected) await projected(handled.position);
      return handled;
    },

    projected,

    async load(decider, stream, { at } = {}) {
      if (at !== undefined) return states.catchUp(decider, stream, unread(decider), at);
      const { state, revision } = await newest(decider, stream);
      return { state, revision };
    },

    async eventsOf(decider, stream, operationId) {
      const known = await newest(decider, stream);
      return states.doneBefore(stream, known, (index) => operationEventId(operationId, stream, index));
    },

    async append(stream, expected, events, metadata) {
      const enveloped = envelope(events, metadata);
      const appended = await store.append(stream, expected, enveloped);
      states.forget(stream);
      await projected(appended.position);
      return { events: record(stream, enveloped, appended), revision: appended.revision };
    },
  };
}

function decideOrReject<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  command: Command,
  state: State,
): { events: readonly Event[] } | { rejection: unknown } {
  try {
    return { events: decider.decide(command, state) };
  } catch (rejection) {
    return { rejection };
  }
}

function record(stream: string, events: readonly NewEvent[], appended: AppendResult): AppendedEvent[] {
  const first = appended.revision - events.length + 1;
  return events.map(({ dataJson: _, ...event }, index) => ({ ...event, stream, revision: first + index }));
}
