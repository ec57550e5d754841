import { IdsReserved } from '@forgelog/contracts/shared/id.events.ts';
import { type NewEvent, SYSTEM_METADATA } from './event.ts';
import type { EventCatalogue } from './event-catalogue.ts';
import { newEventId } from './event-id.ts';
import { type EventStore, type ExpectedRevision, WrongExpectedRevisionError } from './event-store.ts';

export interface IdAllocator {
  /** The next global id of this kind, from 1. Never repeats; a stop skips the rest of the block. */
  next(kind: string): Promise<number>;
  /** So many ids, ascending, with one reservation at most unless others take ids meanwhile. */
  many(kind: string, count: number): Promise<number[]>;
}

interface Kind {
  next: number;
  last: number;
  seen: { revision: number; to: number } | null;
  reserving: Promise<void> | null;
}

/** Reserves blocks of ids in the log. `blockSizes` enlarges the blocks of frequent kinds; 1 leaves no gaps. */
export function createIdAllocator(ports: {
  store: EventStore;
  catalogue: EventCatalogue;
  clock?: () => Date;
  blockSizes?: Readonly<Record<string, number>>;
}): IdAllocator {
  const { store, catalogue, clock = () => new Date() } = ports;
  const kinds = new Map<string, Kind>();

  function kindOf(name: string): Kind {
    if (name.includes('-')) throw new RangeError(`kind ${name}: a category has no "-"`);
    let kind = kinds.get(name);
    if (!kind) {
      kind = { next: 1, last: 0, seen: null, reserving: null };
      kinds.set(name, kind);
    }
    return kind;
  }

  async function reserve(name: string, kind: Kind, least: number): Promise<void> {
    const stream = `ids-${name}`;
    for (;;) {
      const from = (kind.seen?.to ?? 0) + 1;
      const to = from + Math.max(ports.blockSizes?.[name] ?? 1, least) - 1;
      const expected: ExpectedRevision = kind.seen?.revision ?? 'no-stream';
      try {
        const { revision } = await store.append(stream, expected, [reservation(from, to)]);
        kind.seen = { revision, to };
        kind.next = from;
        kind.last = to;
        return;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevisionError) || error.actual === null) throw error;
        // The error names the revision, so even the first reservation need not read the whole stream.
        const [last] = await store.readStream(stream, { fromRevision: error.actual, limit: 1 });
        if (!last) throw error;
        const { to: taken } = catalogue.read(last).data as { to: number };
        kind.seen = { revision: last.revision, to: taken };
      }
    }
  }

  function reservation(from: number, to: number): NewEvent {
    return {
      id: newEventId(),
      type: IdsReserved.type,
      schemaVersion: IdsReserved.version,
      time: clock().toISOString(),
      data: catalogue.parse(IdsReserved.type, { from, to }),
      metadata: SYSTEM_METADATA,
    };
  }

  async function many(name: string, count: number): Promise<number[]> {
    const kind = kindOf(name);
    const ids: number[] = [];
    for (;;) {
      while (kind.next <= kind.last && ids.length < count) ids.push(kind.next++);
      if (ids.length === count) return ids;
      kind.reserving ??= reserve(name, kind, count - ids.length).finally(() => {
        kind.reserving = null;
      });
      await kind.reserving;
    }
  }

  return { many, next: async (name) => (await many(name, 1))[0]! };
}
