import { EpochBegun } from '@forgelog/contracts/shared/epoch.events.ts';
import { BEGINNING, type Position, type RecordedEvent, SYSTEM_METADATA } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import { newEventId } from './event-id.ts';
import type { EventStore } from './event-store.ts';

interface Epoch {
  name: string;
  after: Position;
}

export type PublishedPosition =
  | { kind: 'held'; position: Position }
  | { kind: 'malformed' }
  | { kind: 'foreign' }
  /** A restore took the event back; `common` is the last one before it that holds, if that is known. */
  | { kind: 'lost'; common: Position };

export const EPOCHS = 'log-epochs';
export const FIRST: Epoch = { name: '0'.repeat(7), after: BEGINNING };
const PUBLISHED = /^p([0-9a-f]{8})-([0-9a-z]{7})-(.+)$/;

/**
 * The identity of a log (ADR 40): the id of its first event, and its epochs, oldest first. Published positions carry
 * both, so that no position means two events. As text they sort like the log, and later epochs after earlier ones.
 */
export class LogIdentity {
  readonly id: string;
  /** Random in every kind of event id, unlike the beginning of a UUID of version 7. */
  readonly #mark: string;
  readonly #epochs: readonly Epoch[];

  constructor(id: string, begun: readonly Epoch[] = []) {
    this.id = id;
    this.#mark = id.slice(-8);
    this.#epochs = [FIRST, ...begun];
  }

  get epoch(): string {
    return this.#epochs.at(-1)!.name;
  }

  epochOf(position: Position): string {
    return this.#epochs.findLast(({ after }) => position > after)?.name ?? FIRST.name;
  }

  publish(position: Position): string {
    return position === BEGINNING ? BEGINNING : `p${this.#mark}-${this.epochOf(position)}-${position}`;
  }

  /** Reads also a bare position of the store, as published before logs had epochs. */
  read(published: string, store: Pick<EventStore, 'isPosition'>): PublishedPosition {
    const [, mark = this.#mark, name = FIRST.name, position = published] = PUBLISHED.exec(published) ?? [];
    if (mark !== this.#mark) return { kind: 'foreign' };
    if (!store.isPosition(position)) return { kind: 'malformed' };
    const own = this.#epochs.findIndex((epoch) => epoch.name === name);
    if (own < 0) return { kind: 'lost', common: BEGINNING };
    const ends = this.#epochs.slice(own + 1).map(({ after }) => after);
    const [common] = ends.toSorted();
    return common !== undefined && position > common ? { kind: 'lost', common } : { kind: 'held', position };
  }
}

export async function readLogIdentity(store: EventStore): Promise<LogIdentity | undefined> {
  const [first] = await store.readAll({ after: BEGINNING, limit: 1 });
  if (!first) return undefined;
  let identity = new LogIdentity(first.id);
  const begun: Epoch[] = [];
  for (const { data } of await store.readStream(EPOCHS)) {
    const { epoch, after } = data as { epoch: string; after: string };
    const place = identity.read(after, store);
    begun.push({ name: epoch, after: place.kind === 'held' ? place.position : BEGINNING });
    identity = new LogIdentity(first.id, begun);
  }
  return identity;
}

export interface KnownIdentity {
  /** @throws Error while the log is empty */
  current(): Promise<LogIdentity>;
  forBatch(events: readonly RecordedEvent[]): Promise<LogIdentity>;
}

export function knownIdentity(store: EventStore): KnownIdentity {
  let known: LogIdentity | undefined;
  const current = async () => {
    known ??= await readLogIdentity(store);
    if (!known) throw new Error('an empty log has no identity');
    return known;
  };
  return {
    current,
    async forBatch(events) {
      const newest = events.findLast(({ type }) => type === EpochBegun.type);
      if (newest && (newest.data as { epoch: string }).epoch > (known?.epoch ?? '')) known = undefined;
      return current();
    },
  };
}

/** A name that is greater than that of the last epoch, compared as text, also after a second restore of one backup. */
export function nameOfEpoch(now: Date, last: string): string {
  const number = Math.max(Math.floor(now.getTime() / 1000), Number.parseInt(last, 36) + 1);
  return number.toString(36).padStart(7, '0');
}

/** Begins an epoch at the end of a restored log. @throws Error for an empty log */
export async function beginEpoch(ports: {
  store: EventStore;
  catalogue: EventCatalogue;
  clock: () => Date;
}): Promise<{ epoch: string; after: string }> {
  const { store, catalogue, clock } = ports;
  const identity = await readLogIdentity(store);
  if (!identity) throw new Error('The log is empty: its first event will begin a log of its own.');
  const now = clock();
  const data = { epoch: nameOfEpoch(now, identity.epoch), after: identity.publish(await store.head()) };
  const revision = (await store.readStream(EPOCHS)).length - 1;
  await store.append(EPOCHS, revision < 0 ? 'no-stream' : revision, [
    {
      id: newEventId(),
      type: EpochBegun.type,
      schemaVersion: EpochBegun.version,
      time: now.toISOString(),
      data: catalogue.parse(EpochBegun.type, data),
      metadata: SYSTEM_METADATA,
    },
  ]);
  return data;
}
