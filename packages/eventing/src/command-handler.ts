import type { Decider } from './decider.ts';
import type { DomainEvent, EventMetadata, NewEvent, Position, RecordedEvent } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import {
  type AppendResult,
  type EventStore,
  type ExpectedRevision,
  WrongExpectedRevisionError,
} from './event-store.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { Lru } from './lru.ts';

/** Others changed the stream each time between load and append, or a stream that had to be new exists. A 409. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly stream: string;

  constructor(stream: string, cause: WrongExpectedRevisionError) {
    super(`stream ${stream} was changed at the same time`, { cause });
    this.stream = stream;
  }
}

export interface Handled<State> {
  /** What was appended, [] when the command changed nothing. */
  events: RecordedEvent[];
  /** The state after these events. */
  state: State;
  /** Revision of the stream's last event, null for a stream that is still not there. */
  revision: number | null;
}

export interface CommandHandler {
  /**
   * Loads the stream, decides, appends at the loaded revision and waits until the events are projected.
   * `mustBeNew` appends only where the stream does not exist, and does not decide again on a conflict: the caller
   * takes the next name. Rejections of the decider pass through. @throws ConflictError
   */
  handle<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    command: Command,
    metadata: EventMetadata,
    options?: { mustBeNew?: boolean },
  ): Promise<Handled<State>>;

  /** The state as the log has it now. */
  load<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
  ): Promise<{ state: State; revision: number | null }>;

  /**
   * Appends without a decider (git references, policies) and waits until the events are projected.
   * @throws WrongExpectedRevisionError
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly DomainEvent[],
    metadata: EventMetadata,
  ): Promise<{ events: RecordedEvent[]; revision: number }>;
}

interface Known {
  decider: unknown;
  state: unknown;
  revision: number | null;
}

const RETRIES = 3;
const PAGE = 1000;

export function createCommandHandler(ports: {
  store: EventStore;
  catalogue: EventCatalogue;
  clock: () => Date;
  newId: () => string;
  /** Resolves when the projectors applied everything up to this position. */
  settled: (position: Position) => Promise<void>;
  /** How many streams' states are kept. */
  cacheSize?: number;
}): CommandHandler {
  const { store, catalogue } = ports;
  const states = new Lru<string, Known>(ports.cacheSize ?? 10_000);
  const streams = new KeyedQueue();

  function envelope(events: readonly DomainEvent[], metadata: EventMetadata): NewEvent[] {
    const time = ports.clock().toISOString();
    return events.map(({ type, data }) => ({
      id: ports.newId(),
      type,
      schemaVersion: catalogue.get(type).version,
      time,
      // Through JSON once, so that states built from this object and from the stored text cannot differ.
      data: JSON.parse(JSON.stringify(catalogue.parse(type, data))),
      metadata,
    }));
  }

  /** Brings a state up to the end of its stream. */
  async function catchUp<State>(
    decider: Decider<State, never, DomainEvent>,
    stream: string,
    from: Known,
  ): Promise<Known> {
    let state = from.state as State;
    let { revision } = from;
    for (;;) {
      const fromRevision = revision === null ? 0 : revision + 1;
      const page = await store.readStream(stream, { fromRevision, limit: PAGE });
      for (const event of page) {
        state = decider.evolve(state, catalogue.read(event));
        revision = event.revision;
      }
      if (page.length < PAGE) return { decider, state, revision };
    }
  }

  const nothing = (decider: { initialState: unknown }): Known => ({
    decider,
    state: decider.initialState,
    revision: null,
  });

  function remembered(decider: unknown, stream: string): Known | undefined {
    const known = states.get(stream);
    return known?.decider === decider ? known : undefined;
  }

  function remember(stream: string, known: Known): void {
    if (known.revision !== null) states.set(stream, known);
  }

  async function handleInTurn<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    command: Command,
    metadata: EventMetadata,
    mustBeNew: boolean,
  ): Promise<{ result: Handled<State>; position: Position | null }> {
    const reader = decider as unknown as Decider<State, never, DomainEvent>;
    const cached = mustBeNew ? undefined : remembered(decider, stream);
    let known = cached ?? (mustBeNew ? nothing(decider) : await catchUp(reader, stream, nothing(decider)));
    // A remembered state may be older than the log where another process writes too. An append would show that;
    // a rejection, or nothing to do, would not: there the state is brought up to date before it counts.
    let upToDate = !cached;
    for (let conflicts = 0; ; ) {
      const decision = decideOrReject(decider, command, known.state as State);
      const appends = 'events' in decision && decision.events.length > 0;
      if (!appends && !upToDate) {
        const before = known.revision;
        known = await catchUp(reader, stream, known);
        upToDate = true;
        if (known.revision !== before) continue;
      }
      if ('rejection' in decision) {
        remember(stream, known);
        throw decision.rejection;
      }
      if (!appends) {
        remember(stream, known);
        return {
          result: { events: [], state: known.state as State, revision: known.revision },
          position: null,
        };
      }
      const events = envelope(decision.events, metadata);
      try {
        const appended = await store.append(stream, known.revision ?? 'no-stream', events);
        const recorded = record(stream, events, appended);
        let state = known.state as State;
        for (const event of recorded) state = reader.evolve(state, event);
        remember(stream, { decider, state, revision: appended.revision });
        return {
          result: { events: recorded, state, revision: appended.revision },
          position: appended.position,
        };
      } catch (error) {
        states.delete(stream);
        if (!(error instanceof WrongExpectedRevisionError)) throw error;
        if (mustBeNew || ++conflicts > RETRIES) throw new ConflictError(stream, error);
        known = await catchUp(reader, stream, known);
        upToDate = true;
      }
    }
  }

  return {
    async handle(decider, stream, command, metadata, options) {
      const { result, position } = await streams.run(stream, () =>
        handleInTurn(decider, stream, command, metadata, options?.mustBeNew ?? false),
      );
      // Outside of the stream's turn: the next command need not wait for the projectors.
      if (position !== null) await ports.settled(position);
      return result;
    },

    async load(decider, stream) {
      const reader = decider as unknown as Decider<unknown, never, DomainEvent>;
      const known = await catchUp(reader, stream, remembered(decider, stream) ?? nothing(decider));
      const newest = remembered(decider, stream);
      if (!newest || (newest.revision ?? -1) < (known.revision ?? -1)) remember(stream, known);
      return { state: known.state as never, revision: known.revision };
    },

    async append(stream, expected, events, metadata) {
      const enveloped = envelope(events, metadata);
      const appended = await store.append(stream, expected, enveloped);
      states.delete(stream);
      await ports.settled(appended.position);
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

function record(stream: string, events: readonly NewEvent[], appended: AppendResult): RecordedEvent[] {
  const first = appended.revision - events.length + 1;
  return events.map((event, index) => ({
    ...event,
    stream,
    revision: first + index,
    position: appended.positions[index] as Position,
  }));
}
